"""The command `run`, which `python -m sv_deid_chat IN OUT` is, too: de-identifies tables."""

from dataclasses import replace
from enum import Enum
from pathlib import Path

import typer

from ..conversations.configuration import find_named_files, read_settings
from ..known.known_matcher import parse_known_columns
from ..model.phi_ner import MODES
from ..reports.run_report import check_suffix
from ..runs.run_settings import Settings, read_run_options
from ..shared.failures import SetupError
from ..shared.labels import BUILT_IN
from ..surrogates.surrogate_generator import STRATEGIES
from ..tables.errors import FileError
from ..tables.places import Place, demand_other
from ..vault import VAULT_FIELD, VaultError
from . import options
from .session import Session
from .terminal import wrong_usage

Strategy = Enum("Strategy", {name: name for name in STRATEGIES}, type=str)  # type: ignore[misc]
Mode = Enum("Mode", {name: name for name in MODES}, type=str)  # type: ignore[misc]


def deidentify(
    context: typer.Context,
    in_path: str = typer.Argument(
        ...,
        metavar="IN",
        help="File, folder, pattern (in quotes), address in an object store, - for standard input",
    ),
    out_path: str = typer.Argument(
        ..., metavar="OUT", help="File, folder or address, - for standard output"
    ),
    strategy: Strategy | None = typer.Option(
        None, help="What takes the place of PHI (keep: nothing); default: the pipeline's own"
    ),
    mode: Mode | None = typer.Option(
        None,
        help="careful: a lower threshold, which misses less and spoils more; default: the pipeline's own",
    ),
    keep: list[str] = typer.Option(
        [], help="Classes that stay as they are, such as AGE,DATE; may be given several times"
    ),
    threshold: float | None = options.THRESHOLD,
    config: Path | None = options.CONFIG,
    classes: str = options.CLASSES,
    text_fields: list[str] = options.TEXT_FIELDS,
    conversation_field: str = options.CONVERSATION_FIELD,
    known_field: str = typer.Option(
        "known",
        "--known-field",
        "--known-path",
        help="Column with what is known of the participants, which a row may lack",
    ),
    known_columns: str = typer.Option(
        "",
        "--known",
        help="Columns with what is known of a participant, by field: name=patient_name,pid=pnr; "
        "they are left out of OUT",
    ),
    author_field: str = typer.Option(
        "",
        "--author-field",
        "--author-path",
        help="Column with who wrote the message: a name in it is replaced, too",
    ),
    time_fields: list[str] = typer.Option(
        [],
        "--time-field",
        "--time-path",
        help="Column with a time, moved by as much as the dates in the texts; by the first one a "
        "conversation is read in order; may be given several times",
    ),
    in_format: options.FormatName | None = options.IN_FORMAT,
    no_header: bool = options.NO_HEADER,
    encoding: options.Encoding | None = options.ENCODING,
    spans: bool = typer.Option(
        False,
        "--spans",
        help="Add a column 'replacements': what stands where, and what it replaced where",
    ),
    rejects: str | None = typer.Option(
        None, help="File that names the rejected rows; default: OUT.rejects.jsonl"
    ),
    resume: bool = typer.Option(
        False, "--resume", help="Go on with a run that was stopped; needs SV_DEID_KEY"
    ),
    overwrite: bool = typer.Option(
        False, "--overwrite", help="Replace OUT and other files that are there (but no vault)"
    ),
    strict_columns: bool = typer.Option(
        False,
        "--strict-columns",
        help="Write nothing if another column holds what is replaced in the texts, or only "
        "personnummer, phone numbers or e-mail addresses, or times beside dates that are replaced",
    ),
    vault_path: Path | None = typer.Option(
        None,
        "--vault",
        help="File to keep the originals in, encrypted with the key in SV_DEID_VAULT_KEY; one that "
        "is there is added to",
        dir_okay=False,
    ),
    report: list[Path] = typer.Option(
        [],
        help="File for a report of counts without PHI, .html or .json; may be given several times",
        dir_okay=False,
    ),
    sample: Path | None = typer.Option(
        None,
        help="HTML file for a sample of rows before and after; it HOLDS PHI",
        dir_okay=False,
    ),
    dry_run: int | None = typer.Option(
        None,
        min=1,
        help="Show the first messages before and after, and write nothing; it PRINTS PHI",
    ),
    n_process: int = typer.Option(1, min=1, help="Processes: as many as cores that are free"),
    threads: int = typer.Option(
        1, min=1, help="Threads of each process; more processes with one each are faster"
    ),
) -> None:
    """De-identify the texts of a table: JSON, CSV, TSV, Parquet or Excel (.xlsx), plain or as .gz or .zst.

    Where texts stand deeper in JSON, name their path: --text-path 'messages[*].text'. Only the
    texts change, and all other bytes stay.

    The rows keep their order and their other columns. Other columns are copied AS THEY ARE: a
    name in them stays in them. A column that holds what is replaced in the texts is named, with
    its classes; it gets the same surrogates if it is read as a text, too (--text-field).

    Rows with the same conversation id share their surrogates, and what one of them tells is found
    in all, wherever they lie in IN. Set the environment variable SV_DEID_KEY to a secret of your
    own, of 16 bytes or more, to get the same surrogates in another run, and to be able to go on
    with one that was stopped.

    The column "known" may hold what you know of the participants, a list like
    [{"name": "...", "pid": "...", "phone": "...", "email": "...", "address": "..."}]. It is
    found in all rows of the conversation, and the column is left out of OUT. Where each field
    is a column of its own, say --known.

    A row that cannot be processed is left out of OUT. Its number and the reason go to
    OUT.rejects.jsonl (rejects.jsonl where OUT is -). All files are yours alone to read. Exit
    code: 0 if every row was processed, 1 if some were rejected or the run broke off, 2 for
    wrong usage.
    """
    with wrong_usage(ValueError):
        more = read_run_options(config)
        settings = Settings(
            text_fields=tuple(dict.fromkeys(text_fields)),
            conversation_field=conversation_field,
            known_field=known_field,
            known_columns=parse_known_columns(known_columns),
            author_field=author_field,
            time_fields=tuple(dict.fromkeys(time_fields)),
            spans=spans,
            no_formulas=more.no_formulas,
            keep=parse_classes(",".join(keep)),
            batch_size=more.batch_size,
            language_field=more.language_field,
            vault_field=VAULT_FIELD if vault_path else "",
            custom=read_settings(
                config,
                strategy=strategy and strategy.value,
                mode=mode and mode.value,
                threshold=threshold,
                classes=classes or None,
            ),
        )
        reading = options.make_reading(in_format, more.delimiter, encoding, no_header, settings)
        if reading.options.paths is not None:
            # A document stays as it is but for its texts.
            settings = replace(settings, language_field="")
        for path in report:
            check_suffix(path)
    written = [out_path, *report, *filter(None, [sample, rejects, vault_path])]
    with wrong_usage(FileError):
        named = find_named_files(config)
        for each in written:  # that they differ, the session looks at
            demand_other([each], named)
    fields = {"conversation_field": conversation_field, "known_field": known_field}
    demanded = [field for name, field in fields.items() if not options.is_default(context, name)]
    session = Session(
        load=context.obj,
        source=Place(in_path),
        target=Place(out_path, more.umask),
        rejects_path=rejects,
        vault_path=vault_path,
        reading=reading,
        settings=settings,
        options=more,
        demanded=demanded,
        resume=resume,
        overwrite=overwrite,
        strict_columns=strict_columns,
        report_paths=report,
        sample_path=sample,
        dry_run=dry_run,
        n_process=n_process,
        threads=threads,
    )
    with wrong_usage(FileError, SetupError, VaultError):
        session.run()


def parse_classes(text: str) -> tuple[str, ...]:
    labels = tuple(filter(None, (label.strip().upper() for label in text.split(","))))
    if unknown := [label for label in labels if label not in BUILT_IN]:
        raise ValueError(f"{unknown[0]!r} is no class: {', '.join(BUILT_IN)}.")
    return labels
