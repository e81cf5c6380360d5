"""Columns beside the texts, which are copied as they are: what of them is replaced in the texts, or is a
number or an address by its form. Nothing of a cell is kept but counts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from spacy.tokens import Doc

from ..shared.labels import NAMES
from ..tables.source import BESIDE, FIELD
from ..tables.times import is_time
from ..text.cleaning.clean import clean_text
from ..text.numbers import read_phone
from ..text.spreadsheet import LARGEST, read_shown
from ..text.validators import digits_of, is_personnummer, is_phone

CELLS, FOUND, FORM = "cells", "found", "form"
# So many of a column's cells are of a form before all of them count as such.
MOST = 0.5
# Cells with more words are prose, in which only a word with a capital is a name.
SHORT = 5
PERSON = "PERSON"
# The least letters and digits of a value that stands for somebody, and of a name beside other words.
SHORTEST, SHORTEST_NAME = 4, 3
LONGEST_KEY = 100
# What is compared by its digits.
NUMBERS = ("PID", "PHONE", "DATE")
# A form, too, but no class: it is reported only where dates are replaced in the texts.
TIME = "TIME"
WORD = re.compile(r"[^\W_]+")
# The name of a field inside a field, or of what stands in a list.
NESTED = re.compile(rf"{FIELD.pattern}(?:\[\*\]|\.{FIELD.pattern})+")
PID = re.compile(r"\d{6,8}\s?[-+]?\s?\d{4}")
PHONE = re.compile(r"[+0][\d\s()/-]{6,}")
# What a spreadsheet has taken for a number, without its zeros in front.
NO_ZERO_PID = re.compile(r"\d{8,9}")
NO_ZERO_PHONE = re.compile(r"7[02369]\d{7}")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w{2,}")


class Found:
    """What was found in the texts of a conversation, to be compared with cells.

    values (Iterable[tuple[str, str]]): Pairs of label and value. Ages, which many share, are left out.
    """

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        self._keys: dict[str, set[str]] = {}
        self._names: dict[str, set[frozenset[str]]] = {}
        for label, value in values:
            if label == "AGE":
                continue
            if key := _get_key(label, value):
                self._keys.setdefault(label, set()).add(key)
            if label in NAMES and (words := frozenset(_read_words(value))):
                self._names.setdefault(label, set()).add(words)
        self._words = {label: frozenset().union(*names) for label, names in self._names.items()}

    def find(self, cell: str) -> set[str]:
        """The labels of what was found that stands in a cell, too."""
        read: dict[str, str] = {}
        labels = set()
        for label, keys in self._keys.items():
            kind = label if label in NUMBERS else ""
            if kind not in read:
                read[kind] = _get_key(kind, cell)
            if read[kind] in keys:
                labels.add(label)
        if len(labels) < len(self._keys.keys() | self._names) and self._names:
            words = frozenset(_read_words(cell))
            labels |= {
                label
                for label, names in self._names.items()
                if label not in labels and self._holds(words, names, self._words[label])
            }
        return labels

    def _holds(
        self, words: frozenset[str], names: set[frozenset[str]], all_words: frozenset[str]
    ) -> bool:
        if not any(len(word) >= SHORTEST_NAME and word.isalpha() for word in words):
            # `Bo`, of `Bo Ekdahl`; not `12`, of `Storgatan 12`.
            is_part = bool(words) and all(map(str.isalpha, words))
            return words in names or (is_part and any(words <= name for name in names))
        # `Anna Lindgren`, of whom the texts call the parts; or more than what they call.
        return words <= all_words or any(
            name <= words and any(len(word) >= SHORTEST_NAME and word.isalpha() for word in name)
            for name in names
        )


def find_values(doc: Doc) -> Iterator[tuple[str, str]]:
    """doc (Doc): A processed message.
    YIELDS (tuple[str, str]): Label and value of what is replaced in it.
    """
    if doc._.failed is None and doc._.withheld is None:
        for entry in doc._.replacements or ():
            if not entry.get("kept"):
                yield entry["label"], clean_text(doc.text[entry["start"] : entry["end"]]).text


def count_cells(columns: dict[str, Counter[str]], fields: Mapping[str, Any], found: Found) -> None:
    """Count what the columns of a row hold."""
    counted: dict[str, set[str]] = {}
    people: list[frozenset[str]] = []
    others: list[tuple[str, str]] = []
    for name, cell in iter_cells(fields):
        kinds = counted.setdefault(name, {CELLS})
        labels = found.find(cell)
        if form := get_form(cell, name):
            kinds.add(f"{FORM} {form}")
            # Of an address, the name in it goes without saying.
            labels &= {form} if form != TIME else {"DATE"}
        if PERSON in labels and (words := read_full_name(cell)):
            people.append(words)
        elif PERSON not in labels:
            others.append((name, cell))
        kinds.update(f"{FOUND} {label}" for label in labels)
    if people:
        # `Anna` beside `Anna Lindgren`, whom the texts call Lindgren.
        for name, cell in others:
            words = frozenset(_read_words(cell))
            if words and any(words <= person for person in people):
                counted[name].add(f"{FOUND} {PERSON}")
    for name, kinds in counted.items():
        columns.setdefault(name, Counter()).update(kinds)


def find_copied(
    columns: Mapping[str, Counter[str]], has_dates: bool = False
) -> dict[str, list[str]]:
    """Tell which columns hold what should not be copied.

    has_dates (bool): Whether dates are replaced in the texts, so that a column of times tells of them.
    RETURNS (dict[str, list[str]]): By column the classes that it holds, and TIME.
    """
    copied = {}
    for name, counts in sorted(columns.items()):
        labels = {
            label
            for kind, label in (key.split(" ", 1) for key in counts if key != CELLS)
            if kind == FOUND or counts[f"{FORM} {label}"] >= MOST * counts[CELLS]
        }
        if not has_dates or name.startswith(BESIDE):
            labels.discard(TIME)
        elif TIME in labels:
            labels.discard("DATE")
        if labels:
            copied[name] = sorted(labels)
    return copied


def write_concerns(
    copied: Mapping[str, Iterable[str]],
    way: str = "--text-field {!r} beside that of the text",
    time_way: str = "have it moved by as much (--time-field {!r})",
) -> list[str]:
    """Write a sentence for people on each such column.

    way (str): The option by which a column is read as a text, with a place for its name.
    time_way (str): What moves a column of times, with a place for its name.
    """
    said = []
    for name, labels in copied.items():
        if name.startswith(BESIDE):
            what = name.removeprefix(BESIDE)
            said.append(
                f"The {what} of the workbook are copied as they are, and hold {', '.join(labels)}: change "
                "them, or take them out."
            )
            continue
        if TIME in labels:
            said.append(
                f"Column {name!r} is copied as it is, and holds times, while dates in the texts are "
                f"replaced: one date that is known beside its time tells them all. "
                f"{time_way.format(name).capitalize()}, or leave it out."
            )
        labels = [label for label in labels if label != TIME]
        if not labels:
            continue
        shown, more = way.format(name), ""
        if NESTED.fullmatch(name):
            # Only JSON has paths.
            is_option = way.startswith("--")
            shown = f"in JSON {way.format(write_nested(name))}" if is_option else shown
            more = ", make it a column of its own" if is_option else " as a column of its own"
        said.append(
            f"Column {name!r} is copied as it is, and holds {', '.join(labels)}: have it read as a text, too "
            f"({shown}){more}, or leave it out."
        )
    return said


def write_nested(name: str) -> str:
    """Write the path of a field inside a field."""
    return name if "[" in name else f"$.{name}"


def find_nested(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Find the paths at which words stand deeper than in a column, and how many characters."""
    lengths: Counter[str] = Counter()
    for values in rows:
        for name, cell in iter_cells(values):
            if NESTED.fullmatch(name):
                lengths[write_nested(name)] += len(cell)
    return dict(lengths.most_common())


