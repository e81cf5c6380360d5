"""Messages before and after, to be read: a sample of a run, a trial."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from spacy.language import Language

from ..reports.before_after import Change
from ..reports.dry_run import show_changes
from ..reports.sample import write_sample
from ..reports.summary import Summary
from ..runs.blocks import Reader
from ..runs.index import Plan
from ..runs.processing import Processor, Result
from ..runs.result_store import Store
from ..runs.rows import read_row
from ..runs.run_settings import REPLACEMENTS, Settings


def write_rows(path: Path, reader: Reader, store: Store) -> None:
    """Write those of the sampled rows that come out."""
    chosen = []
    rows = sorted(reader.index.sampled)
    settings = reader.settings
    for row, record in zip(rows, reader.read_rows(rows)):
        result = store.get(row)
        if not result.reason:
            texts = read_row(record, record.line, settings).texts
            chosen.append((row, _get_changes(texts, result, settings)))
    write_sample(path, chosen)


def try_out(nlp: Language, reader: Reader, number: int) -> Summary:
    """Show the first messages before and after, read with the whole of their conversations as in a run,
    and write nothing.

    number (int): How many rows are shown.
    RETURNS (Summary): The counts of the conversations.
    """
    settings = replace(reader.settings, spans=True)
    first = range(min(number, len(reader.index)))
    block = Plan(reader.index).find(first)
    works = Reader(reader.sources, reader.index, settings).read([block])
    rows = [row for work in works for row in work.rows]
    results, summary = Processor(nlp, settings).process(rows)
    done = dict(zip(block.rows, zip(rows, results)))
    show_changes(
        change
        for row, result in map(done.__getitem__, first)
        if not result.reason
        for change in _get_changes(row.texts, result, settings)
    )
    return summary


def _get_changes(texts: Mapping[str, str], result: Result, settings: Settings) -> list[Change]:
    # Rows that an earlier run has done for another sample have none.
    changes = result.changes
    entries = changes.get(REPLACEMENTS) or result.replacements
    several = len(settings.text_columns) > 1
    return [
        Change(
            text,
            changes[name],
            entries[name] if entries and several else entries,
            name if several else "",
        )
        for name, text in texts.items()
    ]
