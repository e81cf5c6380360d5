"""Convert annotated messages between JSONL, `.spacy`, IOB2 and brat."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from components.measures.formats.brat import read_brat, read_pair, write_brat
from components.measures.formats.conll import read_conll, write_conll
from components.measures.formats.jsonl import write_messages
from components.measures.gold import LabelMap, Row, read_messages
from components.tables.places import demand_new
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language, get_misaligned, read_docs, write_docs

CONLL = (".conll", ".iob", ".iob2")
# How many spans off token boundaries to name.
NAMED = 20


def convert(
    source: Annotated[
        Path, typer.Argument(help="A .jsonl, .spacy, .conll, .iob, .iob2 or .ann file, or a folder")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            help="The .jsonl, .spacy, .conll, .iob or .iob2 file, or the folder, to write"
        ),
    ],
    labels: Annotated[
        str,
        typer.Option(
            help="Which classes the labels of the source are, NAME=PERSON,ORT=LOCATION, or a file of "
            "such pairs, one a line; NAME= leaves the spans out"
        ),
    ] = "",
    overwrite: Annotated[bool, typer.Option(help="Replace a target that is there")] = False,
) -> None:
    """Convert a file or folder; the suffixes say from what to what. A folder, or a name without suffix,
    is one of brat. Nothing is lost on the way.
    """
    reader = _get_kind(source, (".jsonl", ".spacy", *CONLL, ".ann"))
    writer = _get_kind(target, (".jsonl", ".spacy", *CONLL))
    if source.resolve() == target.resolve():
        raise typer.BadParameter("the source cannot be the target")
    nlp = chat_language()
    readers: dict[str, Callable[[Path, LabelMap], list[Row]]] = {
        ".jsonl": read_messages,
        ".spacy": lambda path, known: read_docs(path, nlp, known),
        ".conll": read_conll,
        ".ann": read_pair,
        "": read_brat,
    }
    with clean_errors():
        if not overwrite:
            demand_new([str(target)])
        known = LabelMap.parse(labels)
        rows = readers[reader](source, known)
        target.parent.mkdir(parents=True, exist_ok=True)
        if writer == ".jsonl":
            write_messages(target, rows)
        elif writer == ".spacy":
            write_docs(target, rows, nlp)
        elif writer == ".conll":
            write_conll(target, rows, nlp)
        else:
            write_brat(target, rows)
    off = []
    if writer in (".spacy", ".conll"):
        for row in rows:
            spans = get_misaligned(nlp.make_doc(row["text"]), row["spans"])
            off += [f"{row['id']}: {s['start']}-{s['end']} {s['label']}" for s in spans]
    fate = "they split their tokens" if writer == ".conll" else "kept apart"
    typer.echo(f"{len(rows)} messages; {len(off)} spans off token boundaries, {fate}")
    for line in off[:NAMED] + ["…"] * (len(off) > NAMED):
        typer.echo(f"  {line}")
    for label, count in sorted(known.left_out.items()):
        typer.echo(f"  {count} spans {label} left out")


def _get_kind(path: Path, suffixes: tuple[str, ...]) -> str:
    """RETURNS (str): What a path holds: a suffix, `.conll` for all of IOB, `` for a folder."""
    if path.is_dir() or not path.suffix:
        return ""
    if path.suffix not in suffixes:
        raise typer.BadParameter(f"{path} is neither a folder nor {', '.join(suffixes)}")
    return ".conll" if path.suffix in CONLL else path.suffix


if __name__ == "__main__":
    typer.run(convert)
