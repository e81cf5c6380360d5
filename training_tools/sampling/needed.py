"""How many units must be annotated for what one wants to know of the leak rate."""

from collections.abc import Sequence

from training_tools.binomial import count_for_bound, count_for_width, get_upper_bound
from training_tools.report.outcome import Plot, Table
from training_tools.report.plots import Line, draw_lines

BOUNDS = (0.1, 0.05, 0.02, 0.01, 0.005)
LEAKS = (0, 1, 2, 5, 10)
RATES = (0.01, 0.02, 0.05, 0.1)
WIDTHS = (0.2, 0.1, 0.05, 0.02)
UNITS = (20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 3000, 5000)


def tabulate_bounds(bounds: Sequence[float], delta: float) -> Table:
    """Tell how many units a promise needs.

    bounds (Sequence[float]): The leak rates to be promised.
    delta (float): How often the promise may be wrong.
    RETURNS (Table): By how many of the units leak.
    """
    rows = [
        [f"{bound:g}", *(str(count_for_bound(bound, leaks, delta)) for leaks in LEAKS)]
        for bound in sorted({*bounds}, reverse=True)
    ]
    title = f"Units needed to promise a leak rate with confidence {1 - delta:g}, by how many leak"
    return Table(title, ["at most", *(f"{leaks} leak" for leaks in LEAKS)], rows)


def tabulate_widths() -> Table:
    """RETURNS (Table): How many units a 95 % interval of a width needs, by the rate that is expected."""
    rows = [
        [f"{width:g}", *(str(count_for_width(rate, width)) for rate in RATES)] for width in WIDTHS
    ]
    title = (
        "Units needed for a 95 % interval (Clopper-Pearson) no wider than this, by the leak rate"
    )
    return Table(title, ["width", *(f"{rate:g} leak" for rate in RATES)], rows)


def draw_bounds(delta: float) -> Plot:
    """Draw what can be promised.

    delta (float): How often the promise may be wrong.
    RETURNS (Plot): The upper bound of the leak rate against the number of units.
    """
    lines = {
        f"{leaks} leak": Line(UNITS, [get_upper_bound(leaks, units, delta) for units in UNITS])
        for leaks in LEAKS
    }
    svg = draw_lines(lines, "units", "leak rate, upper bound", xscale="log", yscale="log")
    return Plot("What can be promised with how many units", svg)
