"""Convert annotated messages between JSONL (the guidelines' format) and `.spacy`."""

from pathlib import Path

import typer

from corpus_tools.docs import chat_language, read_docs, write_docs
from corpus_tools.jsonl import read_messages, write_messages


def convert(source: Path, target: Path) -> None:
    """Convert a file; the suffixes say from what to what. Nothing is lost on the way.

    source (Path): a `.jsonl` or `.spacy` file.
    target (Path): the `.jsonl` or `.spacy` file to write.
    """
    nlp = chat_language()
    for path in (source, target):
        if path.suffix not in (".jsonl", ".spacy"):
            raise typer.BadParameter(f"{path} is neither .jsonl nor .spacy")
    try:
        rows = read_messages(source) if source.suffix == ".jsonl" else read_docs(source, nlp)
    except (OSError, ValueError) as error:
        # A traceback may show the local variables, and with them a message.
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".jsonl":
        write_messages(target, rows)
        misaligned = 0
    else:
        misaligned = write_docs(target, rows, nlp)
    typer.echo(f"{len(rows)} messages; {misaligned} spans off token boundaries, kept apart")


if __name__ == "__main__":
    typer.run(convert)
