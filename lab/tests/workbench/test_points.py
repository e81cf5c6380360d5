"""A plot of points tells which is which."""

from lab.workbench.plots import draw_points
from training_tools.report.plots import Line


def test_points_have_names():
    points = {"ours": Line([100], [0.9], [0.8], [0.95]), "theirs": Line([10], [0.5])}
    svg = draw_points(points, "words a second", "redact", xscale="log")
    assert ">ours<" in svg and ">theirs<" in svg and "redact" in svg
