"""Surrogates of calendar dates."""

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence

from babel.dates import get_day_names, get_month_names
from rapidfuzz import process
from rapidfuzz.distance import OSA

from .casing import fold, like_case
from .keyed import Mention, Pool, Scope

MAX_WEEKS = 26
# For dates that name no year: neither it nor its neighbours have a leap day.
COMMON_YEAR = 2026
# Two digits below this are a year of this century.
RECENT = 30

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

# In the order of the year.
CALENDAR = """nyårsdagen, trettondagsafton, trettondagen, tjugondag knut, fettisdagen,
alla hjärtans dag, skärtorsdagen, långfredagen, påskafton, påskdagen, annandag påsk,
valborgsmässoafton, valborg, första maj, kristi himmelsfärdsdag, pingstafton, pingstdagen,
nationaldagen, midsommarafton, midsommardagen, alla helgons dag, allhelgonahelgen, lucia,
luciadagen, julafton, juldagen, annandag jul, nyårsafton"""
NAMED_DAYS = [day.strip() for day in CALENDAR.split(",")]
FEASTS = ("jul", "nyår", "trettonhelgen", "påsk", "pingst", "midsommar")


def _month_forms() -> list[dict[int, str]]:
    """The names of the months, each form in a table of its own."""
    forms: list[dict[int, str]] = []
    for language in ("sv", "en"):
        for width in ("wide", "abbreviated"):
            names = get_month_names(width, locale=language)
            forms.append({m: name.rstrip(".").lower() for m, name in names.items()})
    return forms


MONTH_FORMS = _month_forms()
VARIANTS = {"sept": 9, "febr": 2}
MONTHS: dict[str, tuple[int, int]] = {
    **{name: (number, 1) for name, number in VARIANTS.items()},
    **{
        name: (number, form)
        for form in range(len(MONTH_FORMS) - 1, -1, -1)
        for number, name in MONTH_FORMS[form].items()
    },
}
WEEKDAYS: dict[str, int] = {
    name.rstrip(".").lower(): number
    for language in ("en", "sv")
    for width in ("wide", "abbreviated")
    for number, name in get_day_names(width, locale=language).items()
}
WEEKDAYS.update({"tor": 3, "torsd": 3, "tisd": 1, "månd": 0, "onsd": 2, "fred": 4, "lörd": 5})


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
    rf"(?:(?P<weekday>{_either(WEEKDAYS)})(?:en|s)?\.?[\s,]*)?(?:(?:den|the|d\.?)\s+)?",
    re.IGNORECASE,
)

