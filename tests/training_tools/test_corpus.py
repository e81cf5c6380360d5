"""Filling of skeletons, typing noise, and the splits."""

from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from components.measures.gold import read_messages, write_messages
from scripts.make_corpus import make_corpus
from tests.conftest import run_python
from tests.training_tools.thin_lists import LISTS, write_thin_lists
from training_tools.generator import dates, noise, numbers, words
from training_tools.generator.corpus import make_split, partition
from training_tools.generator.filling import Filler, Segment
from training_tools.generator.people import split_of
from training_tools.generator.places import Atlas
from training_tools.generator.skeletons import (
    AGE_FORMS,
    BELONGINGS,
    DATE_FORMS,
    KINDS,
    NAME_FORMS,
    PID_FORMS,
    Wishes,
    load_units,
    parse_file,
)

SINGLES = [
    "hej {{person.full}} här, [[PERSON|mamma {{person2(f,of=1).first.gen}}]] recept {n}",
    "Jag bor på {{street}}, {{postal}} och ringer {{phone}} {n}. Tack och hej.",
    "ok {n}",
    "{{person.lastfirst}}, {{person.pid}}, {{person.email}}, {{person.age}} {n}",
    "{{careunit}} i {{city}} {{date}}. Ta {{drug}} {{dose}} kl {{time}}, {{lab}} {n}",
]
CONVERSATION = (
    "@patient\nhej {{person.first}} här {n}\n@caregiver\nHej {{person.first}}!\n/{{person2.dotted}}"
)


@cache
def get_filler(invent: float = 0.25, split: str = "train") -> Filler:
    return Filler(LISTS, split, invent)


