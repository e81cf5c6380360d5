"""The command line of the installed pipeline: `python -m sv_deid_chat IN OUT`."""

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import cast

import typer
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from ..failures import SetupError
from ..labels import LABELS, SINGLE_CLASS
from ..messages.conversation import GENERATOR, finish_conversation
from ..pipes.phi_ner import PhiNer
from ..pipes.surrogate_generator import KEY_VARIABLE, STRATEGIES, SurrogateGenerator, read_key
from .files import STDIO, FileError, is_stream, open_source, open_target
from .frame import make_frame
from .rows import Counts, Row, RowError, check_jsonl, get_conversations, get_known, read_chunks
from .vault import VAULT_FIELD, Vault, dump_entry, new_run

Strategy = Enum("Strategy", {name: name for name in STRATEGIES}, type=str)  # type: ignore[misc]
Label = Enum("Label", {label: label for label in LABELS}, type=str)  # type: ignore[misc]


def main(load: Callable[[], Language]) -> None:
    """Run the command line.

    load (Callable[[], Language]): Loads the pipeline.
    """
    make_app(load)()


def make_app(load: Callable[[], Language]) -> typer.Typer:
    """Make the command line.

    load (Callable[[], Language]): Loads the pipeline.
    RETURNS (Typer): The command line.
    """
    app = make_frame()

    @app.command()
    def deidentify(
        in_path: Path = typer.Argument(
            ...,
            metavar="IN",
            help="JSONL file, - for standard input",
            dir_okay=False,
        ),
        out_path: Path = typer.Argument(
            ...,
            metavar="OUT",
            help="JSONL file, - for standard output",
            dir_okay=False,
        ),
        strategy: Strategy | None = typer.Option(
            None, help="What takes the place of PHI (keep: nothing); default: the pipeline's own"
        ),
        keep: list[Label] = typer.Option(
            [], help="A class that stays as it is, such as AGE; may be given several times"
        ),
        threshold: float | None = typer.Option(
            None,
            min=0.0,
            max=1.0,
            help="Least PHI probability of a word, lower finds more; default: the pipeline's own",
        ),
        text_field: str = typer.Option("text", help="Field with the text"),
        conversation_field: str = typer.Option(
            "conversation", help="Field with the conversation's id, which a row may lack"
        ),
        known_field: str = typer.Option(
            "known",
            help="Field with what is known of the participants, which a row may lack",
        ),
        spans: bool = typer.Option(
            False,
            "--spans",
            help="Add a field 'replacements': what stands where, and what it replaced where",
        ),
        rejects: Path | None = typer.Option(
            None,
            help="File that names the rejected lines; default: OUT.rejects.jsonl",
            dir_okay=False,
        ),
        vault_path: Path | None = typer.Option(
            None,
            "--vault",
            help="File to keep the originals in, encrypted with the key in SV_DEID_VAULT_KEY",
            dir_okay=False,
        ),
        batch_size: int = typer.Option(64, min=1, help="Messages in a batch"),
        n_process: int = typer.Option(1, min=1, help="Processes, each with one thread if several"),
    ) -> None:
        """De-identify the texts of a JSONL file: one JSON object a line, with a field "text".

        The rows keep their order and their other fields. Other fields are copied AS THEY ARE: a
        name in them stays in them.

        Rows with the same conversation id share their surrogates. Set the environment variable
        SV_DEID_KEY to a secret of your own, of 16 bytes or more, to get the same ones in another
        run. Where such rows are next to each other, what one of them tells is found in all: sort
        the file by conversation. (One of over 4 000 rows or 8 MB is cut into several.)

        The field "known" may hold what you know of the participants, a list like
        [{"name": "...", "pid": "...", "phone": "...", "email": "...", "address": "..."}]. It is
        found in all rows of the conversation, and the field is left out of OUT.

        A line that cannot be processed is left out of OUT. Its number and the reason go to
        OUT.rejects.jsonl (rejects.jsonl where OUT is -). All files are yours alone to read. Exit
        code: 0 if every line was processed, 1 if some were rejected or the run broke off, 2 for
        wrong usage.
        """
        rejects_path = rejects or _get_rejects_path(out_path)
        _check_paths(in_path, out_path, rejects_path, vault_path)
        with wrong_usage(ValueError):
            vault = Vault.from_environment() if vault_path else None
            read_key()
        if KEY_VARIABLE not in os.environ:
            typer.echo(f"{KEY_VARIABLE} is not set: other runs give other surrogates.", err=True)
            # All processes of this run need the same one.
            os.environ[KEY_VARIABLE] = secrets.token_hex(32)
        run = new_run()
        counts = Counts()
        n_done = n_rejected = 0
        with ExitStack() as stack:
            with wrong_usage(FileError, RowError):
                source = check_jsonl(stack.enter_context(open_source(in_path)))
                # Last in, first out: OUT appears when the list of rejects is complete.
                target = stack.enter_context(open_target(out_path))
                rejected = stack.enter_context(open_target(rejects_path))
                sealed = stack.enter_context(open_target(vault_path)) if vault_path else None
            nlp = load()
            generator = cast(SurrogateGenerator, nlp.get_pipe(GENERATOR))
            if strategy is not None:
                generator.strategy = strategy.value
            if keep:
                generator.strategy = {
                    **{label: generator.get_strategy(label) for label in (*LABELS, SINGLE_CLASS)},
                    **{label.value: "keep" for label in keep},
                }
            if threshold is not None:
                cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
            progress = stack.enter_context(tqdm(unit=" rows", disable=None))
            for rows in read_chunks(source, text_field, conversation_field, known_field):
                with wrong_usage(SetupError):
                    process(nlp, rows, text_field, spans, batch_size, n_process, vault, run)
                for row in rows:
                    if row.counts is None:
                        reject = {"line": row.number, "reason": row.reason}
                        rejected.write(json.dumps(reject).encode("ascii") + b"\n")
                        n_rejected += 1
                    else:
                        target.write(row.dump())
                        if sealed is not None:
                            sealed.write(dump_entry(row.reference, row.token))
                        counts.update(row.counts)
                        n_done += 1
                progress.update(len(rows))
        if not n_rejected and not is_stream(rejects_path):
            rejects_path.unlink()
        typer.echo(f"{n_done} rows de-identified. {counts}", err=True)
        if n_rejected:
            typer.echo(f"{n_rejected} lines rejected, see {rejects_path}", err=True)
            raise typer.Exit(1)

    return app


