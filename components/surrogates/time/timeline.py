"""What the dates, personnummer and ages of a scope tell of the same timeline, so that their surrogates
tell one story.
"""

import datetime as dt
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

from ...text.numbers import split_day
from ..core.scope import Mention, Scope
from ..numbers.pid_forms import read_pid
from .age_forms import read_ages
from .age_limits import USUAL, Bounds, get_bounds, read_limits
from .clock import get_present, get_recent, may_be_baby
from .date_forms import DateReading, parse
from .date_offset import get_offset
from .stamps import is_log, read_end

# By so many years, months, weeks or days everybody gets older or younger.
STEPS = (-2, -1, 1, 2)
ADULT, OLD, ENDLESS = 18, 90, 10**9
# Nobody leaves the stage of life that he is in, by unit of his age.
STAGES: dict[str, tuple[tuple[int, int], ...]] = {
    "years": ((1, ADULT - 1), (ADULT, OLD - 1), (OLD, 99), (100, ENDLESS)),
    "about": ((5, 15), (20, OLD - 5), (OLD, ENDLESS)),
    # Nobody gets one of a unit that is written in the plural.
    "months": ((2, 5), (6, 11), (12, 23), (24, ENDLESS)),
    "weeks": ((2, ENDLESS),),
    "days": ((2, ENDLESS),),
}
A_YEAR = {"years": 1, "about": 1, "months": 12, "weeks": 52, "days": 365}
DAYS = {"months": 30.4, "weeks": 7, "days": 1}
Birth = tuple[int, int, int]  # year, month, day
Older = tuple[int, int]  # years, days
# Words that no Swedish sentence has, two of them at most behind a date and three in front.
ENGLISH_WORD_LIST = "the of and since until born was have on with next year month this after before"
ENGLISH_WORDS = frozenset(ENGLISH_WORD_LIST.split())
ENGLISH_WORD = re.compile(r"[a-z]+")
YEAR_MARK = re.compile(r"(?<![\w-])[-'’]$")
# Only the end of `födelsedatum` is in sight where it is long.
BORN = re.compile(
    r"(?:\bf[öo]d(?:d|da|t|s|des)?|\bf\.?|delse(?:data|datum|år|dag)|\bborn|\bbirth)\W*"
    # `född 98 och Moa`
    r"(?:(?:den|i|år|året|in|on|the)\W+)?(?:\d{2,4}\W+(?:och|o|å|samt)\s+(?:[^\W\d_]+\s+)?)?$",
    re.IGNORECASE,
)