@pytest.fixture(scope="module")
def messages_path(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("messages")
    singles = [text.format(n=f"nummer {n}") for n in range(12) for text in SINGLES]
    talks = [CONVERSATION.format(n=n) for n in range(20)]
    for part, texts in (("singles", singles), ("conversations", talks)):
        (folder / part).mkdir()
        (folder / part / "a.txt").write_text("\n---\n".join(texts), encoding="utf8")
    return folder


def parse(folder: Path, text: str):
    (folder / "one.txt").write_text(text, encoding="utf8")
    (unit,), problems = parse_file(folder / "one.txt", False, "one")
    assert not [problem for problem in problems if not problem.warning]
    return unit


@pytest.fixture
def fill(tmp_path):
    """Fills a skeleton, and gives the segments that are not its own words."""

    def fill(text: str, seed: object, invent: float = 0.25) -> list[str]:
        segments = get_filler(invent).fill(parse(tmp_path, text), Random(f"{seed}"))[0]
        return [segment.text for segment in segments if not segment.literal]

    return fill


def every_slot() -> list[str]:
    slots = []
    for kind, (_, forms) in KINDS.items():
        slots += [kind, *(f"{kind}.{form}" for form in forms)]
    slots.remove("person")
    slots += [f"person.{form}" for form in (*NAME_FORMS, *BELONGINGS)]
    return slots + [f"person.{w}.{f}" for w, (_, forms) in BELONGINGS.items() for f in forms]


@pytest.mark.parametrize("slot", every_slot())
def test_every_slot_is_filled(fill, slot):
    for seed in range(6):
        texts = fill(f"före {{{slot}}} efter {{{slot}.gen}}", f"{slot}{seed}", float(seed % 2))
        assert len(texts) == 2
        for text in texts:
            assert text and text == text.strip() and "{" not in text and "\n" not in text
            assert text[0].isalnum() or text[0] in "+(<", text


@pytest.mark.parametrize("casing", noise.CASINGS)
@pytest.mark.parametrize("modifier", ["lower", "upper"])
def test_modifiers_force_the_casing(tmp_path, casing, modifier):
    segments = get_filler().fill(parse(tmp_path, f"på {{city.{modifier}}} nu"), Random("x"))[0]
    text, (span,) = noise.apply(segments, noise.Style(casing=casing), Random("y"))
    covered = text[span["start"] : span["end"]]
    assert covered == getattr(covered, modifier)()


def bare(number: str) -> str:
    digits = "".join(filter(str.isdigit, number))
    return digits.removeprefix("0046").removeprefix("46").lstrip("0")


def test_same_number_same_entity(fill):
    text = "{person.full} {person.first} {city} {city} {city2} {person.pid10} {person.pidglued}"
    parts = fill(text + " {person2(f,of=1).last} {person.last} {phone} {phone}", "z", 1.0)
    full, first, city, again, _, pid, glued, _, ours, phone, same = parts
    assert full == f"{first} {ours}" and city == again
    assert bare(glued)[-10:] == bare(pid)[-10:]
    assert bare(phone) == bare(same) or phone.startswith(("+", "0"))


def test_kl_is_not_written_twice(fill):
    for seed in range(40):
        one, other = fill("kl {time} och {time2}", seed)
        assert not one.startswith("kl") and other.startswith("kl")


@pytest.mark.parametrize("group, low, high", [("baby", 0, 1), ("child", 1, 12), ("old", 76, 101)])
def test_people_are_consistent(group, low, high):
    today = date(2026, 3, 1)
    for seed in range(50):
        wishes = Wishes("fm"[seed % 2], group)
        person = get_filler().population.draw(wishes, None, (), today, Random(f"{seed}"))
        assert low <= dates.Age.at(person.born, today).years <= high
        assert person.pid.born == person.born
        assert int(person.pid.serial[2]) % 2 == (wishes.gender == "m")
        assert "@" in person.email and person.email.isascii()


@pytest.mark.parametrize("form", [form for form in PID_FORMS if form != "samordning"])
def test_personnummer_keep_their_digit_count(form):
    for seed in range(100):
        rng = Random(f"{seed}")
        pid = numbers.draw_pid(date(1926, 10, 5), "m", rng, date(2026, 11, 1))
        count = sum(char.isdigit() or char in "oO" for char in pid.write(form, rng))
        assert count in ({4} if form == "last4" else {10, 12})


def test_numbers_are_of_their_form():
    # Who is a hundred years old has a plus.
    pid = numbers.Pid(date(1920, 1, 2), "123", "4", hundred=True)
    written = {pid.write("10", Random(f"{seed}")) for seed in range(50)}
    assert "200102+1234" in written and "200102-1234" not in written
    for seed in range(1000):
        phone = numbers.draw_phone("landline", Random(f"{seed}"))
        assert phone.area in numbers.AREA_CODES and 7 <= len(phone.area + phone.subscriber) <= 9


def test_tables_have_all_forms():
    assert set(DATE_FORMS) == {*dates.DATE_STYLES, "holiday"}
    assert set(AGE_FORMS) < set(dates.AGE_STYLES)


@given(
    st.dates(date(1915, 1, 1), date(2035, 12, 31)), st.sampled_from([None, *DATE_FORMS]),
    st.integers(0, 105 * 12), st.sampled_from([None, *AGE_FORMS]), st.integers(),
)  # fmt: skip
def test_any_date_and_age_is_written_in_any_form(day, date_form, months, age_form, seed):
    rng = Random(f"{seed}")
    age = dates.Age(months // 12, months)
    for text in (dates.write_date(day, date_form, rng), age.write(age_form, rng)):
        assert text == text.strip() and text[0].isalnum() and text[-1].isalnum()


@pytest.mark.parametrize(
    "write, given, text",
    [
        (dates.spell, 7, "sju"), (dates.spell, 21, "tjugoett"), (dates.spell, 80, "åttio"),
        (dates.spell, 100, "hundra"), (dates.spell, 101, "hundraett"),
        # No letter three times.
        *[(words.compound, ("Hall", "lund"), "Hallund"), (words.compound, ("Sjö", "ö"), "Sjö")],
        (words.compound, ("Skog", "gren"), "Skoggren"),
    ],
)  # fmt: skip
def test_words_are_made(write, given, text):
    assert write(*given if isinstance(given, tuple) else (given,)) == text


@pytest.mark.parametrize("name, text", [("Lars", "Lars"), ("Anna", "Annas"), ("Marx", "Marx")])
def test_genitive(name, text):
    made = Counter(words.genitive(name, Random(f"{seed}")) for seed in range(200))
    assert made.most_common(1)[0][0] == text


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_invented_share(share):
    listed = {row["name"] for row in LISTS["places"]}
    atlas = Atlas(LISTS, share)
    drawn = [atlas.place("island", Random(f"{seed}")) for seed in range(1000)]
    assert abs(sum(name not in listed for name in drawn) / 1000 - share) < 0.05


# What a slot says in other words each time it is asked.
VARIED = ("person", "date", "age", "pid", "phone")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in VARIED])
def test_one_number_is_one_thing_and_another_number_another(fill, kind):
    apart = 0
    for seed in range(10):
        one, same, other = fill(f"se {{{kind}}} och {{{kind}}} och {{{kind}2}} idag", seed)
        assert one == same
        apart += one != other
    assert apart


