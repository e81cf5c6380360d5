"""Measure how many entities fare otherwise when the same message is written or read in another way."""

from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from wasabi import msg

import components  # noqa: F401
from components.measures.figures import NOTHING, write_share
from components.measures.gold import read_gold
from lab.measures.stability import measure_stability
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state, make_table


def stability(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(None, help="A page to write the table into"),
    seed: int = typer.Option(0, help="Of the changes"),
) -> None:
    with clean_errors():
        rows = read_gold(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path)
    with clean_errors():
        figures = measure_stability(nlp, rows, seed)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    table = write_table(figures)
    print(table)
    if page is not None:
        state = f"`{data_path.stem}`, {len(rows)} messages; {get_state()}."
        with clean_errors():
            fill_block(page, "stability", f"{table}\n\n{state}")
        msg.good("Page written", page)


def write_table(figures: dict[str, dict[str, Any]]) -> str:
    """RETURNS (str): The shares as a Markdown table."""
    rows = []
    for name, own in figures.items():
        n = own["entities"]
        cells = [write_share(own["changed"] / n, own["interval"])] if n else [NOTHING]
        cells += [write_share(own[fate] / n) if n else NOTHING for fate in ("lost", "won")]
        rows.append([name, f"{own['messages']:,}", f"{n:,}", *cells])
    return make_table(["change", "messages", "entities", "changed", "lost", "won"], rows)


if __name__ == "__main__":
    typer.run(stability)
