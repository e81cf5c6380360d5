"""A look at a table that writes nothing: what is found in it, by class, by source and by column."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from spacy.language import Language

from ..reports.copied_columns import CELLS, FOUND, iter_cells
from ..reports.summary import Summary
from ..tables.errors import RowError
from ..tables.source import Record, Source
from .blocks import Reader, Task, Works
from .engines import run_here, run_in_processes
from .index import Index, Plan
from .processing import Message, Processor
from .rows import Row, read_conversation, read_row
from .run_settings import Settings


class ColumnProcessor(Processor):
    """Counts for each column what is found in it, in place of what stands beside the texts."""

    def _count_columns(
        self, summary: Summary, rows: Sequence[Row], messages: Sequence[Message]
    ) -> None:
        for message in messages:
            if not message.row.reason:
                labels = {entry["label"] for entry in message.doc._.replacements}
                kinds = [CELLS, *(f"{FOUND} {label}" for label in labels)]
                summary.columns.setdefault(message.field, Counter()).update(kinds)


class ColumnTask(Task):
    """Processes all columns as texts."""

    def make_processor(self, nlp: Language | None = None) -> Processor:
        """Make what processes blocks."""
        return ColumnProcessor(nlp or self.load(), self.settings)


def read_cells(record: Record, number: int, settings: Settings) -> Row:
    """Take the words and numbers of all columns of a row, each as a text."""
    row = Row(number)
    try:
        values = record.get_values()
        row.conversation = read_conversation(values, settings.conversation_field)
    except RowError as error:
        row.reason = str(error)
        return row
    row.is_placed = True
    for name, cell in iter_cells(values):
        row.texts[name] = f"{row.texts[name]}\n{cell}" if name in row.texts else cell
    return row


def scan_tables(
    nlp: Language,
    task: Task,
    sources: Sequence[Source],
    index: Index,
    n_process: int = 1,
) -> Iterator[tuple[int, Summary]]:
    """Count what is found in tables.

    nlp (Language): The pipeline, set up.
    task (Task): How rows are processed; a `ColumnTask` reads all columns.
    sources (Sequence[Source]): The tables.
    index (Index): Where their rows lie.
    n_process (int): How many processes work.
    YIELDS (tuple[int, Summary]): For each block how many rows it has, and its counts.
    """
    read = read_cells if isinstance(task, ColumnTask) else read_row
    plan = Plan(index)
    works = Works(Reader(sources, index, task.settings, read), plan, range(len(plan)))
    run = run_here if n_process == 1 else partial(run_in_processes, n_process=n_process)
    for block, data in run(nlp, task, works):
        assert data is not None
        yield len(block.rows), Summary.from_dict(json.loads(data.splitlines()[0]))