def test_phone_of_one_number_is_one(fill):
    for seed in range(20):
        texts = fill("ring {phone} eller {phone.mobile} inte {phone2} till mig", seed)
        assert bare(texts[2]) not in map(bare, texts[:2])


# Noise.
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30)
NAMES = TEXTS.map(str.strip).filter(bool)


@st.composite
def messages(draw) -> list[Segment]:
    segments = []
    for group in range(1, draw(st.integers(1, 5)) + 1):
        segments.append(Segment(draw(TEXTS), None, -1, True))
        label = draw(st.sampled_from(("PERSON", "LOCATION", "PID", "DATE", "EMAIL")))
        for part in range(draw(st.integers(1, 2))):
            if part:
                segments.append(Segment(" ", label, group, True))
            segments.append(Segment(draw(NAMES), label, group, bool(part), draw(st.booleans())))
    return segments


STYLES = st.builds(
    noise.Style, casing=st.sampled_from(noise.CASINGS), typos=st.sampled_from((0.0, 0.5, 1.0)),
    chatty=st.sampled_from((0.0, 1.0)), spacing=st.sampled_from((0.0, 1.0)),
    bare_letters=st.booleans(), drops_stop=st.booleans(), emoji=st.sampled_from((0.0, 1.0)),
)  # fmt: skip