# Groups: y, m, d numbers; n a month's name; o the ending of an ordinal; w a week; 2 marks the
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
    match (re.Match): The pattern that fits it behind the weekday.
    weekday (int | None): The weekday next to it, 0 for Monday.
    """

    def __init__(self, text: str, match: "re.Match[str]", weekday: int | None) -> None:
        self.text = text
        self.weekday = weekday
        self.groups = {k: v for k, v in match.groupdict().items() if v is not None}
        self.spans = {k: match.span(k) for k in self.groups}

    def number(self, name: str, second: bool = False) -> int | None:
        """The value of a part of the date.

        name (str): "y", "m", "d" or "w".
        second (bool): Of the second date of a range.
        RETURNS (int | None): The number, None if the part is not written.
        """
        suffix = "2" if second else ""
        if name == "m" and "n" + suffix in self.groups:
            return MONTHS[self.groups["n" + suffix].rstrip(".").lower()][0]
        text = self.groups.get(name + suffix)
        if text is None:
            return None
        if not text.isdigit():
            return 1 if text.lower() == "förste" else ORDINALS.index(text.lower()) + 1
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
        numeric = [self.groups[g] for g in self.groups if g[0] in "md" and self.groups[g].isdigit()]
        compact = self.text.isdigit() and len(self.text) > 4
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
        if name == "n":
            form = MONTHS[old.rstrip(".").lower()][1]
            new = MONTH_FORMS[form][value]
            # An abbreviation keeps its full stop; `maj` has none.
            full = new in MONTH_FORMS[form - form % 2].values()
            stop = "." if old.endswith(".") and not full else ""
            return like_case(old, new if form < 2 else new.capitalize()) + stop
        if name in "op":
            if old.rstrip().lower().endswith(("th", "st", "nd", "rd")):
                new = {1: "st", 2: "nd", 3: "rd"}.get(
                    value % 10 if value not in (11, 12, 13) else 0
                )
                return re.sub(r"[a-zA-Z]+$", new or "th", old)
            letter = "a" if value % 10 in (1, 2) and value not in (11, 12) else "e"
            return re.sub(r"[^\W\d_]+$", like_case(old, letter), old)
        if not old.isdigit():
            return like_case(old, ORDINALS[value - 1])
        if name == "y" and len(old) == 2:
            return f"{value % 100:02d}"
        if name == "y":
            return f"{value:04d}"
        return f"{value:02d}" if padded and name != "w" or old.startswith("0") else str(value)


class DateSurrogates:
    """Shifts the dates of a scope by one offset: whole weeks, so that weekdays and workdays stay,
    and the order and distance of dates with them.

    Full dates, and days with their month, shift exactly. A day alone shifts in the month that
    the message names next to it. Months alone shift by the nearest number of months, years
    alone by one, weeks by the number of weeks, named days to another named day; each of these
    always changes. The form of writing stays. Dates that do not exist turn into others that do
    not exist.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        shift = Shift(scope)
        shift.read_context([mention.text for mention in mentions])
        return [shift.replace(i, mention.text) for i, mention in enumerate(mentions)]

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same date.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same date.
        """
        out = []
        for mention in mentions:
            reading = parse(mention.text)
            parts = [reading.number(n, s) for s in (False, True) for n in "ymdw"] if reading else []
            out.append(repr(parts) if parts else fold(mention.text))
        return out


def parse(text: str) -> Reading | None:
    """Read a date.

    text (str): The text of a mention.
    RETURNS (Reading | None): The reading, None if no written form fits.
    """
    prefix = PREFIX.match(text)
    for start in {prefix.end(): None, 0: None} if prefix else (0,):
        weekday = prefix["weekday"] if prefix and start else None
        for pattern in PATTERNS:
            match = pattern.fullmatch(text, start)
            if match:
                return Reading(text, match, WEEKDAYS[weekday.lower()] if weekday else None)
    return None


class Shift:
    """The offset of a scope, applied to the dates of one message.

    scope (Scope): The conversation or message.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.weeks = get_weeks(scope)
        self.days = 7 * self.weeks
        months = round(self.days / 30.44)
        self.sign = 1 if self.weeks > 0 else -1
        self.months = months or self.sign
        self.year: int | None = None
        self.month_of: list[int | None] = []

    def read_context(self, texts: Sequence[str]) -> None:
        """Note what dates tell of each other: the year of a full date, the month of the nearest.

        texts (Sequence[str]): All dates of the message.
        """
        readings = [parse(text) for text in texts]
        years = [
            r.number("y")
            for r in readings
            if r and r.number("y") and r.number("d") and r.number("m")
        ]
        self.year = max(years) if years else None
        self.month_of = []
        last = None
        for reading in readings:
            month = None
            if reading and "d" in reading.groups:
                month = reading.number("m") or reading.number("m", True)
            last = month if month and 1 <= month <= 12 else last
            self.month_of.append(last)
        for i in range(len(readings) - 2, -1, -1):
            self.month_of[i] = self.month_of[i] or self.month_of[i + 1]

    def replace(self, i: int, text: str) -> str:
        """Replace a date.

        i (int): The index of the mention in the message.
        text (str): Its text.
        RETURNS (str): The surrogate.
        """
        new = self._replace(i, text)
        if new == text or new is None:
            return self._by_shape(text)
        return new

    def _replace(self, i: int, text: str) -> str | None:
        named = self._named_day(text)
        if named:
            return named
        reading = parse(text)
        if reading:
            return self._shift(i, reading)
        for dash in RANGE.finditer(text):
            left, right = text[: dash.start()], text[dash.end() :]
            if left and right and parse(left) and parse(right):
                return f"{self._replace(i, left)}{dash[0]}{self._replace(i, right)}"
        return None

    def _named_day(self, text: str) -> str | None:
        folded = fold(text)
        for names in (NAMED_DAYS, FEASTS):
            near = process.extractOne(
                folded, names, scorer=OSA.distance, score_cutoff=1 if len(folded) > 6 else 0
            )
            if near:
                step = round(self.days / 365 * len(names)) or self.sign
                return like_case(text, names[(near[2] + step) % len(names)])
        return None

    def _shift(self, i: int, reading: Reading) -> str:
        has = reading.groups
        if "w" in has:
            return reading.write(self._weeks_of(reading))
        if "d2" in has:
            return self._day_range(i, reading)
        year, month, day = (reading.number(name) for name in "ymd")
        if day is not None:
            new = self._day(i, year, month, day, reading.weekday)
            if new is None:
                return reading.write(self._impossible(year, month, day))
            if month is None and new.day == day:
                new += dt.timedelta(weeks=self.sign)
            return reading.write({"y": new.year, "m": new.month, "d": new.day})
        if month is not None:
            if not 1 <= month <= 12:
                return reading.write(self._impossible(year, month, None))
            total = (year or COMMON_YEAR) * 12 + month - 1 + self.months
            return reading.write({"y": total // 12, "m": total % 12 + 1})
        step = 10 * self.sign if "tal" in reading.text.lower() else self.sign
        values = {"y": max(0, (year or 0) + step)}
        if "y2" in has:
            values["y2"] = (int(has["y2"]) + self.sign) % 100
        return reading.write(values)

    def _weeks_of(self, reading: Reading) -> dict[str, int]:
        values: dict[str, int] = {}
        for group, second in (("w", False), ("w2", True)):
            week = reading.number("w", second)
            if week is None:
                continue
            if not 1 <= week <= 53:
                values[group] = 54 + (week - 54 + self.weeks) % 46
                continue
            total = min(week, 52) - 1 + self.weeks
            values[group] = total % 52 + 1
            year = reading.number("y")
            if year is not None:
                values["y"] = year + total // 52
        return values

    def _day_range(self, i: int, reading: Reading) -> str:
        year, month = reading.number("y", True), reading.number("m", True)
        first, last = reading.number("d"), reading.number("d", True)
        ends = [
            self._day(i, year, month, day, None if k else reading.weekday)
            for k, day in enumerate((first, last))
        ]
        if ends[0] is None or ends[1] is None:
            return self._by_shape(reading.text)
        values = {"d": ends[0].day, "d2": ends[1].day, "m2": ends[1].month, "y2": ends[1].year}
        if ends[0].month == ends[1].month or month is None:
            return reading.write(values)
        # The range now crosses the end of a month: name both.
        written = reading.groups.get("n2")
        if written is None:
            return reading.write(values, f"/{ends[0].month}")
        return reading.write(values, " " + reading.write_group("n", written, ends[0].month, False))

    def _day(
        self,
        i: int,
        year: int | None,
        month: int | None,
        day: int,
        weekday: int | None,
    ) -> dt.date | None:
        """Shift a day; None if there is no such day."""
        if month is None:
            month = self.month_of[i] or 1
            if not 1 <= day <= 31:
                return None
            if day > calendar.monthrange(COMMON_YEAR, month)[1]:
                month = 1
        if year is None:
            year = self._guess_year(month, day, weekday)
        try:
            return dt.date(year, month, day) + dt.timedelta(days=self.days)
        except (ValueError, OverflowError):
            return None

    def _guess_year(self, month: int, day: int, weekday: int | None) -> int:
        """A year for a date that names none; only whether it has a leap day matters."""
        near = [self.year or COMMON_YEAR, *range(COMMON_YEAR, COMMON_YEAR - 12, -1)]
        for year in near:
            try:
                if weekday is None or dt.date(year, month, day).weekday() == weekday:
                    dt.date(year, month, day)
                    return year
            except ValueError:
                continue
        return self.year or COMMON_YEAR

    def _impossible(self, year: int | None, month: int | None, day: int | None) -> dict[str, int]:
        """Change a date that does not exist into another that does not exist."""
        values: dict[str, int] = {}
        if year is not None:
            values["y"] = min(9999, max(1, year + self.sign))
        if month is not None and not 1 <= month <= 12:
            values["m"] = 13 + (month - 13 + 7 * self.sign) % 87 if month else 0
            if day is not None and 1 <= day <= 31:
                values["d"] = (day - 1 + 7 * self.sign) % 28 + 1
        elif day is not None and month is not None and 1 <= day <= 31:
            # 30 February, 31 April: the day stays wrong in another month.
            short = [m for m in range(1, 13) if calendar.monthrange(2024, m)[1] < day]
            short = [m for m in short if m != month] or [2]
            values["m"] = short[self.scope.number(len(short), "date", f"{month}-{day}")]
            if values["m"] == month:
                values["d"] = 30 if day == 31 else 31
            elif day == 29:
                values["d"] = 30
        elif day is not None:
            values["d"] = 32 + (day - 32 + 7 * self.sign) % 68 if day else 0
            if month is not None:
                values["m"] = (month - 1 + self.months) % 12 + 1
        return values

    def _by_shape(self, text: str) -> str:
        """The last resort: other digits in the same places, another month for a word."""
        if any(c.isdigit() for c in text):
            return re.sub(r"\d+", lambda match: self.scope.digits(match[0], "date"), text)
        months = Pool(MONTH_FORMS[0].values())
        near = process.extractOne(
            fold(text), list(MONTHS), scorer=OSA.distance, score_cutoff=2 if len(text) > 5 else 0
        )
        if near:
            number = (MONTHS[near[0]][0] - 1 + self.months) % 12 + 1
            return like_case(text, MONTH_FORMS[0][number])
        return like_case(text, self.scope.pick("date", text, months))


def get_weeks(scope: Scope) -> int:
    """The offset of a scope, which all its dates share.

    scope (Scope): The conversation or message.
    RETURNS (int): Whole weeks, from -26 to 26, never 0.
    """
    weeks = scope.number(2 * MAX_WEEKS, "offset") - MAX_WEEKS
    return weeks + 1 if weeks >= 0 else weeks
