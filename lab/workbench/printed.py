"""The figures that pages print, in one file: the README and the model card are written from it, and all
pages are checked against it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import srsly

from components.measures.evaluation import Evaluation
from components.measures.figures import write_share
from training_tools.markdown import get_state

# The name of the file, beside the page with the results.
PRINTED = "figures.json"
SHARES = ("redact", "full", "clean")
# As many digits as pages print.
DIGITS = 3


def keep_figures(
    path: Path, name: str, merged: Evaluation, title: str = "", threshold: str = ""
) -> None:
    """Keep what a page prints.

    path (Path): The file of figures.
    name (str): The name of the block of the page.
    merged (Evaluation): What was measured of what comes out.
    title (str): What the messages are.
    threshold (str): The threshold, as the page tells it.
    """
    kept = srsly.read_json(path) if path.exists() else {}
    figures = merged.get_figures()
    per_class = {
        label: {measure: own[measure] for measure in ("p", "r", "f", "redact")}
        for label, own in figures["per_class"].items()
    }
    found = figures["intervals"]
    intervals = {each: found.get(each) for each in SHARES}
    intervals["strict"] = found.get("strict", {}).get("f")
    kept[name] = _round(
        {
            "title": title,
            **{each: figures[each] for each in ("messages", "spans", "strict", *SHARES)},
            "intervals": intervals,
            "per_class": per_class,
            "threshold": threshold,
            "state": get_state(),
        }
    )
    srsly.write_json(path, kept)


def _round(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _round(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_round(each) for each in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def write_headline(figures: Mapping[str, Any]) -> list[str]:
    """RETURNS (list[str]): The row of a set in the README and the model card."""
    intervals = figures["intervals"]
    # Without entities what is found wrongly has an F1 of 0, which says less than `clean`.
    strict = None if figures["redact"] is None else figures["strict"]["f"]
    cells = [write_share(strict, intervals["strict"])]
    cells += [write_share(figures[name], intervals[name]) for name in SHARES]
    return [f"{figures['messages']} {figures['title']}", *cells]