class Timeline:
    """How the times of a scope move. Its dates move by `days`, whole weeks; an age grows by a
    number of years, the same for all ages of the scope; somebody born on a day is born `days`
    later, less the years that he gets older. So a personnummer, a birth date, an age and the dates
    around them still fit one another.

    Ages never leave their stage of life (`STAGES`). If one would, all ages of that stage go the
    other way. A personnummer follows the age that fits it. That takes all messages of a
    conversation: where they are not at hand, each age at the limit turns round on its own, and
    every personnummer takes the number of years that the key gives.

    scope (Scope): The conversation or message.
    """

    days: int  # by which the dates move
    years: int  # the same, in years as near as can be
    birth_years: dict[int, int]  # by how much the birth years move, by their last two digits
    kept: set[Mention]  # dates that stay what they are, though what they are a part of has moved

    def __init__(self, scope: Scope) -> None:
        offset = get_offset(scope)
        self.days, self.years = offset.days, offset.years
        # Somebody who gets older by as much as the dates move is born in the same year.
        steps = [step for step in STEPS if step != self.years]
        self.step = steps[scope.number(len(steps), "age")]
        self._stage_steps: dict[tuple[str, tuple[int, int]], int] = {}
        self._ages: dict[tuple[str, int], int] = {}
        mentions = scope.mentions if scope.whole else {}
        seen = [
            ((age.value, age.unit), mention)
            for mention in mentions.get("AGE", ())
            for age in read_ages(mention.text)
            if not age.minor
        ]
        # Where a limit is named beside an age: between what it has to stay.
        self._bounds: dict[tuple[int, str], Bounds] = {}
        for (value, unit), mention in seen:
            limits = read_limits(mention) if unit == "years" else ()
            if limits:
                bounds = self._bounds.get((value, unit), (1, ENDLESS))
                self._bounds[value, unit] = get_bounds(value, limits, bounds)
        self._seen = sorted({age for age, _ in seen})
        # Where each stands, by its message.
        self._starts: dict[tuple[int, tuple[int, str]], list[int]] = defaultdict(list)
        for age, mention in sorted(seen, key=lambda item: item[1].start):
            self._starts[mention.message, age].append(mention.start)
        for unit in {unit for _, unit in self._seen}:
            values = [value for value, other in self._seen if other == unit]
            for stage in STAGES[unit]:
                self._settle(unit, stage, [v for v in values if _get_stage(unit, v) == stage])
        # By the last two digits of the year, which is all that most personnummer tell.
        self._older: dict[Birth, Older] = {}
        self.birth_years = {}
        self.kept = set()
        self._readings: dict[tuple[str, bool, bool], DateReading | None] = {}
        self._read_births(scope.mentions, whole=scope.whole)

    # Ages

    def _settle(self, unit: str, stage: tuple[int, int], values: Sequence[int]) -> None:
        """Choose the ages of one stage at once: all by the same step, if there is one."""
        low, high = stage
        bounds = [self._get_bounds(value, unit) for value in values]
        # Ages keep their distance, rather than on their side of a limit that nobody names.
        told = [self._bounds.get((value, unit), (1, ENDLESS)) for value in values]
        for limits, step in product((bounds, told), self._get_steps(unit)):
            if all(
                max(low, least) <= value + step <= min(high, most)
                for value, (least, most) in zip(values, limits)
            ):
                self._ages |= {(unit, value): value + step for value in values}
                self._stage_steps[unit, stage] = step
                return
        taken: set[int] = set()
        for value, (least, most) in zip(values, bounds):
            fits = [value + step for step in self._get_steps(unit) if value + step not in taken]
            last = value + 1 if value < high else value - 1
            fits = [fit for fit in fits if low <= fit <= high]
            new = next((fit for fit in fits if least <= fit <= most), (*fits, last)[0])
            self._ages[unit, value] = new
            taken.add(new)

    def _get_steps(self, unit: str) -> tuple[int, ...]:
        step = self.step
        if unit == "about":
            return (5, -5) if step > 0 else (-5, 5)
        return (step, -step, *STEPS, 3, -3)

    def get_age(self, age: int, unit: str = "years", limits: Sequence[int] = ()) -> int:
        """Shift an age of a unit of `STAGES`. Limits, in years, are not crossed if there is another
        age; by default the usual ones."""
        if (unit, age) in self._ages:
            return self._ages[unit, age]
        low, high = stage = _get_stage(unit, age)
        first = self._stage_steps.get((unit, stage), self.step)
        steps = (first, *self._get_steps(unit)) if unit != "about" else self._get_steps(unit)
        fits = [age + step for step in steps if low <= age + step <= high]
        least, most = self._get_bounds(age, unit, limits)
        return next((fit for fit in fits if least <= fit <= most), (*fits, age + 1)[0])

    def _get_bounds(self, age: int, unit: str, limits: Sequence[int] = ()) -> Bounds:
        usual = limits or USUAL if unit == "years" else ()
        return self._bounds.get((age, unit)) or get_bounds(age, usual, (1, ENDLESS))

    # Births

    def read_date(self, mention: Mention) -> DateReading | None:
        """Read a date, each only once; None if no written form fits."""
        text = mention.text
        if len(text) == 2 and text.isdecimal() and YEAR_MARK.search(mention.before):
            # The `18` of `op -18`.
            return DateReading(text, {"y": (0, 2)})
        if end := read_end(mention):
            return end
        key = text, is_in_english(mention), is_log(mention)
        if key not in self._readings:
            self._readings[key] = parse(text, in_english=key[1], by_machine=key[2])
        return self._readings[key]

    def _read_births(self, mentions: Mapping[str, Sequence[Mention]], whole: bool) -> None:
        births = []
        for mention in mentions.get("PID", ()):
            if birth := read_birth(mention.text):
                births.append((mention, birth))
        keys = {_get_key(*birth) for _, birth in births}
        now = None
        born_years: list[tuple[Mention, int]] = []
        for mention in mentions.get("DATE", ()):
            reading = self.read_date(mention)
            date = reading.whole if reading else None
            if date is None:
                year = read_birth_year(mention, reading) if reading else None
                if year is not None:
                    born_years.append((mention, year))
                continue
            if BORN.search(mention.before) or _get_key(*date) in keys:
                births.append((mention, date))
            elif whole:
                now = max(now or 0, date[0])
        births.sort(key=lambda item: (item[0].message, item[0].start))
        for mention, birth in births:
            key = _get_key(*birth)
            if key not in self._older:
                self._older[key] = self._get_older(birth[0], now, mention, whole)
                if new := self.move_birth(*birth):
                    self.birth_years.setdefault(birth[0] % 100, new.year - birth[0])
        for mention, year in born_years:
            if year % 100 not in self.birth_years:
                older, _ = self._get_older(year, now, mention, whole)
                self.birth_years[year % 100] = self.years - older

    def _get_older(self, year: int, now: int | None, mention: Mention, whole: bool) -> Older:
        """By how many years and days somebody gets older who was born in a year."""
        if age := self._find_age(year, now, mention):
            value, unit = age
            step = self.get_age(value, unit) - value
            if unit not in DAYS:
                return step, 0
            days = round(step * DAYS[unit])
            # Nobody stays born on the same day.
            return 0, days if days != self.days else days + 7
        if now is not None and whole:
            age_now = max(0, now - year)
            return (self.get_age(age_now) - age_now if age_now else 0), 0
        return (abs(self.step) if may_be_baby(year) else self.step), 0

    def _find_age(self, year: int, now: int | None, mention: Mention) -> tuple[int, str] | None:
        """The age that fits somebody born in a year: the one next to the birth date, or one in another
        message."""
        fits = [age for age in self._seen if _fits(*age, year, now)]
        near = []
        for age in fits:
            starts = self._starts.get((mention.message, age), [])
            place = bisect_left(starts, mention.start)
            near += [(abs(start - mention.start), age) for start in starts[max(0, place - 1) :][:2]]
        return min(near)[1] if near else min(fits, default=None)

    def is_birth(self, mention: Mention, date: tuple[int, int, int]) -> bool:
        """Whether a date is one of birth: the text in front says so, or a personnummer."""
        return _get_key(*date) in self._older or bool(BORN.search(mention.before))

    def move_birth(self, year: int, month: int, day: int) -> dt.date | None:
        """Move the day when somebody was born; None if there is no such day."""
        key = _get_key(year, month, day)
        if key not in self._older:
            self._older[key] = (abs(self.step) if may_be_baby(year) else self.step), 0
        years, days = self._older[key]
        try:
            born = dt.date(year, month, day) + dt.timedelta(days=self.days - days)
            if (born.month, born.day) == (2, 29):
                born -= dt.timedelta(days=1)
            return born.replace(year=born.year - years)
        except (ValueError, OverflowError):
            return None

    def move_birth_year(self, year: int) -> int:
        """Move the year when somebody was born, like the birth date of that year: it may stay."""
        default = self.years - (abs(self.step) if may_be_baby(year) else self.step)
        return year + self.birth_years.get(year % 100, default)


