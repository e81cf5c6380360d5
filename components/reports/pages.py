"""Pages of HTML, by the templates of a folder. A page of this one is one file and loads nothing."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..shared.labels import LABELS
from .before_after import make_visible
from .concerns import write_percent

NOTHING = "–"
# The colours of the eight classes, light enough for dark letters.
COLOURS = ("#cfe3ff", "#cdeed3", "#ffe0bd", "#ffd0d4", "#e4d6ff", "#c9eff2", "#fbe98f", "#f7d3ee")
OTHER_COLOUR = "#dfe2e6"


def make_environment(folder: Path) -> Environment:
    """Make what renders the templates of a folder.

    RETURNS (Environment): Jinja's environment, with the filters that all pages share.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        visible=make_visible,
        colour=lambda label: dict(zip(LABELS, COLOURS)).get(label, OTHER_COLOUR),
        thousands=lambda number: f"{number:,}",
        number=write_number,
        share=write_share,
    )
    return environment


def render(name: str, **values: Any) -> str:
    """Fill a template of this folder."""
    return _environment.get_template(name).render(values)


def make_page(title: str, parts: Iterable[str], style: str = "") -> str:
    """Write a page of parts in HTML."""
    return render("frame.html", title=title, parts=parts, style=style)


def write_share(share: float | None) -> str:
    """Write a share in percent. The sign stays on the line of the number."""
    return NOTHING if share is None else write_percent(share).replace(" ", "\u00a0")


def write_number(value: float | None, digits: int = 1) -> str:
    """Write a number, a dash where there is none."""
    return NOTHING if value is None else f"{value:,.{digits}f}"


_environment = make_environment(Path(__file__).parent / "templates")
