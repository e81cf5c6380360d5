"""What is said of a run that may be wrong."""

from collections import Counter

import pytest

from components.reports.concerns import find_concerns, find_lonely, write_percent
from components.reports.summary import Summary
from tests.cases import read_cases


def make(**more):
    """A run with which nothing is wrong."""
    counts = {
        "rows": 10_000,
        "messages": 10_000,
        "touched": 5_000,
        "found": {
            "PERSON": Counter({"rules+phi": 100}),
            "LOCATION": Counter({"phi": 100}),
            "ORGANISATION": Counter({"phi": 100}),
        },
        "confidence": {"PERSON": Counter({"0.4": 30, "0.5": 70, "0.9": 200})},
        "languages": Counter({"sv": 8_000, "en": 1_000, "fi": 500, "unknown": 500}),
        "rejected": Counter({"not valid JSON": 100}),
        "failed": Counter({"phi_ner": 100}),
        "empty": 2_000,
    }
    return Summary(**counts | more)


@pytest.mark.parametrize(
    "counts, said",
    [
        (
            {"alone": 10_000},
            "Name the column that tells it (--conversation-field): 'Chat_ID', 'case'?",
        ),
        ({"alone": 9_999}, ""),
        ({"alone": 1, "rows": 1}, ""),
    ],
)
def test_rows_that_are_read_one_by_one(counts, said):
    columns = {name: Counter() for name in ("Chat_ID", "case", "note", "meta.chat")}
    lonely = find_lonely(make(columns=columns, **counts))
    assert bool(lonely) == bool(said) and said in "".join(lonely)
    assert {*lonely} <= {*find_concerns(make(columns=columns, **counts), True)}


def test_nothing_to_say():
    assert find_concerns(make(), True) == []


@pytest.mark.parametrize(
    "more, start",
    [
        ({"rows": 0, "messages": 0, "empty": 0, "failed": Counter()}, "No row came out."),
        ({"messages": 2_000, "failed": Counter()}, "All messages are empty"),
        ({"touched": 0}, "Nothing was replaced in any of 8,000 messages."),
        ({"touched": 79}, "Something was replaced in only 1.0 % of the messages."),
        ({"rejected": Counter({"a": 60, "b": 42})}, "102 rows were rejected (1.0 %)"),
        ({"failed": Counter({"phi_ner": 101})}, "The pipeline failed on 101 messages (1.0 %)"),
        ({"empty": 2_001}, "20.0 % of the messages are empty"),
        (
            {"languages": Counter({"sv": 9_498, "fi": 502})},
            "5.0 % of the messages are in a language",
        ),
        ({"confidence": {"AGE": Counter({"0.4": 31, "0.9": 269})}}, "10.3 % of the entities have"),
    ],
)
def test_limits(more, start):
    summary = make(**more)
    (said,) = (text for text in find_concerns(summary, True) if text.startswith(start))
    assert said not in find_concerns(make(), True)


def test_no_key():
    (said,) = find_concerns(make(), False)
    assert said.startswith("SV_DEID_KEY was not set")


@pytest.mark.parametrize(
    "found, said",
    [
        ({"PERSON": Counter({"rules+gazetteer": 99})}, False),
        ({"PERSON": Counter({"rules+gazetteer": 100})}, True),
        ({"PERSON": Counter({"rules": 99, "phi+gazetteer": 1})}, False),
    ],
)
def test_model_that_finds_nothing(found, said):
    texts = find_concerns(make(found=found, messages=100, empty=0, failed=Counter()), True)
    assert (
        any(text.startswith("The model found none of the 100 entities") for text in texts) == said
    )


@pytest.mark.parametrize(
    "full, found, said",
    [
        (1000, {"LOCATION": Counter(phi=1)}, ["No PERSON and no ORGANISATION was found in 1,000"]),
        (999, {"LOCATION": Counter(phi=1)}, []),
        # Trained with one class.
        (1000, {"PHI": Counter(phi=1)}, []),
    ],
)
def test_class_that_is_never_found(full, found, said):
    summary = make(found=found, messages=full, empty=0, failed=Counter())
    texts = [text for text in find_concerns(summary, True) if text.startswith("No ")]
    assert [text.split(" messages")[0] for text in texts] == said


@pytest.mark.parametrize("share, text", read_cases(__file__)["test_percent"])
def test_percent(share, text):
    assert write_percent(share) == text
