"""Plots for pages: SVG that is read on light and on dark, the same bytes for the same figures."""

import re
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib import pyplot
from matplotlib.figure import Figure

# It names addresses, and a page must name none.
METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
STYLE: Any = matplotlib.rc_params_from_file(
    Path(__file__).with_name("plots.mplstyle"), use_default_template=False
)


class Line(NamedTuple):
    """A line of a plot, with a band around it where it has intervals."""

    x: Sequence[Any]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def make_line(points: Mapping[str, tuple[float, float, float]]) -> Line:
    """Make a line of values, by name, with their intervals, which are widened to hold the values."""
    values, low, high = zip(*points.values()) if points else ((), (), ())
    return Line([*points], values, [*map(min, low, values)], [*map(max, high, values)])


def draw_lines(lines: Mapping[str, Line], x_label: str, y_label: str, **axes_settings: Any) -> str:
    """Draw lines by name. Further settings are those of matplotlib's `Axes.set`."""
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(7, 4))
        for name, line in lines.items():
            (drawn,) = axes.plot(line.x, line.y, marker="o", markersize=4, label=name)
            if line.low:
                axes.fill_between(
                    line.x, line.low, line.high, color=drawn.get_color(), alpha=0.15, linewidth=0
                )
        axes.set(xlabel=x_label, ylabel=y_label, **axes_settings)
        if len(lines) > 1:
            axes.legend(fontsize="small")
        return write_svg(figure)


def draw_bars(bars: Mapping[str, Line], x_label: str) -> str:
    """Draw a point with its interval for each name and row; `x` of a line names the rows."""
    with matplotlib.rc_context(STYLE):
        rows = list(dict.fromkeys(str(row) for bar in bars.values() for row in bar.x))
        figure, axes = pyplot.subplots(figsize=(7, 0.7 + 0.35 * len(rows)))
        for number, (name, bar) in enumerate(bars.items()):
            shift = 0.5 * ((number + 0.5) / len(bars) - 0.5)
            places = [rows.index(str(row)) + shift for row in bar.x]
            errors = None
            if bar.low:
                below = [value - low for value, low in zip(bar.y, bar.low)]
                above = [high - value for value, high in zip(bar.y, bar.high)]
                errors = [below, above]
            axes.errorbar(bar.y, places, xerr=errors, fmt="o", markersize=4, label=name)
        axes.set(yticks=range(len(rows)), yticklabels=rows, xlabel=x_label)
        axes.invert_yaxis()
        if len(bars) > 1:
            # Beside the points, that lie anywhere.
            axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
        return write_svg(figure)


def write_svg(figure: Figure) -> str:
    matplotlib.use("Agg")
    out = StringIO()
    figure.savefig(
        out, format="svg", metadata={"Date": None}, bbox_inches="tight", transparent=True
    )
    pyplot.close(figure)
    svg = METADATA.sub("", out.getvalue())
    return svg[svg.index("<svg") :]
