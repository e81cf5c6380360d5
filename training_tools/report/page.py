"""The pages of the report. Each loads nothing: its frame is that of the run report."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from components.reports.pages import make_environment, make_page
from training_tools.report.outcome import Outcome

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
