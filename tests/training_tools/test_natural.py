import json
import re
import zlib
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lists.lists import read_lists
from components.measures.gold import check_message, read_messages, write_messages
from components.shared.labels import LABELS
from components.text.casing import fold
from components.text.numbers import read_phone
from components.text.validators import digits_of, is_personnummer
from scripts.make_corpus import make_corpus
from tests.cases import cases, message
from tests.conftest import ROOT
from tests.training_tools.thin_lists import write_thin_lists
from training_tools.generator.corpus import make_extra, make_natural, make_pass, mix, read_extra
from training_tools.generator.natural import (
    cut,
    deal,
    gather_threads,
    read_natural,
    restyle,
    strip,
)
from training_tools.generator.people import split_of
from training_tools.generator.pseudonyms import Pseudonyms, make_key
from training_tools.generator.skeletons import parse_file
from training_tools.generator.sources import make_wide_classes, widen

LISTS = read_lists(str(ROOT / "assets" / "lists"))
KEY, OTHER_KEY = make_key(0, "one"), make_key(0, "other")


@cache
def pseudonyms(split: str = "train") -> Pseudonyms:
    return Pseudonyms(make_wide_classes(LISTS, split, 0.25, Random("0")))


def conversation(*marked: str):
    return [
        message(text, conversation="c", turn=turn, author=("patient", "caregiver")[turn % 2])
        for turn, text in enumerate(marked, start=1)
    ]


def covered(row) -> list[str]:
    return [row["text"][span["start"] : span["end"]] for span in row["spans"]]


def outside(row) -> list[str]:
    edges = [0, *(edge for span in row["spans"] for edge in (span["start"], span["end"]))]
    return [row["text"][a:b] for a, b in zip(edges[::2], [*edges[1::2], len(row["text"])])]


# Reading.
def write(folder: Path, part: str, text: str) -> Path:
    (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / part / "a.txt").write_text(text, encoding="utf8")
    return folder


def test_messages_are_read_with_their_spans(tmp_path):
    write(tmp_path, "singles", "hej {du} [[PERSON|Anna]] \n---\n\nett\n\ntvå")
    write(tmp_path, "conversations", "@patient\nhej\n@caregiver\nHej [[PERSON|Bo]]\n")
    one, two, talk = read_natural(tmp_path)
    assert one == [message("hej {du} [Anna|PERSON]", id="singles/a-001")]
    assert two[0]["text"] == "ett\n\ntvå"
    fields = {"conversation": "conversations/a-001", "id": talk[0]["id"]}
    assert talk[0] == message("hej", turn=1, author="patient", **fields)
    fields["id"] = talk[1]["id"]
    assert talk[1] == message("Hej [Bo|PERSON]", turn=2, author="caregiver", **fields)


@cases
def test_broken_markup_is_named_by_file_and_line_alone(tmp_path, part, text, line, reason):
    with pytest.raises(ValueError) as error:
        read_natural(write(tmp_path, part, text))
    assert f"a.txt:{line}: " in str(error.value) and reason in str(error.value)
    assert "Hemlig" not in str(error.value)


@cases
def test_marks_that_are_part_of_a_thing_may_end_its_bracket(tmp_path, bracket, sound):
    path = tmp_path / "a.txt"
    path.write_text(f"hej {bracket}", encoding="utf8")
    assert (parse_file(path, False, "a", False)[1] == []) == sound


def test_the_messages_of_this_project_are_read():
    threads = read_natural(ROOT / "assets" / "messages" / "natural")
    assert len(threads) > 3000 and sum(map(len, threads)) > 5000


# Choosing.
def test_conversations_are_put_together():
    rows = [message("a", conversation="x"), message("b"), message("c", conversation="x")]
    rows += [message("b"), message("d", conversation="0")]
    texts = [[row["text"] for row in thread] for thread in gather_threads(rows)]
    assert texts == [["a", "c"], ["b"], ["b"], ["d"]]


THREADS = [[message(f"nummer {n}")] for n in range(300)]
THREADS += [conversation(f"hej {n}", f"svar {n}", "ok") for n in range(100)]


def test_a_tenth_goes_to_dev_and_stays_there():
    train, dev = deal(THREADS)
    assert len(train) + len(dev) == len(THREADS) and 25 < len(dev) < 60
    more = [[message("en till")], *THREADS]
    assert [thread for thread in deal(more)[1] if thread in THREADS] == dev