def process(
    nlp: Language,
    rows: Sequence[Row],
    text_field: str,
    spans: bool,
    batch_size: int,
    n_process: int,
    vault: Vault | None = None,
    run: str = "",
) -> None:
    """Run the pipeline on the rows that have no reason against it: first on each row, then on each
    conversation.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): The rows. Those that fail get their reason, no row stops the others.
    text_field (str): The field with the text.
    spans (bool): Whether to add the field "replacements".
    batch_size (int): Texts in a batch.
    n_process (int): Processes.
    vault (Optional[Vault]): Seals the originals, if they are to be kept.
    run (str): The name of the run, for the vault.
    """
    conversations = get_conversations(rows)
    known = {row.number: get_known(members) for members in conversations for row in members}
    can_know = "known_matcher" in nlp.pipe_names
    for row in rows:
        if row.reason:
            continue
        if vault is not None and VAULT_FIELD in row.data:
            row.reason = f"field {VAULT_FIELD!r} is taken: the vault needs it"
        elif known[row.number] and not can_know:
            row.reason = "participants are known, but the pipeline has no known_matcher"
    todo = [row for row in rows if not row.reason]
    todo.sort(key=lambda row: len(row.text))
    # What a zone's texts bring to the vocabulary is gone after it: memory stays constant.
    with nlp.memory_zone():
        found = nlp.pipe(
            (row.make_doc(nlp, known[row.number]) for row in todo),
            batch_size=batch_size,
            n_process=n_process,
            disable=[GENERATOR],
        )
        docs: dict[int, Doc] = {row.number: doc for row, doc in zip(todo, found)}
        for members in conversations:
            done = [row for row in members if row.number in docs]
            own = [docs.pop(row.number) for row in done]
            with _rejecting(done):
                if members[0].conversation is None:
                    own = [nlp.get_pipe(GENERATOR)(doc) for doc in own]
                elif own:
                    finish_conversation(nlp, own)
            for row, doc in zip(done, own):
                if not row.reason:
                    with _rejecting([row]):
                        row.take(doc, text_field, spans, vault, run)


@contextmanager
def _rejecting(rows: Iterable[Row]) -> Iterator[None]:
    """Reject rows that something fails on."""
    try:
        yield
    except SetupError:
        raise
    except Exception as error:  # noqa: BLE001
        for row in rows:
            # The message of an error of the pipeline may quote the text.
            own = isinstance(error, RowError)
            row.reason = (
                str(error) if own else f"the pipeline failed on it ({type(error).__name__})"
            )
            row.counts = None


@contextmanager
def wrong_usage(*errors: type[Exception]) -> Iterator[None]:
    """End the command with what is to be done, and exit code 2.

    *errors (type[Exception]): Errors whose message says that.
    """
    try:
        yield
    except errors as error:
        raise typer.BadParameter(str(error)) from None


def _get_rejects_path(out_path: Path) -> Path:
    if out_path == STDIO:
        return Path("rejects.jsonl")
    return out_path.with_name(f"{out_path.name}.rejects.jsonl")


def _check_paths(
    in_path: Path, out_path: Path, rejects_path: Path, vault_path: Path | None
) -> None:
    if in_path != STDIO and not in_path.exists():
        raise typer.BadParameter(f"IN: there is no file {in_path}.")
    if STDIO in (rejects_path, vault_path):
        raise typer.BadParameter("Only IN and OUT can be -, the rejects and the vault cannot.")
    paths = {"IN": in_path, "OUT": out_path}
    files = {name: path.resolve() for name, path in paths.items() if path != STDIO}
    files["The file of rejects"] = rejects_path.resolve()
    if vault_path is not None:
        files["The vault"] = vault_path.resolve()
    if len(set(files.values())) < len(files):
        raise typer.BadParameter(f"{', '.join(files)} must be different files.")
    for name, path in files.items():
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{name}: there is no folder {path.parent}.")
