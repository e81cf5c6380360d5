"""What is read of a row."""

import math
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from components.jobs.rows import read_time
from components.tables.errors import RowError

MAY = datetime(2024, 5, 3, 12, 30, tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(
    "value, seconds",
    [
        ("2024-05-03T12:30:00Z", MAY),
        ("2024-05-03T14:30:00+02:00", MAY),
        (" 2024-05-03 12:30:00 ", MAY),
        ("2024-05-03", MAY - 45_000),
        (date(2024, 5, 3), MAY - 45_000),
        (datetime(2024, 5, 3, 12, 30), MAY),
        (datetime(2024, 5, 3, 14, 30, tzinfo=timezone(timedelta(hours=2))), MAY),
        (7, 7.0),
        (7.5, 7.5),
        (Decimal("7.5"), 7.5),
        ("7", 7.0),
        ("1712010112345", 1712010112345.0),  # a day of 1712 in ISO 8601, too
    ],
)
def test_times(value, seconds):
    assert read_time({"time": value}, "time") == seconds


@pytest.mark.parametrize("values", [{}, {"time": None}, {"time": ""}])
def test_no_time(values):
    assert math.isnan(read_time(values, "time"))


@pytest.mark.parametrize("value", ["Knurvel", "2024-13-01", True, [7], {}, 10**400])
def test_what_is_no_time(value):
    with pytest.raises(RowError, match="'time' is no time") as error:
        read_time({"time": value}, "time")
    assert "Knurvel" not in str(error.value)