# Pseudonyms.
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
VALUES = st.sampled_from(
    ["Anna Lind", "mamma Eva", "LN", "Göteborg", "Storgatan 3", "Kry", "vårdcentralen", "3 maj",
     "19900101-2385", "070-123 45 67", "anna@lind.se", "34 år", "o", "ß", "𝒜", "1.", "90+"]
) | st.text(min_size=1, max_size=12).map(str.strip).filter(bool)  # fmt: skip


@st.composite
def rows(draw, **fields):
    text, spans = draw(TEXTS), []
    for _ in range(draw(st.integers(0, 4))):
        value = draw(VALUES)
        label, end = draw(st.sampled_from(LABELS)), len(text) + len(value)
        spans.append({"start": len(text), "end": end, "label": label})
        text += value + draw(TEXTS)
    return {"id": "m", "text": text, "spans": spans, **fields}


@given(st.lists(rows(conversation="c"), min_size=1, max_size=3) | rows().map(lambda row: [row]))
def test_what_is_outside_of_spans_stays(thread):
    before = json.dumps(thread)
    made = pseudonyms().replace(thread, KEY)
    assert json.dumps(thread) == before and len(made) == len(thread)
    for old, new in zip(thread, made):
        assert outside(new) == outside(old)
        assert [span["label"] for span in new["spans"]] == [span["label"] for span in old["spans"]]
        assert all(covered(new))
        assert {**new, "text": "", "spans": []} == {**old, "text": "", "spans": []}
        # A message is cut and put together.
        segments = list(cut(old))
        assert "".join(segment.text for segment in segments) == old["text"]
        assert [segment.text for segment in segments if segment.label] == covered(old)
    assert pseudonyms().replace(thread, KEY) == made


def test_another_key_gives_other_names():
    thread = conversation("jag är [Anna Lind|PERSON] i [Lund|LOCATION]", "hej [Anna|PERSON]")
    one, other = (pseudonyms().replace(thread, key) for key in (KEY, OTHER_KEY))
    assert covered(one[0]) != covered(other[0])
    for made in (one, other):
        assert not {"Anna", "Lind", "Lund"} & set(re.findall(r"\w+", made[0]["text"]))


def test_a_conversation_agrees():
    thread = conversation(
        "[Anna Lindgren|PERSON], [19900101-2385|PID], [070-123 45 67|PHONE]",
        "Hej [anna|PERSON]! Sista fyra [2385|PID]? [Lindgrens|PERSON] nummer [070 1234567|PHONE]",
    )
    made = map(covered, pseudonyms().replace(thread, KEY))
    (name, pid, phone), (first, last, surname, again) = made
    assert first == name.split()[0].lower() and surname.startswith(name.split()[1][:-1])
    assert digits_of(pid).endswith(last) and digits_of(phone) == digits_of(again)


@cases
def test_class_and_form_stay(value, label, form):
    for n in range(5):
        row = pseudonyms().replace([message(f"se [{value}|{label}] nu")], make_key(n))[0]
        assert re.fullmatch(form, covered(row)[0]), covered(row)
        assert covered(row) != [value]


# Wide sources.
def draw(value: str, label: str, count: int = 300, split: str = "train") -> list[str]:
    row = [message(f"hej [{value}|{label}] där")]
    return [covered(pseudonyms(split).replace(row, make_key(n))[0])[0] for n in range(count)]


@pytest.mark.parametrize(
    "name, value, where", [("surnames", "Anna Xystqvist", 1), ("first_names", "Anna Lind", 0)]
)
def test_a_fair_share_of_names_is_in_no_list(name, value, where):
    listed = {row["name"] for row in LISTS[name]}
    drawn = draw(value, "PERSON")
    unlisted = sum(value.split()[where] not in listed for value in drawn)
    assert 0.15 < unlisted / len(drawn) < 0.4


@cases
def test_hardly_anything_comes_twice(value, label, least):
    assert len(set(draw(value, label))) > least


def test_personnummer_are_of_any_serial_and_four_in_five_are_valid():
    drawn = draw("19900101-2385", "PID", 1000)
    assert len({value[-4:-1] for value in drawn}) > 300
    assert {int(value[-2]) % 2 for value in drawn} == {0}
    assert 0.77 < sum(map(is_personnummer, drawn)) / len(drawn) < 0.83


