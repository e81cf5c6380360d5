"""Times in columns."""

from datetime import date, datetime, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.tables.errors import RowError
from components.tables.times import is_time, move_time, read_time
from tests.cases import cases


@cases
def test_moved(value, moved):
    """By ten days. Clock, zone and form stay; a number in a row does."""
    assert move_time(value, 10, "when") == moved


@pytest.mark.parametrize(
    "value, moved",
    [
        (date(2024, 5, 3), date(2024, 5, 13)),
        (
            datetime(2024, 5, 3, 10, 12, tzinfo=timezone.utc),
            datetime(2024, 5, 13, 10, 12, tzinfo=timezone.utc),
        ),
        (Decimal("1714731120.25"), Decimal("1715595120.25")),
    ],
)
def test_moved_values(value, moved):
    assert move_time(value, 10, "when") == moved


@pytest.mark.parametrize("value", ["9999-12-31", "snart", date(9999, 12, 31)])
def test_what_cannot_be_moved_is_refused_without_it(value):
    with pytest.raises(RowError, match="'when'") as error:
        move_time(value, 10, "when")
    assert str(value) not in str(error.value)


@given(st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)), st.integers(-3000, -300))
def test_every_iso_time_moves_by_the_days(when, days):
    for text in (when.isoformat(), when.isoformat(" ", "minutes"), f"{when.isoformat()}Z"):
        moved = move_time(text, days, "when")
        seconds = read_time({"when": moved}, "when") - read_time({"when": text}, "when")
        assert seconds == pytest.approx(days * 86400) and moved[10:] == text[10:]
        assert is_time(text)
