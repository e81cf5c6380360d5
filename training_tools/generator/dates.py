"""Dates and ages in the forms in which people write them."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from training_tools.generator.tables import Weighted, bag, weighted

MONTHS = bag(
    "januari februari mars april maj juni juli augusti september oktober november december"
)
SHORT_MONTHS = bag("jan feb mars apr maj juni juli aug sept okt nov dec")
SHORTEST_MONTHS = bag("jan feb mar apr maj jun jul aug sep okt nov dec")
WEEKDAYS = bag("måndag tisdag onsdag torsdag fredag lördag söndag")
ORDINALS = bag(
    "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte trettonde "
    "fjortonde femtonde sextonde sjuttonde artonde nittonde tjugonde tjugoförsta tjugoandra "
    "tjugotredje tjugofjärde tjugofemte tjugosjätte tjugosjunde tjugoåttonde tjugonionde "
    "trettionde trettioförsta"
)
HOLIDAYS = (
    "julafton", "juldagen", "annandag jul", "annandagen", "nyårsafton", "nyårsdagen",
    "trettondagen",
    "trettondagsafton", "trettondag jul", "tjugondag knut", "skärtorsdagen", "skärtorsdag",
    "långfredagen", "långfredag", "påskafton", "påskdagen", "annandag påsk", "valborg",
    "valborgsmässoafton", "sista april", "första maj", "Kristi himmelsfärdsdag",
    "Kristi himmelsfärd", "kristi flygare", "pingstafton", "pingstdagen", "nationaldagen",
    "midsommarafton", "midsommardagen", "alla helgons dag", "allhelgonadagen", "lucia",
    "luciadagen",
    "fettisdagen", "alla hjärtans dag", "mors dag", "fars dag", "första advent", "andra advent",
    "tredje advent", "fjärde advent", "kvinnodagen", "internationella kvinnodagen", "halloween",
    "dan före dan", "vita tisdagen", "första april",
)  # fmt: skip

# The forms. `{d}` day, `{e}` its ordinal ending, `{o}` the ordinal in letters, `{M}` month,
# `{b}` month cut short, `{m}` number of the month, `{w}` weekday, `{v}` week; `2` for the end of
# a range; doubled letters for two digits. The weight says how common a form is.
DATE_STYLES: dict[str, Weighted] = {
    "iso": (("{yyyy}-{mm}-{dd}", 1),),
    "compact": (("{yy}{mm}{dd}", 3), ("{yyyy}{mm}{dd}", 1)),
    "slash": (("{d}/{m}", 9), ("{dd}/{mm}", 2)),
    "daymonth": (
        ("{d} {M}", 40), ("{d}/{m}", 25), ("{d} {b}", 10), ("{d}:{e} {M}", 9), ("{d}{e} {M}", 4),
        ("{o} {M}", 4), ("{dd}/{mm}", 2), ("{d}{M}", 1), ("{d}:{e} {b}", 2),
        ("{d}de {M}", 1), ("{o} {b}", 1),
    ),
    "full": (
        ("{d} {M} {yyyy}", 30), ("{yyyy}-{mm}-{dd}", 20), ("{d}/{m} {yyyy}", 6),
        ("{d}/{m}-{yy}", 6),
        ("{d}/{m} -{yy}", 3), ("{d}/{m}/{yy}", 2), ("{d} {b} {yyyy}", 5), ("{d} {M} -{yy}", 3),
        ("{d} {b} -{yy}", 2), ("{d}:{e} {M} {yyyy}", 4), ("{d}.{m}.{yyyy}", 2),
        ("{yyyy}/{mm}/{dd}", 2),
        ("{yyyy}.{mm}.{dd}", 1), ("{d}/{m}-{yyyy}", 2), ("{d} {M} {yy}", 1),
        ("{dd}-{mm}-{yyyy}", 1),
        ("{dd}/{mm}/{yyyy}", 1), ("{d}.{m}.{yy}", 1), ("{o} {M} {yyyy}", 1),
        ("{yyyy} {mm} {dd}", 1),
        ("{d}/{m} {yy}", 1), ("{d}/{m}, {yyyy}", 1), ("{d}-{b}-{yyyy}", 1), ("{yy}-{mm}-{dd}", 2),
        ("{d} {M}, {yyyy}", 1),
    ),
    "ordinal": (("{d}:{e}", 12), ("{d}{e}", 5), ("{o}", 3), ("{d}de", 1)),
    "month": (("{M}", 12), ("{b}", 2)),
    "monthyear": (
        ("{M} {yyyy}", 10), ("{b} {yyyy}", 3), ("{M} -{yy}", 2), ("{b} -{yy}", 2), ("{M} {yy}", 1),
        ("{yyyy}-{mm}", 1), ("{M} '{yy}", 1), ("{M}-{yy}", 1), ("{b} {yy}", 1),
    ),
    "year": (("{yyyy}", 1),),
    "week": (
        ("vecka {v}", 10), ("v {v}", 6), ("v.{v}", 4), ("v. {v}", 4), ("v{v}", 5),
        ("vecka {v} {yyyy}", 1),
        ("vecka {v}-{v2}", 1), ("v {v}-{v2}", 1), ("V{v}", 1), ("v.{v}-{v2}", 1),
    ),
    "weekday": (
        ("{w} {d} {M}", 12), ("{w} {d}/{m}", 12), ("{w} den {d} {M}", 5), ("{w}en den {d} {M}", 3),
        ("{w} den {d}:{e} {M}", 2), ("{w} {d}:{e} {M}", 2), ("{s} {d}/{m}", 4),
        ("{w}en {d} {M}", 2),
        ("{w} {d} {b}", 2), ("{s} {d} {M}", 1), ("{w} den {d}/{m}", 2), ("{w} den {d}:{e}", 2),
        ("{w}en den {d}/{m}", 1), ("{w} {yyyy}-{mm}-{dd}", 1), ("{w} {d} {M} {yyyy}", 1),
        ("{w} den {d}{e}", 1), ("{w} {d}:{e}", 2),
    ),
    "range": (
        ("{d}-{d2} {M}", 10), ("{d}–{d2} {M}", 2), ("{d}/{m}-{x}/{m2}", 5), ("{d} {M}-{x} {M2}", 3),
        ("{d} {M} - {x} {M2}", 2), ("{d}-{d2}/{m}", 5), ("{d} - {d2} {M}", 2),
        ("{d}/{m} - {x}/{m2}", 2),
        ("{d}-{d2} {b}", 2), ("{d}:{e}-{d2}:{e2} {M}", 1),
    ),
    "words": (("{o} {M}", 1),),
}  # fmt: skip
ANY_DATE = (
    ("daymonth", 50), ("full", 22), ("slash", 8), ("iso", 8), ("weekday", 7), ("compact", 3),
    ("words", 2)
)  # fmt: skip

ONES = bag(
    "noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton "
    "sjutton arton nitton"
)
TENS = bag("noll tio tjugo trettio fyrtio femtio sextio sjuttio åttio nittio")

# `{n}` the number, `{w}` in letters.
AGE_STYLES: dict[str, Weighted] = {
    "years": (("{n} år", 30), ("{n}år", 3), ("{w} år", 4)),
    "bare": (("{n}", 1),),
    "small bare": (("{n}", 5), ("{w}", 1)),
    "adj": (("{n}-årig", 8), ("{n} årig", 2), ("{n}årig", 1), ("{w}årig", 2)),
    "noun": (("{n}-åring", 8), ("{n}åring", 2), ("{n} åring", 2), ("{w}åring", 2)),
    "words": (("{w} år", 1),),
    "half": (("{n},5 år", 5), ("{n}.5 år", 1), ("{n} 1/2 år", 1), ("{w} och ett halvt år", 1)),
    "months": (
        ("{n} månader", 10), ("{n} mån", 8), ("{n}mån", 2), ("{w} månader", 3), ("{n} månaders", 1),
    ),
    "months adj": (("{n}-månaders", 3), ("{n} månaders", 3), ("{n} mån", 1)),
    "weeks": (("{n} veckor", 8), ("{n} v", 1), ("{w} veckor", 2)),
    "days": (("{n} dagar", 5), ("{w} dagar", 1), ("{n} dygn", 1)),
    "both": (("{n} år och {k} månader", 1), ("{n} år {k} mån", 1), ("{n} år och {k} mån", 1)),
}  # fmt: skip
AGE_RANGES = {
    "child": (1, 12), "teen": (13, 19), "adult": (20, 74), "old": (76, 101), "baby": (0, 1)
}  # fmt: skip


def spell(number: int) -> str:
    """Write a number under 120 in letters."""
    if number >= 100:
        return "hundra" + (spell(number - 100) if number > 100 else "")
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (ONES[number % 10] if number % 10 else "")


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
        """Write the age."""
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
    """Write a date."""
    if form == "holiday":
        return rng.choice(HOLIDAYS)
    styles = DATE_STYLES[form or weighted(ANY_DATE, rng)]
    end = day + timedelta(days=rng.choice((1, 2, 2, 3, 4, 6, 7, 10)))
    if form == "range" and end.month != day.month:
        styles = tuple(pair for pair in styles if "{x}" in pair[0])
    template = weighted(styles, rng)
    months = rng.choice((SHORT_MONTHS, SHORTEST_MONTHS))
    capital = rng.random() < 0.05
    month, short = MONTHS[day.month - 1], months[day.month - 1]
    week = day.isocalendar()[1]
    return template.format(
        d=day.day, dd=f"{day.day:02d}", e=_ending(day.day), o=ORDINALS[day.day - 1],
        m=day.month, mm=f"{day.month:02d}", M=month.title() if capital else month,
        b=short.title() if capital else short,
        yyyy=day.year, yy=f"{day.year % 100:02d}",
        w=WEEKDAYS[day.weekday()], s=WEEKDAYS[day.weekday()][:3],
        v=week, v2=min(week + rng.randint(1, 2), 53),
        d2=end.day, x=end.day, e2=_ending(end.day), m2=end.month, M2=MONTHS[end.month - 1],
    )  # fmt: skip
