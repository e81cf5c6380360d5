"""What the command tells of a run beside its output: a report, a sample, a trial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..reports.before_after import Change
from ..reports.dry_run import show_changes
from ..reports.run_facts import About, describe_pipeline
from ..reports.run_report import check_suffix, write_report
from ..reports.sample import choose_rows, write_sample
from ..reports.summary import Summary
from ..runs.blocks import Reader
from ..runs.in_files import InFile
from ..runs.index import Plan
from ..runs.processing import Processor, Result
from ..runs.result_store import Store
from ..runs.rows import read_row
from ..runs.run_settings import REPLACEMENTS, Settings
from ..surrogates.surrogate_generator import read_key


@dataclass
class Reporting:
    """What is to be told of a run.

    report_paths (Sequence[Path]): Files for the report, HTML or JSON.
    sample_path (Path | None): File for a sample of rows, HTML.
    with_names (bool): Whether the report names the files that were read.
    options (Mapping[str, Any]): The options of the command that it tells.
    """

    report_paths: Sequence[Path] = ()
    sample_path: Path | None = None
    sample_size: int = 100
    with_names: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._start = datetime.now(timezone.utc)

    @property
    def paths(self) -> list[Path]:
        """RETURNS (list[Path]): All files that are written."""
        return [*self.report_paths, *([self.sample_path] if self.sample_path else [])]

    def check(self) -> None:
        """RAISES (ValueError): If a report is neither HTML nor JSON."""
        for path in self.report_paths:
            check_suffix(path)

    def choose(self, n_rows: int) -> list[int]:
        """Those of the sample, in order; none without one."""
        if self.sample_path is None:
            return []
        return choose_rows(n_rows, self.sample_size, read_key())

    def write_sample(self, reader: Reader, store: Store) -> None:
        """Write a sample of the rows that come out."""
        if self.sample_path is None:
            return
        chosen = []
        rows = self.choose(len(reader.index))
        settings = reader.settings
        for row, record in zip(rows, reader.read_rows(rows)):
            result = store.get(row)
            if not result.reason:
                texts = read_row(record, record.line, settings).texts
                chosen.append((row, _get_changes(texts, result, settings)))
        write_sample(self.sample_path, chosen)

    def write_report(
        self,
        nlp: Language,
        store: Store,
        files: Sequence[InFile],
        has_key: bool,
        n_process: int,
    ) -> None:
        """Write the report."""
        about = About(
            start=self._start,
            seconds=(datetime.now(timezone.utc) - self._start).total_seconds(),
            has_key=has_key,
            processes=n_process,
            resumed_rows=store.n_before,
            files=len(files),
            format=files[0].format.kind,
            names=tuple(file.name for file in files) if self.with_names else (),
            options=dict(self.options),
            **describe_pipeline(nlp),
        )
        for path in self.report_paths:
            write_report(path, store.summary, about)


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
