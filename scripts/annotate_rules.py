"""Annotate raw messages by rules and word lists alone: a start for a corpus of one's own."""

from pathlib import Path

import srsly
import typer
from spacy.language import Language
from wasabi import table

from components.cli.files import demand_new
from components.labels import LABELS
from components.measures.gold import Row, read_messages
from components.measures.scores import Scores
from components.measures.spans import get_entities, to_char_spans
from training_tools.errors import clean_errors
from training_tools.formats.docs import rules_language
from training_tools.formats.jsonl import read_lines, write_messages


def annotate_rules(
    source: Path,
    target: Path,
    lists: Path = Path("assets/lists"),
    patterns: Path = Path("assets/patterns.jsonl"),
    metrics: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Annotate messages. If they have spans already, these are gold: the new ones are measured.

    source (Path): a JSONL file of messages with `text`, or a .txt file with one message a line.
    target (Path): the JSONL file to write, in the format of the annotation guidelines.
    lists (Path): The folder of word lists.
    patterns (Path): the JSONL file of rule patterns.
    metrics (Path | None): Where to write the measures, JSON.
    overwrite (bool): Whether a target that is there may be lost, with all that was mended in it.
    """
    if source.suffix not in (".jsonl", ".txt"):
        raise typer.BadParameter(f"{source} is neither .jsonl nor .txt")
    if source.resolve() == target.resolve():
        raise typer.BadParameter("the source cannot be the target: it may hold gold spans")
    with clean_errors():
        if not overwrite:
            demand_new([str(target)])
        if source.suffix == ".txt":
            rows = read_lines(source)
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
    """Annotate messages.

    nlp (Language): The pipeline.
    rows (list[Row]): The messages, with gold spans or without.
    RETURNS (tuple[list[Row], Scores]): The messages with the spans that the pipeline found, and
        how these compare to the gold ones.
    """
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


if __name__ == "__main__":
    typer.run(annotate_rules)