def test_phone_numbers_are_of_any_series_and_keep_their_area():
    drawn = draw("0951-103 77", "PHONE")
    assert {read_phone(value).digits[:3] for value in drawn} == {"951"}
    assert len({value[5] for value in drawn}) == 10


@pytest.mark.parametrize("split", ["train", "dev"])
def test_surnames_are_of_their_split(split):
    wide = widen(LISTS, split, 0.25, Random("0"))
    assert {split_of(row["name"]) for row in wide["surnames"]} == {split}
    drawn = draw("Anna Xystqvist", "PERSON", 100, split)
    assert {split_of(value.split()[1]) for value in drawn} == {split}
    for invent in (-0.1, 1.0):
        with pytest.raises(ValueError, match="--invent"):
            make_wide_classes(LISTS, split, invent, Random("0"))


def test_people_are_mixed_in_one_thread_of_three():
    """In those, a Swede may stand for anybody, half have a rare name, and some are called like a disease."""
    rare = {
        "first_names": [(f"Zq{n:04}", "f") for n in range(9000)],
        "surnames": [(f"Wq{n:05}", "") for n in range(60_000)],
    }
    mixed = make_wide_classes(LISTS, "train", 0.25, Random("0"), rare)
    both = Pseudonyms(make_wide_classes(LISTS, "train", 0.25, Random("0")), mixed)
    rows = [message(f"hej [Kerstin Xystqvist|PERSON] nummer {n}") for n in range(600)]
    drawn = [covered(both.replace([row], KEY)[0])[0].split() for row in rows]
    firsts, lasts = (Counter(name[:2].title() for name in names) for names in zip(*drawn))
    assert 70 < firsts["Zq"] < 190 and 50 < lasts["Wq"] < 150
    origin = {row["name"]: row["origin"] for row in LISTS["surnames"]}
    assert sum(origin.get(last, "sv") != "sv" for _, last in drawn) > 20
    eponyms = {row["name"] for row in LISTS["eponyms"]} - set(origin)
    assert sum(last in eponyms for _, last in drawn) > 3
    assert {split_of(last) for _, last in drawn} == {"train"}


# Corpus.
def test_half_of_the_writers_type_as_they_did():
    kept = Counter()
    for n in range(300):
        thread = conversation("Hej jag heter [Anna|PERSON]. Mvh", "Hej [Anna|PERSON]!", "Tack. Mvh")
        made = restyle(thread, Random(f"{n}"))
        for old, new in zip(thread, made):
            check_message(dict(new))
            assert [span["label"] for span in new["spans"]] == ["PERSON"] * len(old["spans"])
            assert all(fold(name)[:1] == "a" for name in covered(new))
        kept[made == thread] += 1
        assert made[0]["text"].isupper() == made[2]["text"].isupper()
    assert 60 < kept[True] < 200


@pytest.mark.parametrize("size", [0, 10, 450, 20_000])
def test_natural_messages_are_used_equally_often(size):
    made = make_natural(THREADS, None, size, 0)
    count = sum(map(len, made))
    assert count == min(size, 10 * sum(map(len, THREADS)))
    used = Counter(thread[0]["id"].split("/", 1)[0] for thread in made)
    assert all(used[f"train-natural-{n}"] == len(THREADS) for n in range(len(used) - 1))


def test_each_pass_has_names_of_its_own():
    thread = [message("jag är [Anna Lind|PERSON]")]
    one, two = (make_pass([thread], pseudonyms(), 0, f"pass-{n}")[0][0] for n in range(2))
    assert covered(one) != covered(two) and one["id"] != two["id"]
    assert make_pass([thread], pseudonyms(), 0, "pass-0")[0][0] == one
    assert make_pass([thread], pseudonyms(), 1, "pass-0")[0][0] != one


def test_mixing_keeps_conversations_whole():
    mixed = mix([[{**row, "conversation": n} for row in t] for n, t in enumerate(THREADS)], 0)
    assert [len(thread) for thread in gather_threads(mixed)] != [len(t) for t in THREADS]
    order = [row["conversation"] for row in mixed]
    changes = sum(one != other for one, other in pairwise(order))
    assert changes == len(THREADS) - 1


