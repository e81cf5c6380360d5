"""Tables and words of variants: by hand."""

from lab.workbench.scored import MEASURES
from lab.workbench.telling import (
    get_figures,
    get_value,
    make_bars,
    make_line,
    make_tables,
    tell_gain,
)
from training_tools.report.plots import Line


def make_counts(part):
    """Ten units of ten entities each; nothing without PHI."""
    return [[[part, 10] if name != "clean" else [0, 0] for name in MEASURES] for _ in range(10)]


RESULTS = {
    "good": {"counts": {"test": make_counts(9)}, "runs": [{"threshold": 0.5, "minutes": 1.5}]},
    "bad": {"counts": {"test": make_counts(4), "other": make_counts(5)}, "runs": []},
}


def test_tables_compare_with_the_base():
    test, other = make_tables(RESULTS, ("redact", "clean"), base="bad")
    assert (test.title, test.head) == ("On test", ["", "redact", "clean"])
    assert test.rows == [
        ["good", ".900 (.900-.900)", "–"],
        ["bad", ".400 (.400-.400)", "–"],
        ["good against bad, points", "+50.0 (+50.0 to +50.0)", "–"],
    ]
    assert other.rows == [["bad", ".500 (.500-.500)", "–"]]
    assert len(make_tables(RESULTS, base=None)[0].rows) == 2


def test_words_and_figures():
    good, bad = make_counts(9), make_counts(4)
    assert tell_gain(good, bad, "redact") == "+50.0 points (+50.0 to +50.0)"
    assert tell_gain(bad, bad, "redact") == "+0.0 points (+0.0 to +0.0), which may be chance"
    assert tell_gain(good, bad, "clean") == "nothing to count"
    assert (get_value(good, "redact"), get_value(good, "clean")) == (0.9, 0.0)
    figures = get_figures(RESULTS)["good"]
    assert figures["thresholds"] == [0.5] and figures["minutes"] == [1.5]
    assert figures["measures"]["test"]["redact"] == [0.9, 0.9, 0.9]


def test_lines_leave_out_what_cannot_be_counted():
    assert make_line(RESULTS, "test", "redact") == Line(
        ["good", "bad"], (0.9, 0.4), (0.9, 0.4), (0.9, 0.4)
    )
    assert make_line(RESULTS, "test", "clean") == Line([], (), (), ())
    bars = make_bars(RESULTS, "redact")
    assert [(name, line.x) for name, line in bars.items()] == [
        ("test", ["good", "bad"]),
        ("other", ["bad"]),
    ]
