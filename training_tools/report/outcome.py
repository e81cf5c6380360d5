"""What an experiment came to: figures, tables and plots, and the words that go with them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import srsly
from wasabi import msg

from components.measures.gold import Row
from training_tools import markdown
from training_tools.report.page import make_report

FOLDER = Path("metrics")
# Outcomes lie apart from the other figures, so that the report finds them, and nothing else.
OUTCOMES = "outcomes"
REPORT = "report.html"


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
    svg (str): The picture, see `training_tools/report/plots.py`.
    """

    title: str
    svg: str


@dataclass(frozen=True)
class Headline:
    """A big figure, with what it means in plain words.

    figure (str): The figure, e.g. `12`.
    interval (str): Where it would lie on other messages, e.g. `6 to 19`, or nothing.
    says (str): What it is of, e.g. `of 1,000 messages still tell something`.
    """

    figure: str
    interval: str
    says: str


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
    data (str): What it was measured on.
    headlines (Sequence[Headline]): The figures that the report shows big.
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
    data: str = ""
    headlines: Sequence[Headline] = ()

    @property
    def measured(self) -> str:
        """RETURNS (str): What was measured, when, and on what commit."""
        return "; ".join(part for part in (self.data, self.state) if part)


def write_outcome(outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write an outcome: `NAME.json`, `NAME.md` and one `NAME-1.svg` a plot. Then write the report of all
    outcomes anew.

    outcome (Outcome): The outcome.
    folder (Path): Where to; `outcomes` inside of it is made.
    RETURNS (Path): The JSON file.
    """
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
    (outcomes / f"{outcome.name}.md").write_text(write_markdown(outcome), encoding="utf8")
    srsly.write_json(path, asdict(outcome))
    write_report(folder)
    return path


def write_report(folder: Path = FOLDER) -> tuple[Path, int]:
    """Write the report of all outcomes.

    folder (Path): What `write_outcome` was given.
    RETURNS (tuple[Path, int]): The page, and how many outcomes are on it.
    RAISES (ValueError): If there are none.
    """
    outcomes = read_outcomes(folder)
    if not outcomes:
        raise ValueError(
            f"Nothing was measured yet: {folder / OUTCOMES} holds no outcome. Measure first, "
            "e.g. spacy project run report . --vars.test my_messages.jsonl."
        )
    path = folder / REPORT
    path.write_text(make_report(outcomes), encoding="utf8")
    return path, len(outcomes)


def write_page(folder: Path, page: Path) -> None:
    """Write all outcomes into a page, between `<!-- experiments -->` and its end, for those who read
    the project without running it. The plots go to a folder beside the page, of its name.

    folder (Path): What `write_outcome` was given.
    page (Path): The page.
    """
    plots = page.with_suffix("")
    plots.mkdir(exist_ok=True)
    sections = []
    for outcome in read_outcomes(folder):
        for number, plot in enumerate(outcome.plots, start=1):
            (plots / f"{outcome.name}-{number}.svg").write_text(plot.svg, encoding="utf8")
        sections.append(write_markdown(outcome, f"{plots.name}/"))
    markdown.fill_block(page, "experiments", "\n".join(sections))


def write_markdown(outcome: Outcome, plots: str = "") -> str:
    """Write an outcome as a section of a page.

    outcome (Outcome): The outcome.
    plots (str): What leads from the page to the plots; by default they are beside it.
    RETURNS (str): Markdown, with links to the plots.
    """
    parts = [f"## {outcome.title}", outcome.says]
    for headline in outcome.headlines:
        interval = f" ({headline.interval})" if headline.interval else ""
        parts.append(f"**{headline.figure}**{interval} {headline.says}")
    for table in outcome.tables:
        parts += [f"**{table.title}**", markdown.make_table(table.head, table.rows)]
    for number, plot in enumerate(outcome.plots, start=1):
        parts.append(f"![{plot.title}]({plots}{outcome.name}-{number}.svg)")
    if outcome.paper:
        parts.append(f"*In the papers:* {outcome.paper}")
    return "\n\n".join([*parts, f"*{outcome.measured}*"]) + "\n"


def describe_rows(path: Path, rows: Sequence[Row]) -> str:
    """Say what was measured on.

    path (Path): The file of annotated messages.
    rows (Sequence[Row]): What is in it.
    RETURNS (str): Its name and how much it holds.
    """
    return describe_corpus(path.stem, len(rows), sum(len(row["spans"]) for row in rows))


def describe_corpus(name: str, n_messages: int, n_spans: int) -> str:
    """RETURNS (str): The name of a corpus and how much it holds."""
    return f"{name} ({n_messages:,} messages, {n_spans:,} spans)"


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
        headlines = tuple(Headline(**each) for each in row.pop("headlines", ()))
        outcomes.append(Outcome(**row, tables=tables, plots=plots, headlines=headlines))
    return outcomes
