"""Write the README's table of figures from what `evaluate` measured."""

from pathlib import Path

import srsly
import typer
from wasabi import msg

from corpus_tools.errors import clean_errors
from corpus_tools.markdown import fill_block, get_state, make_table

# What each corpus is, by the name of its file of figures.
CORPORA = {
    "fresh": "by two more writers, read by nobody here, never decided on",
    "natural": "by three independent writers, read by nobody here",
    "made": "made, from skeletons and surnames that training never saw",
}


def write_figures(
    page_path: Path = typer.Argument(..., help="The page, with a block of figures"),
    metrics_paths: list[Path] = typer.Argument(..., help="What evaluate wrote, JSON"),
) -> None:
    rows = []
    for path in metrics_paths:
        figures = srsly.read_json(path)["merged"]
        shares = (figures["strict"]["f"], *(figures[name] for name in ("redact", "full", "clean")))
        name = CORPORA.get(path.stem, path.stem)
        rows.append([f"{figures['messages']} {name}", *(f"{share:.3f}" for share in shares)])
    table = make_table(["messages", "strict F1", "redact", "full", "clean"], rows)
    with clean_errors():
        fill_block(page_path, "figures", f"{table}\n\nThe embedded encoder, {get_state()}.")
    msg.good("Page written", page_path)


if __name__ == "__main__":
    typer.run(write_figures)
