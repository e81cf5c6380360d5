"""What an experiment came to: figures, tables and plots, and the words that go with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import srsly
from wasabi import msg, table

from components.measures.gold import Row
from training_tools import markdown

# What pages call things.
WORDS = srsly.read_yaml(Path(__file__).with_name("words.yml"))


@dataclass(frozen=True)
class Table:
    """A table: what it shows, its columns, and its cells row by row; the first names the row."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Plot:
    """A plot: what it shows, for those who cannot see it, too; and the picture."""

    title: str
    svg: str


@dataclass(frozen=True)
class Headline:
    """A big figure (`12`), where it would lie on other messages (`6 to 19`), and what it means."""

    figure: str
    interval: str
    says: str


@dataclass(frozen=True)
class Outcome:
    """What an experiment came to. Nothing of it may quote a message.

    name (str): The command, e.g. `learning-curve`: the name of its files.
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
    data: str = ""
    headlines: Sequence[Headline] = ()

    @property
    def measured(self) -> str:
        """RETURNS (str): What was measured, when, and on what commit."""
        return "; ".join(part for part in (self.data, self.state) if part)


def print_tables(tables: Sequence[Table]) -> None:
    for part in tables:
        msg.divider(part.title)
        print(table(part.rows, header=part.head, divider=True))


def describe_rows(path: Path, rows: Sequence[Row]) -> str:
    return describe_corpus(path.stem, len(rows), sum(len(row["spans"]) for row in rows))


def describe_corpus(name: str, n_messages: int, n_spans: int) -> str:
    """RETURNS (str): The name of a corpus and how much it holds."""
    return f"{name} ({n_messages:,} messages, {n_spans:,} spans)"
