"""Rules for what the patterns found: which of it the model must have seen, too."""

from ..labels import RULES_KEY
from .finds import Find
from .reading import Reading
from .rules import rule

# What may as well be a share, a point of a scale, a row of doses or the lead of an ECG.
SHORT_DATES = frozenset(
    f"{RULES_KEY}:date.{form}" for form in ("slash", "slash_weekday", "dmy", "week", "week_list")
)
# What may as well be how long something takes or lasts, or a number of anything.
WEAK_AGES = frozenset(f"{RULES_KEY}:age.{form}" for form in ("years", "alone", "bare", "name_bare"))


@rule("confirm.short_date", ["DATE"])
def confirm_short_date(reading: Reading, find: Find) -> bool | None:
    """`[3/10] i vila`, `dos [8-10-12]` → nothing: a day or week in figures alone, where the model reads nothing."""
    if reading.modelled is None or find.trace[0].by not in SHORT_DATES:
        return None
    return reading.modelled.isdisjoint(range(find.start, find.end))


@rule("confirm.weak_age", ["AGE"])
def confirm_weak_age(reading: Reading, find: Find) -> bool | None:
    """`räcker [5 år]`, `Kulan är [1,5] x 2 cm` → nothing: a number that may be an age, where the model reads nothing."""
    if reading.modelled is None or find.trace[0].by not in WEAK_AGES:
        return None
    return reading.modelled.isdisjoint(range(find.start, find.end))
