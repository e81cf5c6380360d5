"""Surrogates of calendar dates."""

from collections.abc import Sequence

from ...text.casing import fold
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from .date_forms import parse
from .date_patterns import TIMELESS
from .date_shift import MONTH_POOL, Shift
from .generalised_dates import GeneralisedDates
from .timeline import get_timeline


class DateSurrogates(Replacer):
    """Shifts the dates of a scope by one offset (`date_offset`): whole weeks, so that weekdays and
    workdays stay, and the order and distance of dates with them; into the past, to another part of
    the same season.

    Full dates, days with their month, and weeks shift exactly; those that name no year are in the
    one that the conversation tells, a day alone is in the month that it tells (`ImpliedDates`). Months
    alone become that of their shifted middle, years and seasons with a year move by the years of
    the offset, named days to the next other named day, outside of the exact distances. Each of
    these always changes, the form of writing stays. Dates that do not exist turn into others that
    do not exist. Birth dates move as `Timeline` tells: so a year of birth may stay what it is, if its
    personnummer stays in it, and any date may become what another one was. Weekdays and seasons
    alone tell no date, and stay.

    mode (str): "shift"; or "month" or "year": true dates, of which only so much is left.
    """

    def __init__(self, mode: str = "shift") -> None:
        self.mode = mode

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        dates: Shift | GeneralisedDates = (
            Shift(mentions, scope)
            if self.mode == "shift"
            else GeneralisedDates(mentions, scope, self.mode)
        )
        return [dates.replace(i) for i in range(len(mentions))]

    def _get_pool(self) -> Pool:
        return MONTH_POOL

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """What tells no date stays, and what is coarse enough; and a year of birth, or its month,
        where the birth date stays in it."""
        if self.mode != "shift":
            return True
        return mention in get_timeline(scope).kept or bool(TIMELESS.fullmatch(mention.text))

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        out = []
        for mention in mentions:
            reading = parse(mention.text)
            parts = [reading.number(n, s) for s in (False, True) for n in "ymdw"] if reading else []
            names_year = reading and reading.names_year
            out.append(repr(parts) if any(parts) and not names_year else fold(mention.text))
        return out
