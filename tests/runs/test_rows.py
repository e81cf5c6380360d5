"""What is read of a row."""

import math
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from components.runs.rows import read_conversation, read_texts
from components.runs.run_settings import Settings
from components.tables.errors import RowError
from components.tables.jsonl import JsonRecord
from components.tables.times import read_time
from tests.cases import read_cases

MAY = datetime(2024, 5, 3, 12, 30, tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(
    "value, seconds",
    [
        *read_cases(__file__)["test_times"],
        (date(2024, 5, 3), MAY - 45_000),
        (datetime(2024, 5, 3, 12, 30), MAY),
        (datetime(2024, 5, 3, 14, 30, tzinfo=timezone(timedelta(hours=2))), MAY),
        (Decimal("7.5"), 7.5),
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


@pytest.mark.parametrize("has_cells", [False, True])
@pytest.mark.parametrize("names", [("text",), ("text", "other")])
def test_null_is_no_text(names, has_cells):
    settings = Settings(text_fields=names)
    assert read_texts({"text": None}, settings, has_cells) == {}
    assert read_texts({"text": ""}, settings, has_cells) == {"text": ""}


@pytest.mark.parametrize("names", [("text",), ("text", "other")])
def test_a_field_that_is_not_there(names):
    with pytest.raises(RowError, match="field"):
        read_texts({"id": 1}, Settings(text_fields=names))


@pytest.mark.parametrize("value", [None, "", 0, "0", "a"])
def test_conversation(value):
    expected = None if value in (None, "") else str(value)
    assert read_conversation(JsonRecord(0, 1, b""), {"c": value}, "c") == expected
