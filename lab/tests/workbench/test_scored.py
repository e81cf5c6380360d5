"""Counts of scores: what they hold, add up to and differ by."""

import pytest
import spacy

import components  # noqa: F401
from components.text.hits import make_span
from lab.workbench.scored import (
    MEASURES,
    Share,
    count,
    get_gains,
    get_shares,
    pool,
    write_cells,
    write_gain,
)

PLACES = list(MEASURES)


def make_row(text, *spans, conversation=None):
    row = {"text": text, "spans": [dict(zip(("start", "end", "label"), span)) for span in spans]}
    return {**row, "conversation": conversation} if conversation else row


def make_unit(**parts):
    """Counts of a unit: nothing but these."""
    named = {name.replace("_", " "): pair for name, pair in parts.items()}
    return [list(named.get(name, (0, 0))) for name in MEASURES]


def test_counts_what_was_found():
    """Anna is found, Lund with the wrong class, Bo is not, and of Hej too much: by hand."""
    nlp = spacy.blank("sv")
    rows = [
        make_row("Anna i Lund", (0, 4, "PERSON"), (7, 11, "LOCATION"), conversation="c"),
        make_row("Hej", conversation="c"),
        make_row("Bo", (0, 2, "PERSON")),
        make_row("Hej igen"),
    ]
    docs = [nlp(row["text"]) for row in rows]
    docs[0].ents = [make_span(docs[0], 0, 4, "PERSON"), make_span(docs[0], 7, 11, "ORGANISATION")]
    docs[3].ents = [make_span(docs[3], 0, 3, "PERSON")]
    counts = count(rows, docs)
    assert len(counts) == 3
    shares = {name: share.value for name, share in get_shares(counts).items()}
    assert shares == pytest.approx(
        {
            "strict P": 1 / 3,
            "strict R": 1 / 3,
            "strict F1": 2 / 6,
            "one class P": 2 / 3,
            "one class R": 2 / 3,
            "one class F1": 4 / 6,
            "redact": 2 / 3,
            "full": 1 / 2,
            "clean": 1 / 2,
        }
    )


def test_what_cannot_be_counted_is_left_out():
    shares = get_shares([make_unit(redact=(1, 2)), make_unit(redact=(2, 2))])
    assert list(shares) == ["redact"]
    assert shares["redact"].value == 0.75
    assert write_cells(shares, ["redact", "clean"]) == [".750 (.500-1.000)", "–"]


def test_seeds_are_pooled_by_unit():
    one, other = [make_unit(redact=(1, 2))], [make_unit(redact=(2, 2))]
    assert get_shares(pool([one, other]))["redact"] == Share(0.75, 0.75, 0.75)


def test_gains_are_paired():
    """One is better by the same on each unit: on any sample, too."""
    base = [make_unit(redact=(n, 10)) for n in (1, 9, 3, 5)]
    better = [make_unit(redact=(n, 10)) for n in (2, 10, 4, 6)]
    gain = get_gains(better, base)["redact"]
    assert gain == pytest.approx((0.1, 0.1, 0.1))
    assert gain.is_sure and write_gain(gain) == "+10.0 (+10.0 to +10.0)"
    assert not get_gains(base, base)["redact"].is_sure
    with pytest.raises(ValueError, match="the same messages"):
        get_gains(base[:3], base)


def test_gains_of_samples_that_differ_are_unsure():
    base = [make_unit(clean=(n, 1)) for n in (1, 0, 1, 0, 1, 0)]
    other = [make_unit(clean=(n, 1)) for n in (0, 1, 1, 0, 1, 1)]
    gain = get_gains(other, base)["clean"]
    assert gain.value == pytest.approx(1 / 6) and gain.low < 0 < gain.high
    assert not gain.is_sure
