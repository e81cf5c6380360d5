"""A run of the command: opens what is named, runs, and says what came of it."""

import multiprocessing
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import typer
from spacy.language import Language
from tqdm import tqdm

from ..model.backend import set_threads
from ..reports.concerns import find_concerns, find_lonely
from ..reports.copied_columns import write_concerns
from ..reports.run_facts import About, describe_pipeline
from ..reports.run_report import write_report
from ..reports.sample import choose_rows
from ..reports.summary import Summary
from ..runs.blocks import Reader, RunError, Task, run_blocks
from ..runs.in_files import (
    InFile,
    Reading,
    demand_apart,
    find_files,
    open_files,
    settle_encodings,
)
from ..runs.index import Index
from ..runs.out_files import OutFile, Outputs, make_outputs
from ..runs.result_store import Store
from ..runs.run import TooManyRejects, describe_job, run_files
from ..runs.run_settings import RunOptions, Settings
from ..runs.work_folder import WorkFolder
from ..shared.secret import has_secret
from ..surrogates.surrogate_generator import KEY_VARIABLE, read_key
from ..tables.encodings import UTF_8
from ..tables.errors import FileError
from ..tables.formats import CHAT, JSONL
from ..tables.places import STDIO, Place, demand_new
from ..vault import Vault, hold_vault, new_run, open_vault
from .progress import make_progress
from .reading_samples import try_out, write_rows
from .stopping import ending_cleanly

# Of fewer messages, shares tell nothing.
MANY = 100


