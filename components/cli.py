"""The command line of the installed pipeline: `python -m sv_deid_chat IN OUT`."""

import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO

import torch
import typer
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from .surrogate_generator import KEY_VARIABLE, STRATEGIES

STDIO = Path("-")
# A chunk is all that is held in memory; within it, rows are sorted by length for speed.
CHUNK_ROWS = 2000
CHUNK_BYTES = 4_000_000


Strategy = Enum("Strategy", {name: name for name in STRATEGIES}, type=str)


class RowError(ValueError):
    """Why a row cannot be processed. The message holds nothing of the row's text."""


class Row:
    """One line of the input, on its way to the output."""

    def __init__(self, number: int, line: bytes) -> None:
        """Keep the line.

        number (int): Its number in the file, from 1.
        line (bytes): The line.
        """
        self.number = number
        self.line = line
        self.data: dict[str, Any] = {}
        self.text = ""
        self.conversation: str | None = None
        self.labels: list[str] | None = None
        self.reason = ""

    def parse(self, text_field: str, conversation_field: str) -> None:
        """Read the line.

        text_field (str): The field with the text.
        conversation_field (str): The field with the conversation's id, which a row may lack.
        RAISES (RowError): If the row has no text that can be processed.
        """
        try:
            self.data = json.loads(self.line.decode("utf-8-sig" if self.number == 1 else "utf8"))
        except UnicodeDecodeError:
            raise RowError("not UTF-8") from None
        except (ValueError, RecursionError):
            raise RowError("not valid JSON") from None
        if not isinstance(self.data, dict):
            raise RowError("not a JSON object")
        if text_field not in self.data:
            raise RowError(f"no field {text_field!r}")
        self.text = self.data[text_field]
        if not isinstance(self.text, str):
            raise RowError(f"field {text_field!r} is not a string")
        if any("\ud800" <= char <= "\udfff" for char in self.text):
            raise RowError(f"field {text_field!r} holds a lone UTF-16 surrogate")
        conversation = self.data.get(conversation_field)
        if isinstance(conversation, bool) or not isinstance(conversation, (str, int, type(None))):
            raise RowError(f"field {conversation_field!r} is neither a string nor an integer")
        self.conversation = None if conversation is None else str(conversation)

    def make_doc(self, nlp: Language) -> Doc:
        """Tokenize the text and tell the pipes the conversation.

        nlp (Language): The pipeline.
        RETURNS (Doc): The text, ready for the pipes.
        """
        if len(self.text) > nlp.max_length:
            raise RowError(f"text longer than {nlp.max_length} characters")
        doc = nlp.make_doc(self.text)
        doc._.conversation_id = self.conversation
        return doc

    def take(self, doc: Doc, text_field: str, spans: bool) -> None:
        """Put the de-identified text in place of the original.

        doc (Doc): The processed text.
        text_field (str): The field with the text.
        spans (bool): Whether to add the field "replacements".
        """
        self.data[text_field] = doc._.deidentified
        if spans:
            self.data["replacements"] = doc._.replacements
        self.labels = [ent.label_ for ent in doc.ents]

    def dump(self) -> bytes:
        """RETURNS (bytes): The row as a line of JSON."""
        try:
            return json.dumps(self.data, ensure_ascii=False).encode("utf8") + b"\n"
        except UnicodeEncodeError:
            # Another field holds a lone surrogate, which only an escape can keep.
            return json.dumps(self.data).encode("ascii") + b"\n"


