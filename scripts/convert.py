"""Convert annotated messages between JSONL, `.spacy`, IOB2, brat, Label Studio and CSV."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from components.measures.formats.brat import read_pair
from components.measures.formats.registry import BRAT, FORMATS, Format, find_format, read_layers
from components.measures.gold import LabelMap, Row, read_messages
from components.tables.places import demand_new
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language, get_misaligned, read_docs, write_docs

# Messages without spans are not annotated: they are refused line by line.
WRITTEN = {
    **FORMATS,
    "jsonl": FORMATS["jsonl"]._replace(read=read_messages),
    "spacy": Format(
        "spaCy",
        (".spacy",),
        lambda path, labels: read_docs(path, chat_language(), labels),
        lambda path, rows, nlp, who: write_docs(path, rows, nlp),
    ),
}
READ = {**WRITTEN, "ann": FORMATS[BRAT]._replace(suffixes=(".ann",), read=read_pair)}
# How many spans off token boundaries to name.
NAMED = 20


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            help="A .jsonl, .spacy, .conll, .iob, .iob2, .ann, .csv or Label Studio's .json file, or a folder"
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            help="The .jsonl, .spacy, .conll, .iob, .iob2, .csv or .json file, or the folder, to write"
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
    is one of brat. Nothing is lost on the way, but by CSV, which knows only strings, and Label
    Studio, which has no further fields of a span.
    """
    kind = _find_format(target, WRITTEN)
    _find_format(source, READ)
    if source.resolve() == target.resolve():
        raise typer.BadParameter("the source cannot be the target")
    nlp = chat_language()
    with clean_errors():
        demand_new([target], overwrite)
        known = LabelMap.parse(labels)
        rows = _read(source, known)
        target.parent.mkdir(parents=True, exist_ok=True)
        WRITTEN[kind].write(target, rows, nlp, "")
    off = []
    if kind in ("spacy", "conll"):
        for row in rows:
            spans = get_misaligned(nlp.make_doc(row["text"]), row["spans"])
            off += [f"{row['id']}: {s['start']}-{s['end']} {s['label']}" for s in spans]
    fate = "they split their tokens" if kind == "conll" else "kept apart"
    typer.echo(f"{len(rows)} messages; {len(off)} spans off token boundaries, {fate}")
    for line in off[:NAMED] + ["…"] * (len(off) > NAMED):
        typer.echo(f"  {line}")
    for label, count in sorted(known.left_out.items()):
        typer.echo(f"  {count} spans {label} left out")


def _find_format(path: Path, formats: Mapping[str, Format]) -> str:
    try:
        return find_format(path, formats)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _read(path: Path, labels: LabelMap) -> list[Row]:
    """The annotated messages of a file: those of its only annotator, where it names some."""
    layers = read_layers(path, labels, READ)
    rows = layers.pop("")
    if len(layers) > 1:
        raise ValueError(
            f"{path} holds the work of {len(layers)} annotators: export one of them, or open it with "
            "`sv-deid-chat annotate`."
        )
    rows = next(iter(layers.values()), rows)
    bare = [row["id"] for row in rows if "spans" not in row]
    if bare:
        raise ValueError(f"{path}: {len(bare)} messages have no spans, the first is {bare[0]}.")
    return rows


if __name__ == "__main__":
    typer.run(convert)
