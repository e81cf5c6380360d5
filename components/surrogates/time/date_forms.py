"""How dates are written: reading them, and writing others in the same form."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ...text.casing import fold, like_case
from ..core.number_words import ORDINALS, read_number, read_year, spell_like
from .clock import get_recent
from .date_patterns import (
    LOOSE,
    MONTH_FORMS,
    MONTHS,
    PATTERNS,
    PREFIX,
    RANGE,
    WEEKDAY_FORMS,
    WEEKDAYS,
)
from .holidays import NAMED_DAYS

EPOCH = dt.date(1970, 1, 1)
SECONDS = 10  # digits of the seconds since then
LONGEST = 100  # no date is longer
WORD = re.compile(r"[^\W\d_]+?(?=tal(?:et)?\b)|[^\W\d_]+")
ENGLISH = 2  # the form of names of months, the next one is their abbreviations
ENGLISH_MONTHS = {*MONTH_FORMS[ENGLISH].values(), *MONTH_FORMS[ENGLISH + 1].values(), "sept"}
ENGLISH_ENDING = re.compile(r"(?:th|st|nd|rd)$", re.IGNORECASE)
LONG_WORD = re.compile(r"[^\W\d_]{5,}")
KNOWN_WORDS = {word: word for word in (*MONTHS, *WEEKDAYS, *ORDINALS, *NAMED_DAYS) if len(word) > 4}

Spans = dict[str, tuple[int, int]]


class DateReading:
    """A date as it is written.

    text (str): The text.
    spans (Mapping[str, tuple[int, int]]): Where its parts stand, by the names in `PATTERNS`.
    in_english (bool): Whether the text around it is in English.
    by_machine (bool): Whether a machine wrote it: numbers with a zero in front, `Jan`, `May`, `Oct`.
    """

    def __init__(
        self,
        text: str,
        spans: Mapping[str, tuple[int, int]],
        in_english: bool = False,
        by_machine: bool = False,
    ) -> None:
        self.in_english = in_english
        self.by_machine = by_machine
        self.text = text
        self.spans = spans
        self.groups = {name: text[start:end] for name, (start, end) in spans.items()}
        self._numbers = {name: self._read(name) for name in "ymdwq"}
        if day := self._read_day():
            self._numbers |= {"y": day.year, "m": day.month, "d": day.day}

    def _read_day(self) -> dt.date | None:
        """The day of a date that names no month: by its number in the year, or by a clock's seconds."""
        try:
            if "e" in self.groups:
                return EPOCH + dt.timedelta(days=int(self.groups["e"]) // self.ticks)
            if "j" in self.groups:
                day = dt.datetime.strptime(f"{self.groups['y']} {self.groups['j']}", "%Y %j")
                return day.date() if f"{day:%Y}" == self.groups["y"] else None
        except (ValueError, OverflowError):
            pass
        return None

    @property
    def ticks(self) -> int:
        """How many of the units of a clock make a day: seconds, or parts of them."""
        return 86400 * 10 ** (len(self.groups["e"]) - SECONDS)

    @cached_property
    def weekday(self) -> int | None:
        """The weekday next to the date, 0 for Monday."""
        return WEEKDAYS[fold(self.groups["k"])][0] if "k" in self.groups else None

    @cached_property
    def is_english(self) -> bool:
        """Whether a name of a month that both languages have is the English one: `April 11th`."""
        groups = self.groups
        if self.in_english or self.by_machine or ENGLISH_ENDING.search(groups.get("o", "")):
            return True
        if "k" in groups and WEEKDAYS[fold(groups["k"])][1] in (ENGLISH, ENGLISH + 1):
            return True
        month_first = "n" in groups and "d" in groups and self.spans["n"] < self.spans["d"]
        return month_first and groups["n"][0].isupper()

    @cached_property
    def whole(self) -> tuple[int, int, int] | None:
        """Year, month and day of a date that names them all."""
        year, month, day = self.number("y"), self.number("m"), self.number("d")
        if year is None or month is None or day is None or "d2" in self.groups:
            return None
        return year, month, day

    @cached_property
    def names_year(self) -> bool:
        """Whether it is a year with words beside it, that may tell a part of it: `sommaren 2019`."""
        words = any(char.isalpha() for char in self.text)
        return words and self.groups.keys() <= {"y", "y2"} and not read_number(self.text)

    def number(self, name: str, second: bool = False) -> int | None:
        """Get the value of a part of the date: "y", "m", "d", "w" or "q"; None if it is not
        told."""
        return self._read(name + "2") if second else self._numbers[name]

    def _read(self, group: str) -> int | None:
        name = "n" + group[1:]
        if group[0] == "m" and name in self.groups:
            return MONTHS[fold(self.groups[name]).rstrip(".")][0]
        text = self.groups.get(group)
        if text is None:
            return None
        number = int(text) if text.isdecimal() else read_number(text)
        if number is not None and group[0] == "y" and number < 100 and len(text) != 4:
            number += 2000 if number < get_recent() else 1900
        return number

    def write(self, values: Mapping[str, int], behind_first: str = "") -> str:
        """Write other values in the same form."""
        numeric = [
            self.groups[g] for g in self.groups if g[0] in "md" and self.groups[g].isdecimal()
        ]
        compact = self.text.isdecimal() and len(self.text) > 3
        year_first = (
            "y" in self.spans and not self.spans["y"][0] and all(len(g) == 2 for g in numeric)
        )
        padded = bool(self.by_machine or compact or year_first) or any(
            g.startswith("0") for g in numeric
        )
        out = self.text
        for group in sorted(self.spans, key=lambda g: -self.spans[g][0]):
            value = values.get({"o": "d", "p": "m", "n": "m"}.get(group[0], group[0]) + group[1:])
            if value is None:
                continue
            start, end = self.spans[group]
            if group == "e":
                value = int(self.groups[group]) + value * self.ticks
            new = self.write_group(group[0], self.groups[group], value, padded)
            if group == ("o" if "o" in self.groups else "d"):
                new += behind_first
            out = out[:start] + new + out[end:]
        return out

    def write_group(self, name: str, old: str, value: int, padded: bool) -> str:
        """Write another value of a part of the date."""
        if name == "k":
            form = WEEKDAYS[fold(old)][1]
            new = WEEKDAY_FORMS[form][value]
            return _like_name(old, new, form)
        if name == "n":
            folded = fold(old).rstrip(".")
            form = MONTHS[folded][1]
            if folded in ENGLISH_MONTHS and self.is_english:
                form = ENGLISH + (form % 2 or self.by_machine)
            new = MONTH_FORMS[form][value]
            # An abbreviation keeps its full stop; `maj` has none.
            full = new in MONTH_FORMS[form - form % 2].values()
            stop = "." if old.endswith(".") and not full else ""
            return _like_name(old, new, form) + stop
        if name in "op":
            if old.rstrip().lower().endswith(("th", "st", "nd", "rd")):
                new = {1: "st", 2: "nd", 3: "rd"}.get(
                    value % 10 if value not in (11, 12, 13) else 0, "th"
                )
                return re.sub(r"[a-zA-Z]+$", new, old)
            letter = "a" if value % 10 in (1, 2) and value not in (11, 12) else "e"
            return re.sub(r"[^\W\d_]+$", like_case(old, letter), old)
        if not old.isdecimal():
            return spell_like(old, value)
        if name == "y" and len(old) == 2:
            return f"{value % 100:02d}"
        if name == "y":
            return f"{value:04d}"
        if name == "j":
            return f"{value:03d}"
        return f"{value:02d}" if padded or old.startswith("0") else str(value)


def _like_name(old: str, new: str, form: int) -> str:
    """Case the name of a month or a day; English has capitals."""
    return like_case(old, new.capitalize() if form in (ENGLISH, ENGLISH + 1) else new)


def parse(
    text: str, loose: bool = False, in_english: bool = False, by_machine: bool = False
) -> DateReading | None:
    """Read a date; None if no written form fits. Words around a year may be any if `loose`; the
    rest is as of a `DateReading`."""
    if len(text) > LONGEST:
        return None
    spans = _match(text, PATTERNS)
    if spans is None and not text.isdecimal():
        spans = _match_spelled(text)
    if spans is None and loose:
        spans = _match(text, LOOSE)
    return None if spans is None else DateReading(text, spans, in_english, by_machine)


def _match(text: str, patterns: Sequence["re.Pattern[str]"]) -> Spans | None:
    prefix = PREFIX.match(text)
    for start in {prefix.end(): None, 0: None} if prefix else (0,):
        for pattern in patterns:
            if match := pattern.fullmatch(text, start):
                matches = [prefix, match] if prefix and start else [match]
                return {
                    name: one.span(name)
                    for one in matches
                    for name, group in one.groupdict().items()
                    if group is not None
                }
    return None


def _match_spelled(text: str) -> Spans | None:
    """Read a date with numbers in words: with digits in their place it has a form."""
    words = [*WORD.finditer(text)]
    numbers: list[tuple[int, int, str]] = []
    for i, word in enumerate(words):
        if numbers and word.start() < numbers[-1][1]:
            continue
        for last in words[i : i + 2][::-1]:
            piece = text[word.start() : last.end()]
            number = read_number(piece) if last is word else read_year(piece)
            if number is not None:
                numbers.append((word.start(), last.end(), str(number)))
                break
    if not numbers:
        return None
    # What is matched, and where each of its letters begins and ends in the text; within a number nothing does.
    written = ""
    begins: list[int] = []
    ends: list[int] = []
    position = 0
    for start, end, digits in (*numbers, (len(text), len(text), "")):
        written += text[position:start] + digits
        begins += [*range(position, start), *([start] + [-1] * len(digits))[: len(digits)]]
        ends += [*range(position + 1, start + 1), *([-1] * len(digits) + [end])[-len(digits) :]]
        position = end
    spans = _match(written, PATTERNS)
    if spans is None:
        return None
    out = {name: (begins[start], ends[end - 1]) for name, (start, end) in spans.items()}
    return None if any(-1 in span for span in out.values()) else out


def parse_range(text: str) -> tuple[DateReading, str, DateReading] | None:
    """Read two dates and the dash or word between them; None if they are not two."""
    # The slash last: of `3/9-9/9` it is within the dates.
    for dash in sorted(RANGE.finditer(text), key=lambda match: "/" in match[0]):
        left, right = parse(text[: dash.start()]), parse(text[dash.end() :])
        if left and right:
            return left, dash[0], right
    return None


def repair(text: str) -> str | None:
    """Put right a date with a misspelled word; None if there is no slip."""

    def repair_word(match: "re.Match[str]") -> str:
        word = fold(match[0])
        if word in KNOWN_WORDS:
            return match[0]
        near = process.extract(word, KNOWN_WORDS, scorer=OSA.distance, score_cutoff=1, limit=2)
        return like_case(match[0], near[0][0]) if len(near) == 1 else match[0]

    repaired = LONG_WORD.sub(repair_word, text)
    return None if repaired == text else repaired
