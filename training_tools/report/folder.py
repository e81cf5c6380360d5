"""The folder of the outcomes, and the report that is made of them."""

from dataclasses import asdict
from pathlib import Path

import srsly
from pydantic import TypeAdapter
from wasabi import msg

from training_tools.report.outcome import Outcome
from training_tools.report.page import make_report

FOLDER = Path("metrics")
# Outcomes lie apart from the other figures, so that the report finds them, and nothing else.
OUTCOMES = "outcomes"
REPORT = "report.html"


def write_outcome(outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write an outcome as JSON and SVG plots, and the report of all outcomes."""
    outcomes = folder / OUTCOMES
    outcomes.mkdir(parents=True, exist_ok=True)
    path = outcomes / f"{outcome.name}.json"
    before = srsly.read_json(path).get("data", "") if path.exists() else outcome.data
    if before != outcome.data:
        msg.info(f"The report had {outcome.name} on {before}; now it has {outcome.data}")
    for left in outcomes.glob(f"{outcome.name}-*.svg"):
        if left.stem.removeprefix(f"{outcome.name}-").isdecimal():
            left.unlink()
    for number, plot in enumerate(outcome.plots, start=1):
        (outcomes / f"{outcome.name}-{number}.svg").write_text(plot.svg, encoding="utf8")
    srsly.write_json(path, asdict(outcome))
    write_report(folder)
    return path


def write_report(folder: Path = FOLDER) -> tuple[Path, int]:
    outcomes = read_outcomes(folder)
    if not outcomes:
        raise ValueError(
            f"Nothing was measured yet: {folder / OUTCOMES} holds no outcome. Measure first, "
            "e.g. spacy project run report . --vars.test my_messages.jsonl."
        )
    path = folder / REPORT
    path.write_text(make_report(outcomes), encoding="utf8")
    return path, len(outcomes)


def read_outcomes(folder: Path = FOLDER) -> list[Outcome]:
    paths = sorted((folder / OUTCOMES).glob("*.json"))
    return [TypeAdapter(Outcome).validate_json(path.read_bytes()) for path in paths]
