"""The folder of the outcomes, and the report that is made of them. It loads nothing: its frame is that
of the run report.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import srsly
from markupsafe import Markup
from pydantic import TypeAdapter
from wasabi import msg

from components.reports.pages import make_environment, make_page
from training_tools.report.outcome import Outcome

FOLDER = Path("metrics")
# Outcomes lie apart from the other figures, so that the report finds them, and nothing else.
OUTCOMES = "outcomes"
REPORT = "report.html"
TEMPLATES = Path(__file__).parent / "templates"
TITLE = "De-identification of chat messages: what was measured"
# The experiments in the order in which they are read; others follow by name.
ORDER = (
    ("leaks", "certify", "attack", "blind-test", "evaluate", "errors", "tune-threshold")
    + ("compare", "single-class", "learning-curve", "rules-vs-model", "ablate", "search")
    + ("cross-validate", "train-on-surrogates", "agreement", "sample")
)  # fmt: skip
LETTER = re.compile(r"[^\W\d_]")
IDS = re.compile(r"""(?<=\bid=["'])|(?<=url\(#)|(?<=href=["']\#)""")

ENVIRONMENT = make_environment(TEMPLATES)
ENVIRONMENT.tests["text"] = lambda cell: bool(LETTER.match(str(cell)))
# Two plots of a page may have the same ids.
ENVIRONMENT.filters["with_ids"] = lambda svg, name: Markup(IDS.sub(f"{name}-", svg))


def make_report(outcomes: Sequence[Outcome]) -> str:
    """Write the report: first what those read who answer for the messages, then the details."""
    return render("report.html", TITLE, outcomes=sorted(outcomes, key=_get_place))


def render(template: str, title: str, **values: Any) -> str:
    style = (TEMPLATES / "style.css").read_text(encoding="utf8")
    return make_page(title, [ENVIRONMENT.get_template(template).render(values)], style)


def _get_place(outcome: Outcome) -> tuple[int, str]:
    known = outcome.name in ORDER
    return (ORDER.index(outcome.name) if known else len(ORDER), outcome.name)


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
    read = TypeAdapter(Outcome).validate_json
    return [read(path.read_bytes()) for path in sorted((folder / OUTCOMES).glob("*.json"))]