def grouped(segments: list[Segment]) -> list[tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for segment in segments:
        if segment.label:
            label, text = found.get(segment.group, (segment.label, ""))
            found[segment.group] = (label, text + segment.text)
    return list(found.values())


@given(messages(), STYLES, st.integers())
def test_noise_moves_no_span_off_its_text(segments, style, seed):
    text, spans = noise.apply(segments, style, Random(f"{seed}"))
    assert [span["label"] for span in spans] == [label for label, _ in grouped(segments)]
    end = 0
    for span, (_, original) in zip(spans, grouped(segments)):
        covered = text[span["start"] : span["end"]]
        assert end <= span["start"] < span["end"] <= len(text) and covered == covered.strip()
        end = span["end"]
        if not style.typos:
            if style.bare_letters:
                original = original.translate(noise.BARE_LETTERS)
            cases = (str.casefold, str.lower, str.upper)
            assert any(case(covered) == case(original) for case in cases)


@given(messages())
def test_a_careful_typist_changes_nothing(segments):
    text, spans = noise.apply(segments, noise.Style(), Random("0"))
    assert text == "".join(segment.text for segment in segments)
    covered = [(span["label"], text[span["start"] : span["end"]]) for span in spans]
    assert covered == grouped(segments)


def test_casing_follows_its_distribution():
    drawn = Counter(noise.draw_style(None, Random(f"{seed}")).casing for seed in range(5000))
    for casing, weight in zip(noise.CASINGS, noise.PATIENT_CASING):
        assert abs(drawn[casing] / 50 - weight) < 2.5


def test_swapped_words_leave_spans_and_cues_alone():
    before = Segment("kommer snart tillbaka medan allting läker hos ", None, -1, True)
    parts = [before, Segment("Anna", "PERSON", 0, False)]
    style = noise.Style(swaps=1.0)
    text, (span,) = noise.apply(parts, style, Random("0"), ["ordet"])
    assert text == "kommer ordet ordet ordet ordet läker hos Anna"
    assert text[span["start"] : span["end"]] == "Anna"
    assert noise.apply(parts, style, Random("0"))[0] == before.text + "Anna"
    # Words to put in are gathered outside of slots and brackets.
    sources = ["Hej {person.first}, väntar på [[ORGANISATION|barnkliniken]] imorgon", "väntar än"]
    assert noise.gather_words(sources) == ["imorgon", "väntar"]


def test_regards_come_in_many_forms():
    parts = [Segment("Tack. Mvh ", None, -1, True), Segment("Anna", "PERSON", 0, False)]
    texts = {noise.apply(parts, noise.Style(), Random(f"{seed}"))[0] for seed in range(99)}
    assert {"Tack. MVH Anna", "Tack. Mvh Anna", "Tack. mvh Anna"} < texts


@given(st.text("abcdeåäöxyzABC", min_size=4, max_size=9), st.integers())
def test_a_slip_keeps_the_first_letter(word, seed):
    slipped = noise._slip(word, Random(f"{seed}"))
    assert slipped[0] == word[0] and OSA.distance(word, slipped) <= 1


def test_slips_are_of_all_kinds_and_anywhere_else():
    slipped = {noise._slip("abcde", Random(f"{seed}")) for seed in range(500)}
    kinds = "acde abde abce abbcde abccde abcdde acbde abdce abced"
    assert {*kinds.split()} < slipped
    # A neighbour on the keyboard, in the case of the letter.
    assert {noise._slip("ABCD", Random(f"{seed}")) for seed in range(500)} > {"AVCD", "ABXD"}


# Splits.
@pytest.fixture(scope="module")
def splits(messages_path):
    parts = partition(load_units(messages_path))
    return {
        split: make_split(units, LISTS, split, size, 0, 0.5)
        for (split, units), size in zip(parts.items(), (400, 80, 80))
    }


def test_splits(splits):
    assert [len(rows) for rows in splits.values()] == [400, 80, 80]
    singles = Counter(row["skeleton"] for row in splits["train"] if "conversation" not in row)
    assert max(singles.values()) - min(singles.values()) <= 1
    # They share no skeleton and no conversation.
    for key in ("skeleton", "conversation", "id"):
        seen = [{row[key] for row in rows if key in row} for rows in splits.values()]
        assert all(seen)
        assert not (seen[0] & seen[1] or seen[0] & seen[2] or seen[1] & seen[2])
    # Conversations are whole.
    talks = [row for rows in splits.values() for row in rows if "conversation" in row]
    assert set(Counter(row["conversation"] for row in talks).values()) == {2}
    assert {row["author"] for row in talks} == {"patient", "caregiver"}


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_surnames_belong_to_their_split(split):
    population = get_filler(0.5, split).population
    for seed in range(100):
        rng = Random(f"{seed}")
        assert split_of(population.last(population.origin(rng), "f", rng)) == split


def test_split_of_is_eight_one_one():
    counts = Counter(split_of(f"namn{n}") for n in range(10000))
    assert abs(counts["train"] - 8000) < 150 and abs(counts["dev"] - 1000) < 120


def test_seeds_and_what_is_missing(messages_path):
    units = load_units(messages_path)[:10]
    one, two, three = (make_split(units, LISTS, "train", 40, seed, 0.25) for seed in (1, 1, 2))
    assert one == two != three
    with pytest.raises(ValueError, match="'dev'"):
        make_split([], LISTS, "dev", 10, 0, 0.25)
    with pytest.raises(ValueError, match="drugs.tsv"):
        Filler({**LISTS, "drugs": []}, "train")


def test_script_writes_the_same_bytes_in_every_process(messages_path, tmp_path):
    extra, lists = tmp_path / "own.jsonl", write_thin_lists(tmp_path / "lists")
    write_messages(extra, [{"id": "own", "text": "hej", "spans": []}])
    make_corpus(messages_path, lists, tmp_path / "1", 60, 15, 15, extra=str(extra))
    sizes = ["--size", "60", "--dev-size", "15", "--test-size", "15", "--extra", extra]
    args = ["scripts.make_corpus", messages_path, lists, tmp_path / "2", *sizes]
    done = run_python(*args, options=["-m"], PYTHONHASHSEED="2")
    assert done.returncode == 0, done.stderr
    outs = [{path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in "12"]
    names = [f"{split}.{end}" for split in ("train", "dev", "test") for end in ("jsonl", "spacy")]
    assert sorted(outs[0]) == sorted(names) and outs[0] == outs[1]
    rows = read_messages(tmp_path / "1" / "train.jsonl")
    assert len(rows) == 70 and sum(row["text"] == "hej" for row in rows) == 10
