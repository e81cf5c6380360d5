"""Annotate raw messages by rules and word lists alone: a start for a corpus of one's own."""

from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated

import typer
from spacy.tokens import Doc
from wasabi import table

from components.measures.evaluation import evaluate_docs, tabulate_classes
from components.measures.gold import Row, read_messages, write_messages
from components.measures.spans import get_entities
from components.tables.places import demand_new
from training_tools.errors import clean_errors
from training_tools.formats.docs import rules_language
from training_tools.report.evaluation_outcome import CLASSES


def annotate_rules(
    source: Annotated[
        Path, typer.Argument(help="Messages with `text`, JSONL; or a .txt file, one message a line")
    ],
    target: Annotated[Path, typer.Argument(help="Where the annotated messages go, JSONL")],
    lists: Annotated[Path, typer.Option(help="Folder of the word lists")] = Path("assets/lists"),
    patterns: Annotated[Path, typer.Option(help="File of the rules")] = Path(
        "assets/patterns.jsonl"
    ),
    overwrite: Annotated[
        bool, typer.Option(help="Replace a target that is there, with all corrections in it")
    ] = False,
) -> None:
    """Annotate messages by rules and word lists. Spans that are there already measure them."""
    if source.suffix not in (".jsonl", ".txt"):
        raise typer.BadParameter(f"{source} is neither .jsonl nor .txt")
    if source.resolve() == target.resolve():
        raise typer.BadParameter("the source cannot be the target: it may hold gold spans")
    with clean_errors():
        demand_new([target], overwrite)
        if source.suffix == ".txt":
            rows = _read_lines(source)
        else:
            rows = read_messages(source, annotated=False)
        docs = [*rules_language(lists, patterns).pipe(row["text"] for row in rows)]
    annotated = [annotate(row, doc) for row, doc in zip(rows, docs)]
    target.parent.mkdir(parents=True, exist_ok=True)
    write_messages(target, annotated)
    n_spans = sum(len(row["spans"]) for row in annotated)
    typer.echo(f"{len(rows)} messages, {n_spans} spans found. Read and correct them: {target}")
    gold = {place: row for place, row in enumerate(rows) if "spans" in row}
    if gold:
        measured = evaluate_docs(source.stem, [*gold.values()], [docs[place] for place in gold])
        typer.echo(f"Against the spans that {len(gold)} of them had:")
        typer.echo(table(tabulate_classes(measured), header=CLASSES, divider=True))


def annotate(row: Row, doc: Doc) -> Row:
    """Put what is found in the place of the spans of a message."""
    spans = [
        {"start": start, "end": end, "label": label} for start, end, label in get_entities(doc)
    ]
    head = {"id": row["id"], "text": row["text"], "spans": spans}
    return head | {key: row[key] for key in row if key not in head}


def _read_lines(path: Path) -> list[Row]:
    """Read plain text, one message a line; empty lines are none."""
    rows = []
    for number, line in enumerate(path.read_bytes().removeprefix(BOM_UTF8).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            text = line.decode("utf8").removesuffix("\r")
        except UnicodeDecodeError:
            raise ValueError(f"{path}, line {number}: not UTF-8") from None
        rows.append({"id": f"{path.stem}-{number}", "text": text})
    return rows


if __name__ == "__main__":
    typer.run(annotate_rules)
