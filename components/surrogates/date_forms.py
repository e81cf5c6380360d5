"""How dates are written: reading them, and writing others in the same form."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from babel.dates import get_day_names, get_month_names

from ..swedish.casing import fold, like_case

# Two digits below this are a year of this century.
RECENT = 30
LONGEST = 100  # no date is longer

ONES = ["första", "andra", "tredje", "fjärde", "femte", "sjätte", "sjunde", "åttonde", "nionde"]
TEENS = "tionde elfte tolfte trettonde fjortonde femtonde sextonde sjuttonde artonde nittonde"
ORDINALS = [
    *ONES,
    *TEENS.split(),
    "tjugonde",
    *(f"tjugo{one}" for one in ONES),
    "trettionde",
    "trettioförsta",
]

# The days that have a name and about when they are, by their form: days, feasts without and with
# an article, weekends.
CALENDAR = (
    """1/1 nyårsdagen, 5/1 trettondagsafton, 6/1 trettondagen, 6/1 trettondedag jul,
    13/1 tjugondag knut, 13/1 tjugondag jul, 14/2 alla hjärtans dag, 20/2 fettisdagen,
    25/3 våffeldagen, 2/4 skärtorsdagen, 3/4 långfredagen, 4/4 påskafton, 5/4 påskdagen,
    6/4 annandag påsk, 30/4 valborgsmässoafton, 30/4 valborg, 1/5 första maj,
    14/5 kristi himmelsfärdsdag, 23/5 pingstafton, 24/5 pingstdagen, 6/6 nationaldagen,
    20/6 midsommarafton, 21/6 midsommardagen, 7/8 kräftpremiären, 1/10 kanelbullens dag,
    31/10 alla helgons dag, 10/11 mårtensafton, 29/11 första advent, 13/12 lucia, 13/12 luciadagen,
    24/12 julafton, 25/12 juldagen, 26/12 annandag jul, 31/12 nyårsafton""",
    "1/1 nyår, 6/1 trettonhelg, 5/4 påsk, 24/5 pingst, 20/6 midsommar, 25/12 jul",
    "1/1 nyåret, 5/4 påsken, 24/5 pingsten, 20/6 midsommaren, 25/12 julen",
    """1/1 nyårshelgen, 6/1 trettonhelgen, 4/4 påskhelgen, 23/5 pingsthelgen,
    20/6 midsommarhelgen, 31/10 allhelgonahelgen, 13/12 luciahelgen, 24/12 julhelgen""",
)
# So seldom written that nobody is given one.
SELDOM = frozenset(("kräftpremiären", "mårtensafton"))


class NamedDay(NamedTuple):
    """A day with a name, e.g. `julafton`.

    name (str): The name, folded.
    form (int): Days of one form can stand for one another.
    day (int): About which day of the year it is.
    """

    name: str
    form: int
    day: int


def _read_calendar() -> dict[str, NamedDay]:
    days = {}
    for form, line in enumerate(CALENDAR):
        for entry in line.split(","):
            date, *words = entry.split()
            day, month = map(int, date.split("/"))
            number = dt.date(2026, month, day).timetuple().tm_yday
            days[" ".join(words)] = NamedDay(" ".join(words), form, number)
    return days


NAMED_DAYS = _read_calendar()


def _get_forms(get_names: Callable[..., Mapping[int, str]]) -> list[dict[int, str]]:
    """The names of months or weekdays, each form in a table of its own."""
    forms: list[dict[int, str]] = []
    for language in ("sv", "en"):
        for width in ("wide", "abbreviated"):
            names = get_names(width, locale=language)
            forms.append({n: name.rstrip(".").lower() for n, name in names.items()})
    return forms


def _by_name(
    forms: Sequence[Mapping[int, str]], variants: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """The number and the form that a name stands for: the first form that has it."""
    names = {name: (number, 1) for name, number in variants.items()}
    for form in range(len(forms) - 1, -1, -1):
        names.update({name: (number, form) for number, name in forms[form].items()})
    return names


MONTH_FORMS = _get_forms(get_month_names)
MONTHS = _by_name(MONTH_FORMS, {"sept": 9, "febr": 2})
WEEKDAY_FORMS = _get_forms(get_day_names)
WEEKDAYS = _by_name(
    WEEKDAY_FORMS,
    {"månd": 0, "tisd": 1, "onsd": 2, "tor": 3, "torsd": 3, "fred": 4, "lörd": 5, "sönd": 6}
    | {day: number for number, day in enumerate(("må", "ti", "on", "to", "fr", "lö", "sö"))},
)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


MON = rf"(?:{_either(MONTHS)})\.?(?![^\W\d_])"
DAY = rf"(?:\d{{1,2}}|{_either(ORDINALS)}|förste)"
ORD = r"(?:\s?[:.]?\s?(?:e|a|de|te|dje|th|st|nd|rd)\b)"
YEAR = r"\d{4}|\d{2}"
TAIL = rf"(?:[\s,.]*(?:[-–'’/]\s?)?(?P<y>{YEAR}))?"
TAIL2 = TAIL.replace("<y>", "<y2>")
WEEK = r"(?:v(?:eckan|ecka|k)?\.?|week|w\.?)"
DASH = r"\s*(?:-{1,2}|–|—|/|\btill\b|\boch\b|\btom\b|\bt\.?o\.?m\.?)\s*"
PREFIX = re.compile(
    rf"(?:(?P<k>{_either(WEEKDAYS)})(?:en|s)?\.?[\s,]*)?(?:(?:den|the|d\.?)\s+)?",
    re.IGNORECASE,
)

# Groups: k a weekday; y, m, d numbers; n a month's name; o the ending of an ordinal; w a week; 2 marks the
# second date of a range. The first pattern that fits the whole text is taken.
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})(?P<s>\s?[-–/.]\s?|\s)(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})",
        r"(?P<y>(?:18|19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)",
        r"(?P<y>\d\d)(?P<m>\d\d)(?P<d>\d\d)",
        r"(?P<y>\d\d)(?P<s>[-–])(?P<m>\d\d)(?P=s)(?P<d>\d\d)",
        r"(?P<d>\d{1,2})-(?P<m>\d{1,2})-(?P<y>\d{4})",
        rf"(?P<d>\d{{1,2}})(?P<s>\s?[/.]\s?)(?P<m>\d{{1,2}})(?:(?P=s)|\s*[-–'’/]\s*|\s+)(?P<y>{YEAR})",
        r"(?P<d>\d{1,2})\s?[/.]\s?(?P<m>\d{1,2})\.?",
        r"(?P<d>\d{1,2})(?P<o>:[ae]) i (?P<m>\d{1,2})(?P<p>:[ae])",
        rf"(?P<d>\d{{1,2}}){DASH}(?P<d2>\d{{1,2}})/(?P<m2>\d{{1,2}})",
        rf"(?P<d>{DAY})(?P<o>{ORD})?\.?\s*(?P<n>{MON}){TAIL}",
        rf"(?P<d>{DAY})(?P<o>{ORD})?{DASH}(?:den )?(?P<d2>{DAY})(?P<o2>{ORD})?\s*(?P<n2>{MON}){TAIL2}",
        rf"(?P<n>{MON})\s+(?P<d>\d{{1,2}})(?P<o>{ORD})?(?:,?\s+(?P<y>\d{{4}}))?",
        rf"(?P<n>{MON}){TAIL}",
        r"(?P<y>\d{4})[-/](?P<m>0[1-9]|1[0-2])",
        rf"{WEEK}\s*(?P<w>\d{{1,2}})(?:{DASH}(?:v\.?\s?)?(?P<w2>\d{{1,2}}))?{TAIL}",
        r"(?P<y>\d{4})",
        r"[-–'’]\s?(?P<y>\d{2})",
        r"(?P<y>00|3[2-9]|[4-9]\d)(?:['’]?s)?",
        r"(?P<y>\d{2,4})-?tal(?:et)?",
        rf"(?P<d>{DAY})(?P<o>{ORD})?\.?",
        rf"(?P<d>{DAY})(?P<o>{ORD})?\s*[-–]\s*(?P<d2>{DAY})(?P<o2>{ORD})?",
        r"(?P<y>\d{4})\s*[-–/]\s*(?P<y2>\d{2})",
    )
)
RANGE = re.compile(
    r"\s*(?:--|–|—|-|/)\s*|\s+(?:till|t\.?o\.?m\.?|och|to)\s+(?:den )?", re.IGNORECASE
)


class Reading:
    """A date as it is written.

    text (str): The text.
    matches (re.Match): The weekday, if there is one, and the pattern that fits what follows.
    """

    def __init__(self, text: str, *matches: "re.Match[str]") -> None:
        self.text = text
        self.groups: dict[str, str] = {}
        self.spans: dict[str, tuple[int, int]] = {}
        for match in matches:
            for name, group in match.groupdict().items():
                if group is not None:
                    self.groups[name] = group
                    self.spans[name] = match.span(name)

    @property
    def weekday(self) -> int | None:
        """The weekday next to the date, 0 for Monday."""
        return WEEKDAYS[fold(self.groups["k"])][0] if "k" in self.groups else None

    @property
    def whole(self) -> tuple[int, int, int] | None:
        """Year, month and day of a date that names them all."""
        year, month, day = self.number("y"), self.number("m"), self.number("d")
        if year is None or month is None or day is None or "d2" in self.groups:
            return None
        return year, month, day

    def number(self, name: str, second: bool = False) -> int | None:
        """The value of a part of the date.

        name (str): "y", "m", "d" or "w".
        second (bool): Of the second date of a range.
        RETURNS (int | None): The number, None if the part is not written.
        """
        suffix = "2" if second else ""
        if name == "m" and "n" + suffix in self.groups:
            return MONTHS[fold(self.groups["n" + suffix]).rstrip(".")][0]
        text = self.groups.get(name + suffix)
        if text is None:
            return None
        if not text.isdecimal():
            return 1 if fold(text) == "förste" else ORDINALS.index(fold(text)) + 1
        number = int(text)
        if name == "y" and len(text) == 2:
            number += 2000 if number < RECENT else 1900
        return number

    def write(self, values: Mapping[str, int], behind_first: str = "") -> str:
        """Write other values in the same form.

        values (Mapping[str, int]): The new value of each group.
        behind_first (str): What to put behind the first day.
        RETURNS (str): The new text.
        """
        numeric = [
            self.groups[g] for g in self.groups if g[0] in "md" and self.groups[g].isdecimal()
        ]
        compact = self.text.isdecimal() and len(self.text) > 4
        year_first = re.match(r"\d{4}\D", self.text) and all(len(g) == 2 for g in numeric)
        padded = bool(compact or year_first) or any(g.startswith("0") for g in numeric)
        out = self.text
        for group in sorted(self.spans, key=lambda g: -self.spans[g][0]):
            value = values.get({"o": "d", "p": "m", "n": "m"}.get(group[0], group[0]) + group[1:])
            if value is None:
                continue
            start, end = self.spans[group]
            new = self.write_group(group[0], self.groups[group], value, padded)
            if group == ("o" if "o" in self.groups else "d"):
                new += behind_first
            out = out[:start] + new + out[end:]
        return out

    @staticmethod
    def write_group(name: str, old: str, value: int, padded: bool) -> str:
        """Write another value of a part of the date.

        name (str): The first letter of its group.
        old (str): How it is written.
        value (int): The new value.
        padded (bool): Whether numbers have leading zeros.
        RETURNS (str): The value in the form of the old one.
        """
        if name == "k":
            form = WEEKDAYS[fold(old)][1]
            new = WEEKDAY_FORMS[form][value]
            return like_case(old, new if form < 2 else new.capitalize())
        if name == "n":
            form = MONTHS[fold(old).rstrip(".")][1]
            new = MONTH_FORMS[form][value]
            # An abbreviation keeps its full stop; `maj` has none.
            full = new in MONTH_FORMS[form - form % 2].values()
            stop = "." if old.endswith(".") and not full else ""
            return like_case(old, new if form < 2 else new.capitalize()) + stop
        if name in "op":
            if old.rstrip().lower().endswith(("th", "st", "nd", "rd")):
                new = {1: "st", 2: "nd", 3: "rd"}.get(
                    value % 10 if value not in (11, 12, 13) else 0, "th"
                )
                return re.sub(r"[a-zA-Z]+$", new, old)
            letter = "a" if value % 10 in (1, 2) and value not in (11, 12) else "e"
            return re.sub(r"[^\W\d_]+$", like_case(old, letter), old)
        if not old.isdecimal():
            return like_case(old, ORDINALS[value - 1])
        if name == "y" and len(old) == 2:
            return f"{value % 100:02d}"
        if name == "y":
            return f"{value:04d}"
        return f"{value:02d}" if padded and name != "w" or old.startswith("0") else str(value)


def parse(text: str) -> Reading | None:
    """Read a date.

    text (str): The text of a mention.
    RETURNS (Reading | None): The reading, None if no written form fits.
    """
    if len(text) > LONGEST:
        return None
    prefix = PREFIX.match(text)
    for start in {prefix.end(): None, 0: None} if prefix else (0,):
        for pattern in PATTERNS:
            match = pattern.fullmatch(text, start)
            if match:
                return Reading(text, prefix, match) if prefix and start else Reading(text, match)
    return None