def read_full_name(cell: str) -> frozenset[str]:
    """Read a cell that is a name and nothing else.

    RETURNS (frozenset[str]): The words of the name; none of any other cell.
    """
    words = WORD.findall(cell)
    is_name = 1 < len(words) <= SHORT and all(word[0].isupper() for word in words)
    return frozenset(_read_words(cell)) if is_name else frozenset()


def get_form(cell: str, column: str = "") -> str:
    """Tell whether a cell is a PID, PHONE, EMAIL or TIME and nothing else; empty if not."""
    cell = cell.strip()
    if PID.fullmatch(cell) and is_personnummer(cell):
        return "PID"
    if PHONE.fullmatch(cell) and is_phone(cell):
        return "PHONE"
    if EMAIL.fullmatch(cell):
        return "EMAIL"
    if is_time(cell, column):
        return TIME
    if NO_ZERO_PHONE.fullmatch(cell) and is_phone(f"0{cell}"):
        return "PHONE"
    padded = cell.zfill(10)
    return "PID" if NO_ZERO_PID.fullmatch(cell) and is_personnummer(padded) else ""


def _get_key(label: str, value: str) -> str:
    """The same for the same value in other forms; empty where it tells nothing."""
    if len(value) > LONGEST_KEY:
        return ""
    if label not in NUMBERS:
        key = "".join(WORD.findall(value)).casefold()
        return key if len(key) >= SHORTEST else ""
    digits = digits_of(value)
    if any(char.isalpha() for char in value) or not digits:
        return ""
    if label == "PHONE":
        number = read_phone(value).digits
        return number if len(number) >= 6 else ""
    if label == "PID":
        if value.isdecimal() and len(digits) in (8, 9):
            digits = digits.zfill(10)  # a spreadsheet takes zeros in front away
        return digits[-10:] if len(digits) in (10, 12) else ""
    return digits[-6:] if len(digits) in (6, 8) else ""


def _read_words(text: str) -> Iterator[str]:
    """The words of a name, without genitives."""
    words = WORD.findall(text)
    if len(words) > SHORT:
        words = [word for word in words if word[0].isupper()]
    for word in words:
        word = word.casefold()
        if len(word) > 1:
            yield word[:-1] if word.endswith("s") and len(word) > SHORTEST_NAME else word


def iter_cells(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What columns hold, with what is in lists and objects. Of these a key is named where it is that of
    a field; any other is looked at as data is."""
    stack: list[tuple[str, Any]] = [*fields.items()]
    while stack:
        name, value = stack.pop()
        if isinstance(value, Mapping):
            for key, inner in value.items():
                key = str(key)
                if FIELD.fullmatch(key):
                    stack.append((f"{name}.{key}", inner))
                else:
                    stack += [(f"{name}.…", inner), (f"{name}.…", key)]
        elif isinstance(value, (list, tuple)):
            stack += [(f"{name}[*]", inner) for inner in value]
        elif isinstance(value, str):
            for shown in read_shown(value):
                yield name, shown
        elif isinstance(value, date):
            yield name, value.isoformat()
        elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
            # pandas makes floats of integers among which some are missing.
            number = Decimal(value)
            if number.is_finite() and number.adjusted() < LARGEST and number == int(number):
                yield name, str(int(number))
