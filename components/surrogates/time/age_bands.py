"""Ages in bands of five years."""

import re
from collections.abc import Sequence

from .age_forms import Age, is_half_year

WIDTH = 5
LAST = 90
A_YEAR = {"years": 1, "months": 12, "weeks": 52, "days": 365}
# The unit behind the last number, with its ending; what says that it may be more.
UNIT = re.compile(
    r"(?P<gap>\s*-?\s*)(?:m[åa]n(?:ad|ader)?s?|veck(?:a|or)s?|v|dag(?:ar)?s?|dgr|dygns?|dar)(?![^\W\d_])\.?",
    re.IGNORECASE,
)
MORE = re.compile(r"\s*(?:\+|plus(?![^\W\d_]))", re.IGNORECASE)


def write_bands(text: str, ages: Sequence[Age]) -> str | None:
    """Write the band of five years that an age is in: `90+ år` of `93 år`, `0-4 år` of `8 mån`;
    None if it has no number."""
    if not ages:
        return None
    years = [age.value // A_YEAR[age.unit] for age in ages if not age.minor]
    tail = MORE.sub("", text[ages[-1].end :], count=1)
    if is_half_year(ages[-1].text):
        tail = " år" + tail
    unit = UNIT.match(tail)
    if unit and ages[-1].unit != "years":
        tail = (unit["gap"] or " ") + "år" + tail[unit.end() :]
    if tail[:1].isalpha() and not ages[-1].text.isdecimal():
        tail = "-" + tail
    return text[: ages[0].start] + _get_band(min(years), max(years)) + tail


def _get_band(first: int, last: int) -> str:
    low = min(first - first % WIDTH, LAST)
    if last >= LAST:
        return f"{low}+"
    return f"{low}-{last - last % WIDTH + WIDTH - 1}"
