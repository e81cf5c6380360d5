"""The command `scan`."""

import multiprocessing
from contextlib import closing
from pathlib import Path

import typer
from wasabi import table

from ..conversations.configuration import read_settings
from ..model.backend import set_threads
from ..reports.concerns import find_lonely
from ..reports.copied_columns import CELLS, FOUND, write_concerns
from ..reports.shares import turn
from ..reports.summary import Summary, order_labels
from ..runs.blocks import RunError, Task
from ..runs.in_files import Sources, find_files, open_files, settle_encodings
from ..runs.index import Index
from ..runs.processing import Processor
from ..runs.run_settings import Settings, read_run_options
from ..runs.scan import ColumnProcessor, demand_headers, scan_tables
from ..surrogates.surrogate_generator import read_key
from ..tables.errors import FileError
from ..tables.places import Place
from . import options
from .progress import make_progress
from .stopping import ending_cleanly
from .terminal import show, wrong_usage


def scan(
    context: typer.Context,
    in_path: str = typer.Argument(
        ..., metavar="IN", help="File, folder, pattern (in quotes), address in an object store"
    ),
    all_columns: bool = typer.Option(
        False, "--all-columns", help="Read the words and numbers of all columns, each as a text"
    ),
    text_fields: list[str] = options.TEXT_FIELDS,
    conversation_field: str = options.CONVERSATION_FIELD,
    in_format: options.FormatName | None = options.IN_FORMAT,
    no_header: bool = options.NO_HEADER,
    encoding: options.Encoding | None = options.ENCODING,
    threshold: float | None = options.THRESHOLD,
    config: Path | None = options.CONFIG,
    classes: str = options.CLASSES,
    n_process: int = typer.Option(1, min=1, help="Processes: as many as cores that are free"),
) -> None:
    """Count the PHI of a table by class and by what found it. It writes nothing, and quotes nothing.

    Only the texts are read. Of the other columns those are named that hold what was found in the
    texts, or only personnummer, phone numbers, e-mail addresses or times. With --all-columns each is read,
    whatever it is called, and told what is found in it.

    Nothing found is no proof that nothing is there: see evaluate.

    Exit code: 0 if every row was read, 1 if some could not be, 2 for wrong usage.
    """
    named = (
        []
        if all_columns or options.is_default(context, "conversation_field")
        else [conversation_field]
    )
    with wrong_usage(ValueError, FileError):
        settings = Settings(
            text_fields=() if all_columns else tuple(dict.fromkeys(text_fields)),
            conversation_field=conversation_field,
            known_field="" if all_columns else "known",
            language_field="",
            # What takes the place of PHI is not looked at: the quickest.
            custom=read_settings(
                config, threshold=threshold, classes=classes or None, strategy="mask"
            ),
        )
        read_key()
        delimiter = read_run_options(config).delimiter
        reading = options.make_reading(in_format, delimiter, encoding, no_header, settings)
        files, _ = find_files(Place(in_path), reading)
        files = settle_encodings(files)
        set_threads(1)  # on busy cores, several wait for each other
        opened = closing(Sources(files)) if all_columns else open_files(files, settings, named)
        summary = Summary()
        counter = multiprocessing.Value("q", 0)
        with opened as sources, ending_cleanly(lambda: ""):
            index = Index(sources, settings)
            nlp = context.obj()
            settings.configure(nlp)
            if all_columns:
                with wrong_usage(FileError):
                    demand_headers(nlp, sources)
            processor = ColumnProcessor if all_columns else Processor
            task = Task(settings, counter=counter, processor=processor)
            try:
                with make_progress(len(index), counter) as bar:
                    for n_rows, counts in scan_tables(nlp, task, sources, index, n_process):
                        summary.merge(counts)
                        bar.update(n_rows)
            except RunError as error:
                typer.echo(str(error), err=True)
                raise typer.Exit(1) from None
    show(write_counts(summary, all_columns))
    if summary.rejected:
        reasons = "; ".join(f"{reason} ({n})" for reason, n in summary.rejected.most_common())
        typer.echo(f"{summary.rejected.total()} rows could not be read: {reasons}", err=True)
        raise typer.Exit(1)


def write_counts(summary: Summary, all_columns: bool) -> str:
    parts = [
        f"{summary.rows:,} rows, {summary.messages:,} texts: something was found in {summary.touched:,}."
    ]
    if summary.found:
        sources = turn(summary.found)
        names = sorted(sources, key=lambda source: (-sources[source].total(), source))
        rows = [
            [label, counts.total(), *(counts[name] for name in names)]
            for label in order_labels(summary.found)
            for counts in (summary.found[label],)
        ]
        parts.append(table(rows, header=["class", "entities", *names], divider=True))
    copied = summary.find_copied()
    if all_columns and copied:
        rows = [
            [
                name,
                counts[CELLS],
                ", ".join(f"{label} {counts[f'{FOUND} {label}']}" for label in labels),
            ]
            for name, labels in copied.items()
            for counts in (summary.columns[name],)
        ]
        parts.append(table(rows, header=["column", "cells", "of them with"], divider=True))
    elif not all_columns:
        parts += [*write_concerns(copied), *find_lonely(summary)]
    if withheld := summary.withheld.total():
        parts.append(f"{withheld:,} texts were not read: {', '.join(summary.withheld)}.")
    return "\n".join(parts)
