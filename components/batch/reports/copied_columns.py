"""Columns beside the texts, which are copied as they are: what of them is replaced in the texts, or is a
number or an address by its form. Nothing of a cell is kept but counts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from spacy.tokens import Doc

from ...cleaning.clean import clean_text
from ...labels import NAMES
from ...swedish.phone_numbers import read_phone
from ...swedish.validators import digits_of, is_personnummer, is_phone

CELLS, FOUND, FORM = "cells", "found", "form"
# So many of a column's cells are of a form before all of them count as such.
MOST = 0.5
# Cells with more words are prose, in which only a word with a capital is a name.
SHORT = 5
# The least letters and digits of a value that stands for somebody, and of a name beside other words.
SHORTEST, SHORTEST_NAME = 4, 3
LONGEST_KEY = 100
# What is compared by its digits.
NUMBERS = ("PID", "PHONE", "DATE")
# More digits than any number that stands for somebody.
LARGEST = 15
WORD = re.compile(r"[^\W_]+")
PID = re.compile(r"\d{6,8}\s?[-+]?\s?\d{4}")
PHONE = re.compile(r"[+0][\d\s()/-]{6,}")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w{2,}")
# What a program calls a field. Any other name may be data.
FIELD = re.compile(r"[a-z][A-Za-z0-9_]*")


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
            return words in names
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
    for name, cell in iter_cells(fields):
        kinds = counted.setdefault(name, {CELLS})
        labels = found.find(cell)
        if form := get_form(cell):
            kinds.add(f"{FORM} {form}")
            # Of an address, the name in it goes without saying.
            labels &= {form}
        kinds.update(f"{FOUND} {label}" for label in labels)
    for name, kinds in counted.items():
        columns.setdefault(name, Counter()).update(kinds)


def find_copied(columns: Mapping[str, Counter[str]]) -> dict[str, list[str]]:
    """Tell which columns hold what should not be copied."""
    copied = {}
    for name, counts in sorted(columns.items()):
        labels = {
            label
            for kind, label in (key.split(" ", 1) for key in counts if key != CELLS)
            if kind == FOUND or counts[f"{FORM} {label}"] >= MOST * counts[CELLS]
        }
        if labels:
            copied[name] = sorted(labels)
    return copied


def write_concerns(
    copied: Mapping[str, Iterable[str]], way: str = "--text-field {!r} beside that of the text"
) -> list[str]:
    """Write a sentence for people on each such column.

    copied (Mapping[str, Iterable[str]]): What `find_copied` found.
    way (str): The option by which a column is read as a text, with a place for its name.
    RETURNS (list[str]): The sentences.
    """
    said = []
    for name, labels in copied.items():
        # Of a field inside a field no option is.
        first = "make it a column of its own and " if "." in name else ""
        said.append(
            f"Column {name!r} is copied as it is, and holds {', '.join(labels)}: {first}have it read as a "
            f"text, too ({way.format(name)}), or leave it out."
        )
    return said


def get_form(cell: str) -> str:
    """Tell whether a cell is a PID, PHONE or EMAIL and nothing else; empty if not."""
    cell = cell.strip()
    if PID.fullmatch(cell) and is_personnummer(cell):
        return "PID"
    if PHONE.fullmatch(cell) and is_phone(cell):
        return "PHONE"
    return "EMAIL" if EMAIL.fullmatch(cell) else ""


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
            stack += [(name, inner) for inner in value]
        elif isinstance(value, str):
            if value.strip():
                yield name, value
        elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
            # pandas makes floats of integers among which some are missing.
            number = Decimal(value)
            if number.is_finite() and number.adjusted() < LARGEST and number == int(number):
                yield name, str(int(number))
