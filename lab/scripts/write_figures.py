"""Write the table of figures of the README and the model card from what `results` measured."""

from pathlib import Path

import srsly
import typer
from wasabi import msg

from components.measures.figures import write_share
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table

SHARES = ("redact", "full", "clean")


def write_figures(
    metrics_paths: list[Path] = typer.Argument(..., help="What results wrote, JSON"),
    pages: list[Path] = typer.Option(..., "--page", help="A page with a block of figures"),
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
    content = f"{table}\n\nThe embedded encoder, {get_state()}. In brackets: 95 % intervals."
    with clean_errors():
        for page in pages:
            fill_block(page, "figures", content)
            msg.good("Page written", page)


if __name__ == "__main__":
    typer.run(write_figures)
