"""Write the README's table of figures from what `results` measured."""

from pathlib import Path

import srsly
import typer
from wasabi import msg

from components.measures.figures import write_share
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table

SHARES = ("redact", "full", "clean")


def write_figures(
    page_path: Path = typer.Argument(..., help="The page, with a block of figures"),
    metrics_paths: list[Path] = typer.Argument(..., help="What results wrote, JSON"),
) -> None:
    rows = []
    for path in metrics_paths:
        figures = srsly.read_json(path)["merged"]
        found = figures["intervals"]
        # Without entities what is found wrongly has an F1 of 0, which says less than `clean`.
        strict = None if figures["redact"] is None else figures["strict"]["f"]
        cells = [write_share(strict, found.get("strict", {}).get("f"))]
        cells += [write_share(figures[name], found.get(name)) for name in SHARES]
        name = figures["title"] or path.stem
        rows.append([f"{figures['messages']} {name}", *cells])
    table = make_table(["messages", "strict F1", *SHARES], rows)
    with clean_errors():
        fill_block(
            page_path,
            "figures",
            f"{table}\n\nThe embedded encoder, {get_state()}. In brackets: 95 % intervals.",
        )
    msg.good("Page written", page_path)


if __name__ == "__main__":
    typer.run(write_figures)