@dataclass
class Session:
    """A run of the command.

    rejects_path (str | None): Where rejected rows are named; None: beside OUT.
    options (RunOptions): What the file of settings says of the run.
    demanded (Sequence[str]): Columns that were named, and so must be there.
    strict_columns (bool): Whether nothing is written if a column that is copied as it is holds what is
        replaced in the texts.
    report_paths (Sequence[Path]): Files for the report, HTML or JSON.
    sample_path (Path | None): File for a sample of rows, HTML.
    dry_run (int | None): How many messages are shown instead of a run.
    """

    load: Callable[[], Language]
    source: Place
    target: Place
    rejects_path: str | None
    vault_path: Path | None
    reading: Reading
    settings: Settings
    options: RunOptions
    demanded: Sequence[str]
    resume: bool
    overwrite: bool
    strict_columns: bool
    report_paths: Sequence[Path]
    sample_path: Path | None
    dry_run: int | None
    n_process: int
    threads: int

    def __post_init__(self) -> None:
        self.has_key = has_secret(KEY_VARIABLE)
        self._start = datetime.now(timezone.utc)
        self._work: WorkFolder | None = None
        self._n_done = self._n_rows = 0
        # Columns of which it is said that they are copied, and what they hold.
        self._copied: dict[str, set[str]] = {}
        self._is_refused = False
        # Messages that are read, in all processes.
        self._counter = multiprocessing.Value("q", 0)
        # Whether it is sure that no row has a conversation, and whether that is said.
        self._is_lonely = self._is_told = False
        # Files to be read by people.
        self._pages = [*self.report_paths, *([self.sample_path] if self.sample_path else [])]
        beside = self.target.beside("{}.rejects.jsonl").text
        default = "rejects.jsonl" if self.target.text == STDIO else beside
        self._rejects = Place(self.rejects_path or default, self.target.umask)

    def run(self) -> None:
        """Run it.

        RAISES (FileError): If a file cannot be read or written.
        RAISES (Exit): With the exit code of the command, if not all rows came out.
        """
        self._check_paths()
        self._check_keys()
        if self.dry_run is not None:
            self.try_out()
            return
        with ending_cleanly(self._say_how_to_go_on):
            try:
                outputs, store = self._run()
            except RunError as error:
                typer.echo(f"{error} {self._say_how_to_go_on()}", err=True)
                raise typer.Exit(1) from None
            finally:
                self._leave()
        typer.echo(f"{outputs.n_rows} rows de-identified. {store.summary}", err=True)
        n_rejected = outputs.n_rejected
        if n_rejected:
            typer.echo(f"{n_rejected} lines rejected, see {self._rejects}", err=True)
        typer.echo(
            f"{outputs.n_in} rows in, {outputs.n_rows} out, {n_rejected} rejected.", err=True
        )
        if n_rejected and self.options.fail_on_rejects is None:
            raise typer.Exit(1)

    def _run(self) -> tuple[Outputs, Store]:
        demand_apart(self.source, self.target)
        files, names = self._find_files(self._rejects)
        outs = make_outputs(self.target, files, names)
        if self.settings.no_formulas and not all(file.format.is_delimited for file in files):
            raise FileError("no_formulas is for CSV files: nothing calculates the texts of others.")
        if self.settings.spans and any(file.format.kind == CHAT for file in files):
            raise FileError("A chat log has no room for --spans.")
        has_paths = self.reading.options.paths is not None
        if self.settings.vault_field and (
            len(files) > 1
            or files[0].format.kind != JSONL
            or len(self.settings.text_columns) > 1
            or has_paths
        ):
            raise FileError("--vault takes one JSONL file with one text column, no path.")
        with ExitStack() as stack:
            sources = stack.enter_context(open_files(files, self.settings, self.demanded))
            outputs = self._open_outputs(stack, outs)
            index = Index(sources, self.settings)
            self._n_rows = len(index)
            for name in [*self.settings.required_columns, *self.demanded]:
                if name in index.unseen and len(index):
                    if has_paths:
                        raise FileError(f"The path {name!r} fits nothing in IN: name another.")
                    typer.echo(f"No row has a field {name!r}: is it the right name?", err=True)
            self._is_lonely = self.settings.conversation_field in index.unseen
            if self.sample_path is not None:
                chosen = choose_rows(len(index), self.options.sample_size, read_key())
                index.sampled = set(chosen)
            nlp = self._load()
            run = new_run()
            if self.target.is_stream and self.sample_path is not None:
                raise FileError("--sample needs an OUT that is a file.")
            if not self.target.is_stream:
                has_vault = self.vault_path is not None
                job = describe_job(nlp, self.settings, files, has_vault, read_key())
                work = self._make_work()
                run = work.begin(job, read_key() if self.has_key else None, run, self.resume)
                self._work = work
            if self.vault_path:
                outputs.open_vault = partial(open_vault, self.vault_path, run, self.target.umask)
            make_vault = Vault.from_environment if self.vault_path else None
            task = Task(self.settings, make_vault, run, self._counter)
            bar = stack.enter_context(make_progress(len(index), self._counter))
            store = run_files(
                sources,
                index,
                self.settings,
                partial(run_blocks, nlp, task, n_process=self.n_process, threads=self.threads),
                outputs,
                self._work,
                partial(self._count, bar),
                self._check_rejects,
                self._write_sample,
            )
        self._finish(outputs)
        self._report(nlp, store, files)
        return outputs, store

    def _make_work(self) -> WorkFolder:
        """The folder beside OUT where the run keeps what it has done."""
        place = self.target.beside(".{}.work")
        return WorkFolder(place.storage, place.path)

    def _write_sample(self, reader: Reader, store: Store) -> None:
        if self.sample_path is not None:
            write_rows(self.sample_path, reader, store)

    def _report(self, nlp: Language, store: Store, files: Sequence[InFile]) -> None:
        about = About(
            start=self._start,
            seconds=(datetime.now(timezone.utc) - self._start).total_seconds(),
            has_key=self.has_key,
            processes=self.n_process,
            resumed_rows=store.n_before,
            files=len(files),
            format=files[0].format.kind,
            names=tuple(file.name for file in files) if self.options.report_names else (),
            options=self.settings.describe(),
            **describe_pipeline(nlp),
        )
        for path in self.report_paths:
            write_report(path, store.summary, about)
        self._tell_lonely(store.summary)
        if store.summary.messages >= MANY:
            said = [*write_concerns(store.summary.find_copied()), *find_lonely(store.summary)]
            for concern in find_concerns(store.summary, True):
                if concern not in said:
                    typer.echo(f"Look at this: {concern}", err=True)

    def _find_files(self, without: Place | None = None) -> tuple[list[InFile], list[str]]:
        """Find the files, and say what was found out of how they are written."""
        files, names = find_files(self.source, self.reading, without)
        files = settle_encodings(files)
        if self.reading.options.encoding:
            return files, names
        for encoding in sorted({file.options.encoding for file in files} - {"", UTF_8}):
            own = [file.name for file in files if file.options.encoding == encoding]
            more = f" and {len(own) - 1} more" if len(own) > 1 else ""
            typer.echo(
                f"{own[0]}{more}: read as {encoding}, by its Swedish letters, and written in it. If "
                "that is wrong, say --encoding.",
                err=True,
            )
        return files, names

    def try_out(self) -> None:
        files, _ = self._find_files()
        with open_files(files, self.settings, self.demanded) as sources:
            reader = Reader(sources, Index(sources, self.settings), self.settings)
            summary = try_out(self._load(), reader, self.dry_run or 0)
        self.strict_columns = False
        self._check_columns(summary)
        self._tell_lonely(summary)

    def _load(self) -> Language:
        # A process that has run torch with several threads cannot be forked.
        set_threads(1 if self.n_process > 1 else self.threads)
        nlp = self.load()
        try:
            self.settings.configure(nlp)
        except ValueError as error:
            raise FileError(str(error)) from None
        return nlp

    def _open_outputs(self, stack: ExitStack, outs: Sequence[OutFile]) -> Outputs:
        # Last in, first out: the list of rejects is complete when OUT is.
        # What a run that goes on has begun with, it was asked about when it began.
        if not self.overwrite and not (self.resume and self._make_work().is_begun):
            # The list of rejects beside OUT is a part of it.
            beside = [self._rejects.text] if self.target.is_stream else []
            others = filter(None, [*self._pages, self.rejects_path])
            demand_new([*(out.place for out in outs), *others, *beside])
        rejected = stack.enter_context(_keeping(self._rejects.create()))
        if self.vault_path:
            stack.enter_context(hold_vault(self.vault_path, Vault.from_environment()))
        return Outputs(outs, rejected)

    def _count(self, bar: Any, n_rows: int, store: Store) -> None:
        self._n_done += n_rows
        bar.initial = store.n_before
        bar.update(n_rows)
        self._check_columns(store.summary)
        if self._is_lonely:
            self._tell_lonely(store.summary)

    def _tell_lonely(self, summary: Summary) -> None:
        """Say once that no row has a conversation."""
        if not self._is_told:
            for concern in find_lonely(summary):
                tqdm.write(f"Look at this: {concern}", file=sys.stderr)
                self._is_told = True

    def _check_columns(self, summary: Summary) -> None:
        """Tell of each column that should not be copied as soon as it is seen."""
        copied = summary.find_copied()
        new = {
            name: labels
            for name, labels in copied.items()
            if not self._copied.get(name, set()).issuperset(labels)
        }
        if new and self.strict_columns:
            # Nobody goes on with a run that is refused.
            self._is_refused = True
            raise FileError(
                f"{' '.join(write_concerns(new))} OUT is not written (--strict-columns)."
            )
        for concern in write_concerns(new):
            tqdm.write(f"Look at this: {concern}", file=sys.stderr)
        self._copied.update((name, {*labels}) for name, labels in copied.items())

    def _check_rejects(self, store: Store) -> None:
        limit, n_rejected = self.options.fail_on_rejects, store.summary.rejected.total()
        if limit and limit.is_passed(n_rejected, store.n_done):
            raise TooManyRejects(
                f"{n_rejected} of {store.n_done} rows are rejected, see {self._rejects}: more than "
                "fail_on_rejects allows. OUT is not written."
            )

    def _finish(self, outputs: Outputs) -> None:
        """Leave nothing behind that has no use."""
        if not outputs.n_rejected and not self._rejects.is_stream:
            self._rejects.storage.remove(self._rejects.path)
        if self._work is not None:
            self._work.remove()
            self._work = None

    def _leave(self) -> None:
        """Leave what another run can go on with."""
        if self._work is not None:
            if self.has_key and (self._n_done or self.resume) and not self._is_refused:
                self._work.leave()
            else:
                self._work.remove()

    def _check_keys(self) -> None:
        if self.strict_columns and self.target.is_stream:
            raise FileError("--strict-columns needs an OUT that is a file.")
        if self.vault_path:
            Vault.from_environment()
        try:
            read_key()
        except ValueError as error:
            raise FileError(str(error)) from None
        if self.resume and not self.has_key:
            raise FileError(
                f"--resume needs {KEY_VARIABLE}: without it the rest would get other surrogates."
            )
        if self.resume and self.target.is_stream:
            raise FileError("What went to a stream is gone: --resume needs a file as OUT.")
        if not self.has_key:
            typer.echo(f"{KEY_VARIABLE} is not set: other runs give other surrogates.", err=True)
            # All processes of this run need the same one.
            os.environ[KEY_VARIABLE] = secrets.token_hex(32)

    def _say_how_to_go_on(self) -> str:
        """What is done, and how to go on."""
        rows = f"{self._n_done} of {self._n_rows} rows were done."
        if self._work is None:
            return "OUT is not written." if not self.target.is_stream else ""
        if not self.has_key:
            return f"{rows} Without SV_DEID_KEY nothing can go on with them: OUT is not written."
        return f"{rows} Go on by the same command with --resume."

    def _check_paths(self) -> None:
        if STDIO in (self.rejects_path, str(self.vault_path)):
            raise typer.BadParameter("Only IN and OUT can be -, the rejects and the vault cannot.")
        places = {"IN": self.source, "OUT": self.target}
        places = {name: place for name, place in places.items() if place.text != STDIO}
        places["The file of rejects"] = self._rejects
        if self.vault_path is not None:
            places["The vault"] = Place(str(self.vault_path))
        for number, beside in enumerate(self._pages, 1):
            places[f"Report or sample {number}"] = Place(str(beside))
        if len({place.identity for place in places.values()}) < len(places):
            raise typer.BadParameter(f"{', '.join(places)} must be different files.")
        for name, place in places.items():
            folder = Path(place.identity).parent
            if name != "IN" and not place.is_uri and not folder.is_dir():
                raise typer.BadParameter(f"{name}: there is no folder {folder}.")


@contextmanager
def _keeping(opened: AbstractContextManager[BinaryIO]) -> Iterator[BinaryIO]:
    """Let the list of rejects get its name where it is why the run ends, too."""
    failure = None
    with opened as file:
        try:
            yield file
        except TooManyRejects as error:
            failure = error
    if failure is not None:
        raise failure
