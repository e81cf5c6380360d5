"""A look at a table that writes nothing: what is found in it, by class, by source and by column."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from spacy.language import Language

from ..reports.copied_columns import CELLS, FOUND, iter_cells
from ..reports.summary import Summary
from ..tables.errors import FileError, RowError
from ..tables.source import Record, Source
from .blocks import Reader, Task, run_blocks
from .index import Index, Plan
from .processing import Message, Processor
from .rows import Row, read_conversation
from .run_settings import Settings


def read_cells(record: Record, number: int, settings: Settings) -> Row:
    """Take the words and numbers of all columns of a row, each as a text."""
    row = Row(number)
    try:
        values = record.get_values()
        row.conversation = read_conversation(record, values, settings.conversation_field)
    except RowError as error:
        row.reason = str(error)
        return row
    row.is_placed = True
    if not record.position:
        values |= record.beside
    for name, cell in iter_cells(values):
        row.texts[name] = f"{row.texts[name]}\n{cell}" if name in row.texts else cell
    return row


class ColumnProcessor(Processor):
    """Counts for each column what is found in it, in place of what stands beside the texts."""

    read_row = staticmethod(read_cells)

    def _count_columns(
        self, summary: Summary, rows: Sequence[Row], messages: Sequence[Message]
    ) -> None:
        for message in messages:
            if not message.row.reason:
                labels = {entry["label"] for entry in message.doc._.replacements}
                kinds = [CELLS, *(f"{FOUND} {label}" for label in labels)]
                summary.columns.setdefault(message.field, Counter()).update(kinds)


# What the name of a column is not.
SURE = 0.5
NO_NAMES = ("PERSON", "PID", "PHONE", "EMAIL")


def find_phi_in_header(spans: Iterable[Iterable[tuple[str, float]]]) -> list[int]:
    """Tell which names of columns are none, so that the first row is one as the others are.

    spans (Iterable[Iterable[tuple[str, float]]]): Label and score of what is found in each name.
    """
    return [
        number
        for number, found in enumerate(spans, 1)
        if any(label in NO_NAMES and score >= SURE for label, score in found)
    ]


def demand_headers(nlp: Language, sources: Iterable[Source]) -> None:
    """Refuse a CSV file of which no column is asked for by name, and whose first row holds PHI.

    RAISES (FileError): If there is one. The message names the cells by number.
    """
    for source in sources:
        if source.has_header:
            docs = nlp.pipe(source.columns or ())
            wrong = find_phi_in_header(
                [(ent.label_, ent._.score) for ent in doc.ents] for doc in docs
            )
            if wrong:
                raise FileError(
                    f"{source.name}: its first row holds what looks like PHI, in column "
                    f"{', '.join(map(str, wrong))}: if it is a row as the others are, say --no-header."
                )


def scan_tables(
    nlp: Language,
    task: Task,
    sources: Sequence[Source],
    index: Index,
    n_process: int,
) -> Iterator[tuple[int, Summary]]:
    """Count what is found in tables.

    task (Task): How rows are read and processed; a `ColumnProcessor` reads all columns.
    YIELDS (tuple[int, Summary]): For each block how many rows it has, and its counts.
    """
    plan = Plan(index)
    reader = Reader(sources, index, task.settings, task.processor.read_row)
    works = reader.read(map(plan.get, range(len(plan))), plan.window)
    for block, data in run_blocks(nlp, task, works, n_process):
        yield len(block.rows), Summary.from_dict(json.loads(data.splitlines()[0]))
