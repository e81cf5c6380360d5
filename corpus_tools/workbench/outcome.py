"""What an experiment came to: figures, tables and plots, and the words that go with them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import srsly

from corpus_tools import markdown

FOLDER = Path("metrics")
# Outcomes lie apart from the other figures, so that the report finds them, and nothing else.
OUTCOMES = "outcomes"


@dataclass(frozen=True)
class Table:
    """A table of an outcome.

    title (str): What it shows.
    head (Sequence[str]): The names of the columns.
    rows (Sequence[Sequence[str]]): The cells, row by row; the first names the row.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Plot:
    """A plot of an outcome.

    title (str): What it shows, for those who cannot see it, too.
    svg (str): The picture, see `corpus_tools/workbench/plots.py`.
    """

    title: str
    svg: str


@dataclass(frozen=True)
class Outcome:
    """What an experiment came to. Nothing of it may quote a message.

    name (str): The command, e.g. `learning-curve`: the name of its files.
    title (str): What it asks, as a heading.
    says (str): What came out, in two sentences.
    figures (dict[str, Any]): All figures, for programs.
    tables (Sequence[Table]): The tables.
    plots (Sequence[Plot]): The plots.
    paper (str): What the papers found where they measured the same, and what differs.
    reader (str): Whose page of the report it is on: `manager` (does it leak, how much, on whose
        messages) or `engineer`.
    state (str): When and on what commit it was measured.
    """

    name: str
    title: str
    says: str
    figures: dict[str, Any]
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    paper: str = ""
    reader: Literal["manager", "engineer"] = "engineer"
    state: str = field(default_factory=markdown.get_state)


def write_outcome(outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write an outcome: `NAME.json`, `NAME.md` and one `NAME-1.svg` a plot.

    outcome (Outcome): The outcome.
    folder (Path): Where to; `outcomes` inside of it is made.
    RETURNS (Path): The JSON file.
    """
    folder = folder / OUTCOMES
    folder.mkdir(parents=True, exist_ok=True)
    for number, plot in enumerate(outcome.plots, start=1):
        (folder / f"{outcome.name}-{number}.svg").write_text(plot.svg, encoding="utf8")
    (folder / f"{outcome.name}.md").write_text(write_markdown(outcome), encoding="utf8")
    path = folder / f"{outcome.name}.json"
    srsly.write_json(path, asdict(outcome))
    return path


def write_markdown(outcome: Outcome) -> str:
    """Write an outcome as a section of a page.

    outcome (Outcome): The outcome.
    RETURNS (str): Markdown, with links to the plots beside it.
    """
    parts = [f"## {outcome.title}", outcome.says]
    for table in outcome.tables:
        parts += [f"**{table.title}**", markdown.make_table(table.head, table.rows)]
    for number, plot in enumerate(outcome.plots, start=1):
        parts.append(f"![{plot.title}]({outcome.name}-{number}.svg)")
    if outcome.paper:
        parts.append(f"*In the papers:* {outcome.paper}")
    return "\n\n".join([*parts, f"*{outcome.state}*"]) + "\n"


def read_outcomes(folder: Path = FOLDER) -> list[Outcome]:
    """Read all outcomes that were written.

    folder (Path): What `write_outcome` was given.
    RETURNS (list[Outcome]): By name.
    """
    outcomes = []
    for path in sorted((folder / OUTCOMES).glob("*.json")):
        row = srsly.read_json(path)
        tables = [Table(**table) for table in row.pop("tables")]
        plots = [Plot(**plot) for plot in row.pop("plots")]
        outcomes.append(Outcome(**row, tables=tables, plots=plots))
    return outcomes
