"""Plots that only the experiments draw."""

from collections.abc import Mapping
from typing import Any

import matplotlib
from matplotlib import pyplot

from training_tools.report.plots import STYLE, Line, write_svg


def draw_points(
    points: Mapping[str, Line], x_label: str, y_label: str, **axes_settings: Any
) -> str:
    """Draw a point for each of several systems, with its name beside it.

    points (Mapping[str, Line]): By name: one place each, with its interval.
    x_label (str), y_label (str): What the axes show.
    **axes_settings (Any): What matplotlib's `Axes.set` takes, e.g. `xscale="log"`.
    RETURNS (str): SVG.
    """
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7, 4))
        for name, point in points.items():
            errors = None
            if point.low:
                errors = [[point.y[0] - point.low[0]], [point.high[0] - point.y[0]]]
            drawn = axes.errorbar(point.x, point.y, yerr=errors, fmt="o", markersize=5)
            axes.annotate(
                name,
                (point.x[0], point.y[0]),
                xytext=(6, 4),
                textcoords="offset points",
                fontsize="small",
                color=drawn[0].get_color(),
            )
        axes.set(xlabel=x_label, ylabel=y_label, **axes_settings)
        axes.margins(x=0.15)
        return write_svg(figure)
