"""What holds for every conversation, whatever it is about."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import pytest
from babel.dates import get_month_names
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from stdnum import luhn

from components.surrogates.surrogate_generator import SurrogateGenerator
from components.text.casing import fold
from components.vault import Vault
from tests.cases import check_replaced
from tests.surrogates.hand_lists import FIRST, KEY, LISTS, SURNAMES, make_doc, make_generator

MONTHS = {number: name for number, name in get_month_names("wide", locale="sv").items()}
GENDER = {fold(name): key[0] for key, names in FIRST.items() for name in names.split()}
KNOWN = {fold(row["name"]) for key in ("first_names", "surnames", "places") for row in LISTS[key]}
# Names that are a first name or a surname, whoever reads them, and take a genitive s.
BOTH = {*" ".join(FIRST.values()).split()} & {*" ".join(SURNAMES.values()).split()}
FIRSTS = [
    name
    for (gender, origin), names in FIRST.items()
    for name in names.split()
    if gender != "n" and origin == "sv" and name not in BOTH and not name.endswith("s")
]
LASTS = [name for name in SURNAMES["sv"].split() if name not in BOTH]
TOWNS = ["Lund", "Ystad", "Landskrona", "Eslöv", "Trelleborg", "Helsingborg"]
STREETS = ["Storgatan", "Ringvägen", "Skolgatan", "Kyrkovägen"]

CONVERSATIONS = settings(suppress_health_check=[HealthCheck.too_slow])


class Mention(NamedTuple):
    """A piece of PHI, with what it is."""

    text: str
    label: str
    entity: object


def write_person(first: str, last: str, form: str) -> str:
    return {
        "full": f"{first} {last}", "first": first, "genitive": f"{first}s", "title": f"dr {last}",
        "comma": f"{last}, {first}", "lower": f"{first} {last}".lower(),
        "upper": f"{first} {last}".upper(), "small": first.lower(),
    }[form]  # fmt: skip


FORMS = ["full", "first", "genitive", "title", "comma", "lower", "upper", "small"]
PHONES = ["07{} {} {} {}", "07{}{}{}{}", "07{}-{} {} {}", "+467{}{}{}{}", "00467{} {}{}{}"]
PIDS = ["{}-{}", "{}{}", "{} {}", "19{}-{}", "19{}{}"]
DATES = ["{0:%Y-%m-%d}", "{0.day} {1} {0.year}", "{0.day}/{0.month} {0.year}", "den {0:%Y%m%d}"]


def write_pid(birth: date, serial: int, form: str) -> str:
    digits = f"{birth:%y%m%d}{serial:03d}"
    return form.format(digits[:6], digits[6:] + luhn.calc_check_digit(digits))


@st.composite
def conversations(draw: st.DrawFn) -> list[list[Mention]]:
    """A few people, numbers, dates and places, strewn over a few messages in all spellings."""
    firsts = draw(st.lists(st.sampled_from(FIRSTS), min_size=1, max_size=4, unique=True))
    people = [(first, draw(st.sampled_from(LASTS))) for first in firsts]
    phones = draw(st.lists(st.integers(0, 9_999_999), max_size=3, unique=True))
    births = st.dates(date(1940, 1, 1), date(1999, 12, 31))
    pids = draw(
        st.lists(st.tuples(births, st.integers(1, 979)), max_size=3, unique_by=lambda p: p[0])
    )
    dates = draw(st.lists(st.dates(date(2015, 1, 1), date(2026, 1, 1)), max_size=4, unique=True))
    mentions = [
        Mention(write_person(*person, form), "PERSON", person)
        for person in people
        for form in draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=4))
    ]
    for number in phones:
        digits = f"{number:07d}"
        # 070, 072, 073 and 076 are mobiles.
        parts = ("0236"[number % 4], digits[:3], digits[3:5], digits[5:])
        for form in draw(st.lists(st.sampled_from(PHONES), min_size=1, max_size=3)):
            mentions.append(Mention(form.format(*parts), "PHONE", number))
    for pid in pids:
        for form in draw(st.lists(st.sampled_from(PIDS), min_size=1, max_size=3)):
            mentions.append(Mention(write_pid(*pid, form), "PID", pid))
    for day in dates:
        form = draw(st.sampled_from(DATES))
        text = form.format(day, MONTHS[day.month]).removeprefix("den ")
        mentions.append(Mention(text, "DATE", day))
    for town in draw(st.lists(st.sampled_from(TOWNS), max_size=3, unique=True)):
        for form in draw(st.lists(st.sampled_from(["{}", "{}s"]), min_size=1, max_size=2)):
            mentions.append(Mention(form.format(town), "LOCATION", town))
    for street in draw(st.lists(st.sampled_from(STREETS), max_size=2, unique=True)):
        number = draw(st.integers(1, 90))
        mentions.append(Mention(f"{street} {number}", "LOCATION", street))
    for first, last in people:
        if draw(st.booleans()):
            address = f"{first}.{last}@telia.com".lower()
            mentions.append(Mention(address, "EMAIL", (first, last)))
    mentions = draw(st.permutations(mentions))
    size = draw(st.integers(1, 6))
    return [mentions[i : i + size] for i in range(0, len(mentions), size)]


def make_docs(messages: Sequence[Sequence[Mention]], conversation: str = "c") -> list[Doc]:
    return [
        make_doc(
            "Hej! " + " och ".join(f"[{m.text}|{m.label}]" for m in message) + " tack 😊",
            conversation=conversation,
        )
        for message in messages
    ]


@pytest.fixture(scope="module")
def generator() -> SurrogateGenerator:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        return make_generator()


@pytest.fixture(scope="module")
def replace(generator):
    """Replace a conversation, and pair each mention with its replacement."""

    def _replace(messages: list[list[Mention]]) -> list[tuple[Mention, str]]:
        docs = make_docs(messages)
        generator.replace_conversation(docs)
        return [
            (mention, entry["replacement"])
            for message, doc in zip(messages, docs, strict=True)
            for mention, entry in zip(message, doc._.replacements, strict=True)
        ]

    return _replace


def get_digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def get_number(text: str) -> str:
    """A phone number however it is written."""
    return get_digits(text).removeprefix("00").removeprefix("46").removeprefix("0")


def strip_genitive(text: str) -> str:
    """A folded name without its genitive s: `Lars` keeps the one of its own."""
    return text if text in KNOWN else text.removesuffix("s")


def get_name(mention: Mention, replacement: str) -> list[tuple[str, str, str]]:
    """The parts of a replaced name: role, original, surrogate."""
    parts = []
    before = mention.text.removeprefix("dr ").replace(",", "").split()
    after = replacement.removeprefix("dr ").replace(",", "").split()
    for old, new in zip(before, after, strict=True):
        name = strip_genitive(fold(old))
        role = "first" if name == fold(mention.entity[0]) else "last"
        parts.append((role, name, strip_genitive(fold(new))))
    return parts


@CONVERSATIONS
@given(conversations())
def test_one_entity_one_surrogate_and_the_other_way_round(replace, messages):
    pairs = replace(messages)
    parts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for mention, new in pairs:
        if mention.label == "PERSON":
            for role, before, after in get_name(mention, new):
                parts[role][before].add(after)
        elif mention.label == "PHONE":
            parts["PHONE"][get_number(mention.text)].add(get_number(new))
        elif mention.label == "PID":
            parts["PID"][get_digits(mention.text)[-10:]].add(get_digits(new)[-10:])
        elif mention.label == "LOCATION":
            parts["LOCATION"][mention.entity].add(strip_genitive(fold(new)))
        else:
            parts[mention.label][mention.text].add(new)
    for role, surrogates in parts.items():
        for after in surrogates.values():
            assert len(after) == 1, role
        chosen = [after for values in surrogates.values() for after in values]
        if role != "DATE":
            assert len(set(chosen)) == len(chosen), role


@CONVERSATIONS
@given(conversations(), st.randoms(use_true_random=False))
def test_nothing_is_left_and_all_comes_back_in_any_order(generator, messages, random):
    docs, others = make_docs(messages), make_docs(messages)
    generator.replace_conversation(docs)
    generator.replace_conversation(random.sample(others, len(others)))
    assert [doc._.deidentified for doc in others] == [doc._.deidentified for doc in docs]
    assert [doc._.replacements for doc in others] == [doc._.replacements for doc in docs]
    whole = " ".join(fold(doc._.deidentified) for doc in docs)
    # A date may move to where another one was.
    for mention in (m for message in messages for m in message if m.label != "DATE"):
        text = fold(mention.text.removeprefix("dr "))
        assert not re.search(rf"(?<!\w){re.escape(text)}(?!\w)", whole), mention.label
    vault = Vault(Vault.new_key())
    for doc in docs:
        out, places = doc._.deidentified, [(e["start"], e["end"]) for e in doc._.replacements]
        assert places == [(ent.start_char, ent.end_char) for ent in doc.ents]
        check_replaced(doc.text, out, doc._.replacements)
        assert vault.restore(out, vault.seal(doc)).encode("utf8") == doc.text.encode("utf8")


def get_shape(text: str) -> str:
    return re.sub(r"\d", "0", text)


@CONVERSATIONS
@given(conversations())
def test_format_is_kept(replace, messages):
    for mention, new in replace(messages):
        old = mention.text
        if mention.label == "PERSON":
            letters = [re.sub(r"[^\W\d_]", "x", re.sub(r"\w+", "w", text)) for text in (old, new)]
            assert letters[0] == letters[1]
            assert (old.islower(), old.isupper()) == (new.islower(), new.isupper())
            for role, before, after in get_name(mention, new):
                assert role == "last" or GENDER[after] == GENDER[before]
        elif mention.label == "PHONE":
            assert get_shape(new) == get_shape(old)
        elif mention.label == "PID":
            assert get_shape(new) == get_shape(old)
            digits = get_digits(new)[-10:]
            assert luhn.is_valid(digits)
            assert int(digits[8]) % 2 == int(get_digits(old)[-2]) % 2
        elif mention.label == "EMAIL":
            assert re.fullmatch(r"[a-z.]+@[a-z.]*example[a-z.]*", new)
        elif mention.label == "LOCATION":
            assert old[0].isupper() == new[0].isupper()
            assert bool(get_digits(old)) == bool(get_digits(new))


def parse_date(text: str) -> date:
    for number, name in MONTHS.items():
        text = text.replace(f" {name} ", f"/{number} ")
    if "/" in text:
        day, month, year = map(int, re.split("[/ ]", text))
        return date(year, month, day)
    digits = text.replace("-", "")
    return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))


@CONVERSATIONS
@given(conversations())
def test_dates_keep_order_and_distance(replace, messages):
    shifts = set()
    for mention, new in replace(messages):
        if mention.label == "DATE":
            forms = [re.sub(r"[^\W\d_]+", "m", text) for text in (new, mention.text)]
            assert len({re.sub(r"\d+", "0", form) for form in forms}) == 1
            shifts.add((parse_date(new) - mention.entity).days)
    assert len(shifts) < 2
    assert not any(shift == 0 or shift % 7 for shift in shifts)
