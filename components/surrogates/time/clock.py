"""The year of the run. The same key gives the same surrogates on any day of it. On the year depend how a year of two
digits is read that is just over or to come; whether somebody may be a baby, who only gets older; and the year of
a date with a weekday and without a year. What a message tells of its own date counts more.
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
