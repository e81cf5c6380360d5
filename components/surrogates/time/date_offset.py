"""By how much the dates of a conversation move."""

from typing import NamedTuple

from ..core.scope import Scope

# Whole weeks into the past, by the years that they come near to: each leads to a day four to eight
# weeks off the same day of another year, so that the season holds, and into the past, as what has
# happened has no date that is still to come. Left out are those of 28 to 31 days, under which some
# day would keep its number, and of 43 to 47, under which two months would become one.
WEEKS_BACK = {
    1: (45, 46, 47, 57, 58, 59, 60),
    2: (97, 99, 109, 110, 111, 112),
    3: (149, 151, 162, 164),
    4: (201, 203, 204, 214, 216),
    5: (253, 254, 255, 256, 266, 268),
    6: (306, 307, 308, 318, 319, 320, 321),
    7: (358, 359, 360, 370, 371, 372, 373),
}


class Offset(NamedTuple):
    """Whole weeks that are added to the dates of a conversation, and the years that they come near
    to."""

    weeks: int
    years: int

    @property
    def days(self) -> int:
        """The weeks in days."""
        return 7 * self.weeks


OFFSETS = tuple(Offset(-weeks, -years) for years, all_ in WEEKS_BACK.items() for weeks in all_)


def get_offset(scope: Scope) -> Offset:
    """Get the offset that all dates of a scope share. It follows from the key and the conversation
    alone, so that messages agree which are not at hand together."""
    return OFFSETS[scope.number(len(OFFSETS), "offset")]
