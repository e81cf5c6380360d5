"""The year in which messages are replaced: nothing else depends on the date of the run.

Only the year is used, so that the same key gives the same surrogates on any day of it. Another year may change
three things: how a year of two digits is read that is just over or to come (`get_recent`); whether somebody may
be a baby, who only gets older; and, of a date with a weekday and without a year, which year it is of. What a message
tells of its own date counts more than the clock.
"""

import datetime as dt

# Messages are not older than this, and years to come are spoken of so far ahead.
OLDEST_MESSAGE = 2010
AHEAD = 4
BABY_YEARS = 6  # born so many years ago, somebody may still be a baby in a message


def get_today() -> dt.date:
    """RETURNS (datetime.date): The day of the run."""
    return dt.date.today()


def get_year() -> int:
    """RETURNS (int): The year of the run."""
    return get_today().year


def get_recent() -> int:
    """RETURNS (int): Years of two digits before this one are of this century."""
    return (get_year() + AHEAD) % 100


def get_present() -> range:
    """RETURNS (range): The years in which messages are written, as far as they do not tell it."""
    return range(OLDEST_MESSAGE, get_year() + AHEAD + 1)


def may_be_baby(year: int) -> bool:
    """Whether somebody may be a baby, and only gets older: nobody is born tomorrow."""
    return year >= get_year() - BABY_YEARS