def main(load: Callable[[], Language]) -> None:
    """Run the command line.

    load (Callable[[], Language]): Loads the pipeline.
    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

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
            None, help="What takes the place of PHI; default: the pipeline's own"
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
        batch_size: int = typer.Option(64, min=1, help="Messages in a batch"),
        n_process: int = typer.Option(1, min=1, help="Processes, each with one thread if several"),
    ) -> None:
        """De-identify the texts of a JSONL file: one JSON object a line, with a field "text".

        The rows keep their order and their other fields. Other fields are copied AS THEY ARE: a
        name in them stays in them.

        Rows with the same conversation id share their surrogates. Set the environment variable
        SV_DEID_KEY to a secret of your own to get the same ones in another run.

        A line that cannot be processed is left out of OUT. Its number and the reason go to
        OUT.rejects.jsonl (rejects.jsonl where OUT is -). Exit code: 0 if every line was
        processed, 1 if some were rejected or the run broke off, 2 for wrong usage.
        """
        rejects_path = rejects or _get_rejects_path(out_path)
        _check_paths(in_path, out_path, rejects_path)
        if KEY_VARIABLE not in os.environ:
            typer.echo(f"{KEY_VARIABLE} is not set: other runs give other surrogates.", err=True)
            # All processes of this run need the same one.
            os.environ[KEY_VARIABLE] = secrets.token_hex(32)
        if n_process > 1:
            # Forked after torch ran with several threads, the processes would hang.
            torch.set_num_threads(1)
        nlp = load()
        if strategy is not None:
            nlp.get_pipe("surrogate_generator").strategy = strategy.value
        if threshold is not None:
            nlp.get_pipe("phi_ner").threshold = threshold
        counts: Counter = Counter()
        n_done = n_rejected = 0
        with ExitStack() as stack:
            source = stack.enter_context(_reading(in_path))
            progress = stack.enter_context(tqdm(unit=" rows", disable=None))
            # Last in, first out: OUT appears when the list of rejects is complete.
            target = stack.enter_context(_writing(out_path))
            rejected = stack.enter_context(_writing(rejects_path))
            for rows in _read_chunks(source):
                for row in rows:
                    try:
                        row.parse(text_field, conversation_field)
                    except RowError as error:
                        row.reason = str(error)
                process(nlp, rows, text_field, spans, batch_size, n_process)
                for row in rows:
                    if row.labels is None:
                        reject = {"line": row.number, "reason": row.reason}
                        rejected.write(json.dumps(reject).encode("ascii") + b"\n")
                        n_rejected += 1
                    else:
                        target.write(row.dump())
                        counts.update(row.labels)
                        n_done += 1
                progress.update(len(rows))
        if not n_rejected:
            rejects_path.unlink()
        found = ", ".join(f"{label} {count}" for label, count in sorted(counts.items()))
        typer.echo(f"{n_done} rows de-identified. Found: {found or 'nothing'}.", err=True)
        if n_rejected:
            typer.echo(f"{n_rejected} lines rejected, see {rejects_path}", err=True)
            raise typer.Exit(1)

    app()


def process(
    nlp: Language,
    rows: Iterable[Row],
    text_field: str,
    spans: bool,
    batch_size: int,
    n_process: int,
) -> None:
    """Run the pipeline on the rows that have no reason against it.

    nlp (Language): The pipeline.
    rows (Iterable[Row]): The rows. Those that fail get their reason, no row stops the others.
    text_field (str): The field with the text.
    spans (bool): Whether to add the field "replacements".
    batch_size (int): Texts in a batch.
    n_process (int): Processes.
    """
    todo = sorted((row for row in rows if not row.reason), key=lambda row: len(row.text))
    # What a zone's texts bring to the vocabulary is gone after it: memory stays constant.
    with nlp.memory_zone():
        try:
            docs = nlp.pipe(
                (row.make_doc(nlp) for row in todo), batch_size=batch_size, n_process=n_process
            )
            for row, doc in zip(todo, docs):
                row.take(doc, text_field, spans)
        except Exception:  # noqa: BLE001
            # One of them failed the batch: find out which.
            for row in todo:
                if row.labels is None:
                    _process_alone(nlp, row, text_field, spans)


def _process_alone(nlp: Language, row: Row, text_field: str, spans: bool) -> None:
    try:
        row.take(nlp(row.make_doc(nlp)), text_field, spans)
    except RowError as error:
        row.reason = str(error)
    except Exception as error:  # noqa: BLE001
        # Its message may quote the text.
        row.reason = f"the pipeline failed on it ({type(error).__name__})"


def _read_chunks(source: BinaryIO) -> Iterator[list[Row]]:
    rows: list[Row] = []
    size = 0
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        rows.append(Row(number, line))
        size += len(line)
        if len(rows) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _get_rejects_path(out_path: Path) -> Path:
    if out_path == STDIO:
        return Path("rejects.jsonl")
    return out_path.with_name(f"{out_path.name}.rejects.jsonl")


def _check_paths(in_path: Path, out_path: Path, rejects_path: Path) -> None:
    if in_path != STDIO and not in_path.exists():
        raise typer.BadParameter(f"IN: there is no file {in_path}.")
    paths = {"IN": in_path, "OUT": out_path}
    files = {name: path.resolve() for name, path in paths.items() if path != STDIO}
    files["The file of rejects"] = rejects_path.resolve()
    if len(set(files.values())) < len(files):
        raise typer.BadParameter(f"{', '.join(files)} must be different files.")
    for name, path in files.items():
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{name}: there is no folder {path.parent}.")


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    if path == STDIO:
        yield sys.stdin.buffer
    else:
        with path.open("rb") as file:
            yield file


@contextmanager
def _writing(path: Path) -> Iterator[BinaryIO]:
    """Write to a file that gets its name only when it is complete."""
    if path == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
