"""Annotate raw messages by rules and word lists alone: a start for a corpus of one's own."""

from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated

import srsly
import typer
from spacy.language import Language
from wasabi import table

from components.measures.formats.jsonl import write_messages
from components.measures.gold import Row, read_messages
from components.measures.scores import Scores
from components.measures.spans import get_entities, to_char_spans
from components.shared.labels import LABELS
from components.tables.places import demand_new
from training_tools.errors import clean_errors
from training_tools.formats.docs import rules_language


def annotate_rules(
    source: Annotated[
        Path, typer.Argument(help="Messages with `text`, JSONL; or a .txt file, one message a line")
    ],
    target: Annotated[Path, typer.Argument(help="Where the annotated messages go, JSONL")],
    lists: Annotated[Path, typer.Option(help="Folder of the word lists")] = Path("assets/lists"),
    patterns: Annotated[Path, typer.Option(help="File of the rules")] = Path(
        "assets/patterns.jsonl"
    ),
    metrics: Annotated[Path | None, typer.Option(help="Where to write measures, JSON")] = None,
    overwrite: Annotated[
        bool, typer.Option(help="Replace a target that is there, with all that was mended in it")
    ] = False,
) -> None:
    """Annotate messages by rules and word lists. If they have spans already, these are gold: the new ones
    are measured.
    """
    if source.suffix not in (".jsonl", ".txt"):
        raise typer.BadParameter(f"{source} is neither .jsonl nor .txt")
    if source.resolve() == target.resolve():
        raise typer.BadParameter("the source cannot be the target: it may hold gold spans")
    with clean_errors():
        if not overwrite:
            demand_new([str(target)])
        if source.suffix == ".txt":
            rows = _read_lines(source)
        else:
            rows = read_messages(source, annotated=False)
        annotated, scores = annotate(rules_language(lists, patterns), rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_messages(target, annotated)
    n_spans = sum(len(row["spans"]) for row in annotated)
    typer.echo(f"{len(rows)} messages, {n_spans} spans found. Read and mend them: {target}")
    n_gold = scores.messages["phi"] + scores.messages["no_phi"]
    if n_gold:
        typer.echo(f"Against the spans that {n_gold} of them had (strict):")
        typer.echo(_tabulate(scores))
    if metrics is not None:
        metrics.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(metrics, _get_figures(scores))


def annotate(nlp: Language, rows: list[Row]) -> tuple[list[Row], Scores]:
    """Annotate messages, and compare what is found to the spans that they had."""
    scores, annotated = Scores(), []
    for row, doc in zip(rows, nlp.pipe(row["text"] for row in rows)):
        found = get_entities(doc)
        if "spans" in row:
            scores.add(doc.text, to_char_spans(row["spans"]), found)
        spans = [{"start": start, "end": end, "label": label} for start, end, label in found]
        head = {"id": row["id"], "text": row["text"], "spans": spans}
        annotated.append(head | {key: row[key] for key in row if key not in head})
    return annotated, scores


def _get_figures(scores: Scores) -> dict[str, dict[str, float]]:
    figures = {}
    for label in (None, *LABELS):
        prf = scores.entity(label)
        figures[label or "all"] = {
            "p": prf.precision,
            "r": prf.recall,
            "f": prf.f1,
            "redact": scores.redact(label),
            "gold": prf.gold,
        }
    return figures


def _tabulate(scores: Scores) -> str:
    rows = [
        [label, *(f"{values[name]:.3f}" for name in ("p", "r", "f", "redact")), values["gold"]]
        for label, values in _get_figures(scores).items()
    ]
    return table(rows, header=["", "P", "R", "F1", "redact", "gold"], divider=True)


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
