"""What makes an entity of the output look like an original that was missed."""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Sequence
from statistics import median

import numpy as np

from components.text.casing import fold
from lab.attack.leaks import Item
from lab.measures.surrogate_mentions import get_digits
from lab.surrogate_checks.calendar import read_age, read_date
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.traces import get_telling_words

TRAITS = ("rarity", "seldom", "number series", "later than others", "heaping", "form")
# What is set aside: phone numbers for fiction (PTS), test personnummer (Skatteverket), domains for
# examples (RFC 2606).
PHONES = re.compile(r"701740(?:60[5-9]|6[1-9]\d)|313900(?:6\d\d)|4062804\d\d|84650040\d|8465004\d\d|9803192\d\d")  # fmt: skip
PIDS = re.compile(r"\d{6}(?:23[89]|98\d)\d")
DOMAINS = re.compile(r"@(?:[\w-]+\.)*example(?:\.\w+)?$|\.example$", re.IGNORECASE)
RARE = "3"
PRESENT = range(2008, dt.date.today().year + 10)
WORDS = ("PERSON", "LOCATION", "ORGANISATION")


def describe(items: Sequence[Item], known: Known) -> np.ndarray:
    """Describe the entities of an output.

    items (Sequence[Item]): The entities.
    known (Known): The lists, which are public.
    RETURNS (np.ndarray): The `TRAITS` of each, 0 where one says nothing, shape (items, traits).
    """
    told = [_get_value(item, known) for item in items]
    conversations: dict[str, set[str]] = defaultdict(set)
    for item, value in zip(items, told):
        conversations[value].add(item.conversation)
    years = _read_years(items)
    usual = median([year for year in years if year is not None] or [0])
    rows = []
    for item, value, year in zip(items, told, years):
        rows.append(
            [
                _get_rarity(item, known),
                -np.log(len(conversations[value])),
                _get_series(item),
                0.0 if year is None else year - usual,
                _get_heaping(item),
                _get_form(item),
            ]
        )
    return np.array(rows, dtype="f8")


def _get_value(item: Item, known: Known) -> str:
    label, text, _ = item.shown
    return f"{label} {' '.join(get_telling_words(label, text, known)) or fold(text)}"


def _get_rarity(item: Item, known: Known) -> float:
    """How rare the words are: the share that the lists call rare, and twice that of those that they do
    not have."""
    label, text, _ = item.shown
    if label not in WORDS:
        return 0.0
    words = [known.get_base(word) for word in get_telling_words(label, text, known)]
    return sum(_get_rank(word, label, known) for word in words) / len(words) if words else 0.0


def _get_rank(word: str, label: str, known: Known) -> float:
    if label == "PERSON":
        rows = [*known.first_names.get(word, ()), *known.surnames.get(word, ())]
        if not rows:
            return 1.0 if word in known.names_of else 2.0
        return 1.0 if {row.get("common") for row in rows} == {RARE} else 0.0
    in_lists = word in known.places or word in known.organisations or word in known.ordinary
    return 0.0 if in_lists else 2.0


def _get_series(item: Item) -> float:
    """Whether a number or an address is of none of the series that are set aside."""
    label, text, _ = item.shown
    if label == "PHONE":
        return float(not PHONES.fullmatch(get_digits(text)))
    if label == "PID":
        return float(not PIDS.fullmatch(get_digits(text)))
    return float(label == "EMAIL" and not DOMAINS.search(text))


def _read_years(items: Sequence[Item]) -> list[int | None]:
    """Of dates of our days, which are no births."""
    reads = [read_date(item.shown.text) if item.shown.label == "DATE" else None for item in items]
    return [read.year if read and read.year in PRESENT else None for read in reads]


def _get_heaping(item: Item) -> float:
    """Whether people round to it: ages that end in 0 or 5, the first and the middle of a month."""
    label, text, _ = item.shown
    if label == "AGE":
        age = read_age(text)
        return float(age is not None and age.value % 5 == 0)
    if label == "DATE":
        date = read_date(text)
        return float(date is not None and date.day in (1, 15))
    return 0.0


def _get_form(item: Item) -> float:
    """How many characters there are, in logarithms: the surrogates of a class may be longer."""
    return float(np.log(len(item.shown.text)))
