"""The form of numbers: postal codes, the day in a samordningsnummer."""

import re

POSTAL_CODE = re.compile(r"(?<!\d)\d{3}\s?\d{2}(?!\d)")
COORDINATION = 60  # added to the day of birth in a samordningsnummer


def split_day(day: int) -> tuple[int, int]:
    """Take apart the day in a personnummer or a samordningsnummer.

    day (int): The two digits of the day.
    RETURNS (tuple[int, int]): The day of birth, and what was added to it: 0 or 60.
    """
    added = COORDINATION if day > COORDINATION else 0
    return day - added, added
