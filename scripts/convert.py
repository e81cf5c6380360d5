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
    if source.suffix == ".jsonl":
        rows = read_messages(source)
    elif source.suffix == ".spacy":
        rows = read_docs(source, nlp)
    else:
        raise typer.BadParameter(f"{source} is neither .jsonl nor .spacy")
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".jsonl":
        write_messages(target, rows)
        misaligned = 0
    elif target.suffix == ".spacy":
        misaligned = write_docs(target, rows, nlp)
    else:
        raise typer.BadParameter(f"{target} is neither .jsonl nor .spacy")
    typer.echo(f"{len(rows)} messages; {misaligned} spans off token boundaries, kept apart")


if __name__ == "__main__":
    typer.run(convert)