# A user's own messages.
CANARY = "Knurvelstocksfnatt"
NUMBER, PLACE, IDENTITY, STREET = (
    "0711-987 61 23", "Vrubbeltorpsby", "19590317-4129", "Gnutträskvägen 71",
)  # fmt: skip
OWN = [
    message(f"Hej [{CANARY}|PERSON] i [{PLACE}|LOCATION]", id=f"{CANARY}-1", patient=CANARY),
    message(f"[{IDENTITY}|PID] [{NUMBER}|PHONE]", conversation=IDENTITY, turn=1, author="patient"),
    message(f"tack [{CANARY}s|PERSON]", conversation=IDENTITY, turn=2, author=f"dr {CANARY}"),
    message(f"bor [{STREET}|LOCATION], [{CANARY.lower()}@vrubbel.se|EMAIL]"),
]
OWN[0]["spans"][0]["note"] = PLACE
SECRETS = (CANARY, NUMBER, PLACE, IDENTITY, "Gnutträsk", "4129", "987 61 23")


@pytest.mark.parametrize(
    "content, said",
    [("\n", " holds no messages"), ('{"text": "x", "spans": []}\n{"text": "Anna"}', ", line 2: ")],
)
def test_what_is_wrong_with_own_messages_is_said(tmp_path, content, said):
    (tmp_path / "own.jsonl").write_text(content, encoding="utf8")
    with pytest.raises(ValueError, match=f"own.jsonl{said}") as error:
        read_extra(tmp_path / "own.jsonl")
    assert "Anna" not in str(error.value)


def test_what_training_does_not_use_is_left_out():
    made = strip(OWN[1:3], 7)
    assert [row["id"] for row in made] == ["7/1", "7/2"]
    assert [row.get("author") for row in made] == ["patient", None]
    assert {row["conversation"] for row in made} == {"7"} and [r["turn"] for r in made] == [1, 2]
    assert strip(OWN[:1], 1)[0].keys() == {"id", "text", "spans"}
    assert "note" not in strip(OWN[:1], 1)[0]["spans"][0]


def test_own_messages_are_repeated_to_a_quarter_but_ten_times_at_most():
    own = [message("hej", id=f"m{n}") for n in range(50)]
    for size, count in ((600, 200), (60_000, 500), (10, 50)):
        for replacer in (None, pseudonyms()):
            rows = [row for thread in make_extra(own, replacer, size, 0) for row in thread]
            assert len(rows) == len({row["id"] for row in rows}) == count


def run(out: Path, **options) -> list:
    skeletons, lists = ROOT / "assets" / "messages", write_thin_lists(out.parent / "lists")
    make_corpus(skeletons, lists, out, size=120, dev_size=10, test_size=10, **options)
    return read_messages(out / "train.jsonl")


@pytest.mark.parametrize("kept", [False, True])
def test_nothing_that_was_marked_is_trained_on(tmp_path, kept):
    write_messages(tmp_path / "own.jsonl", OWN)
    out = tmp_path / "out"
    rows = run(out, extra=str(tmp_path / "own.jsonl"), keep_originals=kept)
    docs = zlib.decompress((out / "train.spacy").read_bytes())
    for data in ((out / "train.jsonl").read_bytes(), docs):
        text = data.decode("utf8", "replace").lower()
        found = {secret for secret in SECRETS if secret.lower() in text}
        assert found >= {CANARY, PLACE} if kept else not found
    assert sum(row["text"].startswith(("Hej ", "tack ", "bor ")) for row in rows) >= 30


def test_script_mixes_in_natural_messages(tmp_path):
    natural = tmp_path / "natural"
    write(natural, "singles", "\n---\n".join(f"hej [[PERSON|Anna]] nr {n}" for n in range(60)))
    write(natural, "conversations", "@patient\nhej [[PERSON|Bo]]\n@caregiver\nHej [[PERSON|bo]]")
    out = tmp_path / "out"
    rows = run(out, natural=str(natural), natural_share=0.4)
    whole = [row for row in rows if row["id"].startswith("train-natural-")]
    assert len(rows) == 120 and 46 <= len(whole) <= 48
    # Mixed, not one after the other.
    places = [n for n, row in enumerate(rows) if row in whole]
    assert places[0] < 20 and places[-1] > 100
    dev = [row["id"] for row in read_messages(out / "dev.jsonl")]
    held = {name.split("/", 1)[1] for name in dev if name.startswith("dev-natural/")}
    assert held and not held & {row["id"].split("/", 1)[1] for row in whole}
    assert not any("natural" in row["id"] for row in read_messages(out / "test.jsonl"))
