"""The rule script of the thesis, by which its authors annotated their messages before they went
through them by hand.

Arvidsson and Gerle (2022): De-identification of Swedish medical chat messages with transformers,
section 4.3.1. Where the thesis is silent:
- Its tokens are taken to be what stands between white space, as its examples are (it tags the token
  `Personnummer:170101-2393` whole), here without the punctuation at their ends.
- Names are taken as they are written in the lists. Those of Statistics Sweden with the hundred most
  frequent ones are replaced by the first ones of the project's lists, which are sorted alike; names
  that are words are among them, as nothing is said of them. Towns whose names are words are not: the
  thesis left them out.
- Tokens of one class with nothing but white space between them are one span.
- Of the three tokens of a phone number, each has a digit and nothing but digits, `+` and `-`; a
  number in one or two tokens counts as well.
- The name of the customer, which is all that it knows of organisations, is for the user to give.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import srsly
from stdnum import luhn

from components.lists.lists import Lists, read_lists
from components.measures.gold import Row
from components.measures.spans import CharSpan
from lab.systems.base import System

N_NAMES = 100
MONTHS = [
    "januari",
    "februari",
    "mars",
    "april",
    "maj",
    "juni",
    "juli",
    "augusti",
    "september",
    "oktober",
    "november",
    "december",
]
WORD = re.compile(r"\S+")
EDGES = ".,;:!?()[]{}<>\"'”“’*…"
NUMBER = re.compile(r"[+\d-]*\d[+\d-]*")
DATE = re.compile(r"\d\d-\d\d-\d{4}|\d{4}-\d\d-\d\d|\d\d/\d\d-\d\d")
POSTAL_CODE = re.compile(r"(\d{3}) ?(\d\d)")
NO_DIGIT = re.compile(r"[^0-9]")
FILE = "lists.json"

Places = tuple[int, ...]
"""Which tokens of a message are tagged together."""


class Word(NamedTuple):
    """A token, and where it stands."""

    text: str
    start: int
    end: int


class ThesisRules(System):
    """The rules; there is nothing to learn."""

    seeded = False

    def __init__(self, lists: Path, customers: Sequence[str] = ()) -> None:
        """Create the rules.

        lists (Path): The folder of the project's word lists.
        customers (Sequence[str]): Names of the organisations whose messages these are.
        """
        self.lists = lists
        self.customers = [name.lower() for name in customers]
        self.names: set[str] = set()
        self.towns: set[str] = set()
        self.codes: set[str] = set()

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        """Read the lists."""
        lists = read_lists(str(self.lists))
        self.names = gather_names(lists)
        self.towns, self.codes = gather_towns(lists)

    def to_disk(self, folder: Path) -> None:
        sets = {"names": self.names, "towns": self.towns, "codes": self.codes}
        srsly.write_json(folder / FILE, {name: sorted(values) for name, values in sets.items()})

    def from_disk(self, folder: Path) -> None:
        for name, values in srsly.read_json(folder / FILE).items():
            setattr(self, name, set(values))

    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> list[CharSpan]:
        words = split(text)
        labels = [""] * len(words)
        # In the order of the thesis, but for PID, which comes before PHONE: what is tagged stays.
        rules: Mapping[str, Callable[[Sequence[Word]], Iterable[Places]]] = {
            "PERSON": self._get_names,
            "LOCATION": self._get_places,
            "ORGANISATION": self._get_organisations,
            "EMAIL": get_emails,
            "AGE": get_ages,
            "PID": get_pids,
            "PHONE": get_phones,
            "DATE": get_dates,
        }
        for label, rule in rules.items():
            for places in rule(words):
                if not any(labels[place] for place in places):
                    for place in places:
                        labels[place] = label
        return join(text, words, labels)

    def _get_names(self, words: Sequence[Word]) -> Iterable[Places]:
        return ((i,) for i, word in enumerate(words) if word.text in self.names)

    def _get_places(self, words: Sequence[Word]) -> Iterable[Places]:
        for i, word in enumerate(words):
            low = word.text.lower()
            road = "vägen" in low and "bättrings" not in low
            if (
                word.text in self.towns
                or road
                or ("gatan" in low and len(low) > 6)
                or self._is_code(word.text)
            ):
                yield (i,)
            elif i + 1 < len(words) and self._is_code(f"{word.text} {words[i + 1].text}"):
                yield (i, i + 1)

    def _is_code(self, text: str) -> bool:
        # Of the postal codes, the project's list knows the first three digits.
        code = POSTAL_CODE.fullmatch(text)
        return code is not None and code[1] in self.codes

    def _get_organisations(self, words: Sequence[Word]) -> Iterable[Places]:
        for i, word in enumerate(words):
            if any(name in word.text.lower() for name in self.customers):
                yield (i,)


def gather_names(lists: Lists) -> set[str]:
    """Choose the most frequent names.

    lists (Lists): The project's lists; names are in the order of their frequency.
    RETURNS (set[str]): A hundred first names of women, as many of men, and as many surnames.
    """
    chosen: set[str] = set()
    for gender in ("f", "m"):
        names = [row["name"] for row in lists["first_names"] if row["gender"] == gender]
        chosen.update(names[:N_NAMES])
    return chosen | {row["name"] for row in lists["surnames"][:N_NAMES]}


def gather_towns(lists: Lists) -> tuple[set[str], set[str]]:
    """Gather what has a postal code.

    lists (Lists): The project's lists.
    RETURNS (tuple[set[str], set[str]]): The towns, without those that are words, too; and the first
        three digits of the codes.
    """
    words = {row["name"] for row in lists["places"] if row["ambiguous"]}
    towns: set[str] = set()
    codes: set[str] = set()
    for row in lists.get("postal", ()):
        towns.add(row["town"])
        for codes_of in row["codes"].split(","):
            first, _, last = codes_of.partition("-")
            codes.update(str(code) for code in range(int(first), int(last or first) + 1))
    return towns - words, codes


def split(text: str) -> list[Word]:
    """Split a text at white space.

    text (str): The text.
    RETURNS (list[Word]): Its words, without punctuation at their ends.
    """
    words = []
    for match in WORD.finditer(text):
        bare = match[0].strip(EDGES)
        if bare:
            start = match.start() + match[0].index(bare)
            words.append(Word(bare, start, start + len(bare)))
    return words


def get_emails(words: Sequence[Word]) -> Iterable[Places]:
    return ((i,) for i, word in enumerate(words) if "@" in word.text)


def get_ages(words: Sequence[Word]) -> Iterable[Places]:
    for i, (text, _, _) in enumerate(words):
        is_, number = (words[i - 2].text, words[i - 1].text) if i > 1 else ("", "")
        if "-årig" in text:
            yield (i,)
        elif "år" in text and number.isdigit() and is_ == "är":
            yield (i - 1, i)


def get_pids(words: Sequence[Word]) -> Iterable[Places]:
    return ((i,) for i, word in enumerate(words) if is_pid(word.text))


def is_pid(text: str) -> bool:
    """text (str): A token.
    RETURNS (bool): Whether its digits, whatever else it holds, are a personnummer's by Luhn's
        algorithm (section 4.3.1.8).
    """
    digits = get_digits(text)
    return len(digits) in (10, 12) and luhn.is_valid(digits[-10:])


def get_digits(text: str) -> str:
    return NO_DIGIT.sub("", text)


def get_phones(words: Sequence[Word]) -> Iterable[Places]:
    """words (Sequence[Word]): The tokens of a message.
    YIELDS (Places): Up to three tokens that are ten or twelve digits together, unless they are a
        personnummer: the longest such runs, none within another.
    """
    numeric = [NUMBER.fullmatch(word.text) is not None for word in words]
    i = 0
    while i < len(words):
        for length in (3, 2, 1):
            places = tuple(range(i, min(i + length, len(words))))
            joined = "".join(words[place].text for place in places)
            fits = len(get_digits(joined)) in (10, 12)
            if fits and all(numeric[place] for place in places):
                yield places
                i += length
                break
        else:
            i += 1


def get_dates(words: Sequence[Word]) -> Iterable[Places]:
    for i, word in enumerate(words):
        if word.text.lower() in MONTHS or DATE.fullmatch(word.text):
            yield (i,)


def join(text: str, words: Sequence[Word], labels: Sequence[str]) -> list[CharSpan]:
    """Join what stands side by side.

    text (str): A message.
    words (Sequence[Word]): Its tokens.
    labels (Sequence[str]): Their classes, empty for none.
    RETURNS (list[CharSpan]): The spans.
    """
    spans: list[CharSpan] = []
    for word, label in zip(words, labels):
        if not label:
            continue
        start, end, before = spans[-1] if spans else (0, 0, "")
        if label == before and text[end : word.start].isspace():
            spans[-1] = (start, word.end, label)
        else:
            spans.append((word.start, word.end, label))
    return spans