def is_in_english(mention: Mention) -> bool:
    """RETURNS (bool): Whether a date stands among English words."""
    before = ENGLISH_WORD.findall(mention.before[-20:].lower())[-3:]
    behind = ENGLISH_WORD.findall(mention.after[:15].lower())[:2]
    return not ENGLISH_WORDS.isdisjoint((*before, *behind))


def get_timeline(scope: Scope) -> Timeline:
    """Get how the times of a scope move, which its dates, personnummer and ages share."""
    return scope.share(Timeline, lambda: Timeline(scope))


def get_century(digits: str, plus: bool) -> str:
    """Give a personnummer its century; a plus says that the person is a hundred years old."""
    if len(digits) == 12:
        return digits
    return f"{(20 if int(digits[:2]) < get_recent() else 19) - plus}{digits}"


def read_birth(text: str) -> Birth | None:
    """Read year, month and day, which need not exist, in a personnummer; None if it has not ten or
    twelve digits."""
    digits = read_pid(text)
    if len(digits) not in (10, 12):
        return None
    digits = get_century(digits, "+" in text)
    day, _ = split_day(int(digits[6:8]))
    return int(digits[:4]), int(digits[4:6]), day


def read_birth_year(mention: Mention, reading: DateReading) -> int | None:
    """Read a year of birth; None if it is more or no year of birth."""
    groups = reading.groups.keys()
    if "b" not in groups and not BORN.search(mention.before):
        return None
    if groups == {"d"} and re.fullmatch(r"\d\d", mention.text):
        # `född 05` is a year.
        day = int(mention.text)
        return day + (2000 if day < get_recent() else 1900)
    return reading.number("y") if groups <= {"y", "b"} else None


def _get_key(year: int, month: int, day: int) -> Birth:
    return year % 100, month, day


def _get_stage(unit: str, age: int) -> tuple[int, int]:
    return next(stage for stage in STAGES[unit] if age <= stage[1])


def _fits(value: int, unit: str, year: int, now: int | None) -> bool:
    """Whether somebody born in a year may have an age."""
    then = year + value // A_YEAR[unit]
    return then in get_present() if now is None else now - then in (0, 1)
