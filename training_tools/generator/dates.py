"""Dates and ages in the forms in which people write them."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from components.surrogates.core.number_words import ORDINALS, spell
from training_tools.generator.tables import Weighted, read_tables, weighted

_TABLES = read_tables("dates")
WEEKDAYS: list[str] = _TABLES["weekdays"]
DATE_STYLES: dict[str, Weighted] = _TABLES["date_styles"]
AGE_STYLES: dict[str, Weighted] = _TABLES["age_styles"]
AGE_RANGES: dict[str, tuple[int, int]] = _TABLES["age_ranges"]


@dataclass(frozen=True)
class Age:
    """An age: whole years, and the months of those under two."""

    years: int
    months: int

    @classmethod
    def at(cls, born: date, today: date) -> "Age":
        months = (today.year - born.year) * 12 + today.month - born.month
        months -= today.day < born.day
        return cls(months // 12, months)

    def write(self, form: str | None, rng: Random) -> str:
        years, months = self.years, self.months
        young = self.months < 24
        number = years
        if form is None and young:
            style, number = ("months", months)
            if months < 2:
                style, number = rng.choice(
                    (("weeks", rng.randint(2, 9)), ("days", rng.randint(3, 20)))
                )
            elif 17 <= months <= 19 and rng.random() < 0.5:
                style, number = "half", 1
        elif form is None and years < 12 and rng.random() < 0.15:
            style = rng.choice(("half", "half", "both"))
        elif form == "adj" and young:
            style, number = "months adj", max(months, 1)
        elif form == "bare":
            style, number = ("small bare" if 0 < years <= 12 else "bare"), max(years, 1)
        elif form == "words" and young and months > 1:
            return f"{spell(months)} månader"
        else:
            style, number = form or "years", max(years, 1)
        letters = {"months": "en", "weeks": "en", "days": "en"}.get(style, "ett")
        text = letters if number == 1 else spell(number)
        template = weighted(AGE_STYLES[style], rng)
        if number == 1:
            template = template.replace("månader", "månad").replace("veckor", "vecka")
            template = template.replace("dagar", "dag")
        return template.format(n=number, w=text, k=rng.randint(2, 11))


def draw_born(group: str, today: date, rng: Random) -> date:
    """Draw a birth date for an age group: `baby`, `child`, `teen`, `adult`, `old`."""
    low, high = AGE_RANGES[group]
    days = rng.randint(low * 365 + low // 4 + 1, (high + 1) * 365 + high // 4 - 1)
    return today - timedelta(days=days)


def draw_date(today: date, rng: Random) -> date:
    """Draw a day that a message might speak of: mostly around today, now and then years ago."""
    reach = rng.choices(((-60, 60), (-3 * 365, 0), (-30 * 365, 0)), (75, 17, 8))[0]
    return today + timedelta(days=rng.randint(*reach))


def _ending(day: int) -> str:
    return "a" if day in (1, 2, 21, 22, 31) else "e"


def write_date(day: date, form: str | None, rng: Random) -> str:
    if form == "holiday":
        return rng.choice(_TABLES["holidays"])
    styles = DATE_STYLES[form or weighted(_TABLES["any_date"], rng)]
    end = day + timedelta(days=rng.choice((1, 2, 2, 3, 4, 6, 7, 10)))
    if form == "range" and end.month != day.month:
        styles = {style: weight for style, weight in styles.items() if "{x}" in style}
    template = weighted(styles, rng)
    months = rng.choice((_TABLES["short_months"], _TABLES["shortest_months"]))
    capital = rng.random() < 0.05
    month, short = _TABLES["months"][day.month - 1], months[day.month - 1]
    week = day.isocalendar()[1]
    return template.format(
        d=day.day, dd=f"{day.day:02d}", e=_ending(day.day), o=ORDINALS[day.day - 1],
        m=day.month, mm=f"{day.month:02d}", M=month.title() if capital else month,
        b=short.title() if capital else short,
        yyyy=day.year, yy=f"{day.year % 100:02d}",
        w=WEEKDAYS[day.weekday()], s=WEEKDAYS[day.weekday()][:3],
        v=week, v2=min(week + rng.randint(1, 2), 53),
        d2=end.day, x=end.day, e2=_ending(end.day), m2=end.month, M2=_TABLES["months"][end.month - 1],
    )  # fmt: skip
