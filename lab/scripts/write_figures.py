"""Write the README's table of figures from what `evaluate` measured."""

from pathlib import Path

import srsly
import typer
from wasabi import msg

from components.measures.figures import write_share
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table

# What each corpus is, by the name of its file of figures.
CORPORA = {
    "clinic": "everyday clinic, read by nobody here",
    "families": "families, youth, psychiatry, authorities, the same",
    "names": "names of all origins, the same",
    "staff": "staff and clinical text, the same",
    "untouched": "by four more writers, read by nobody here",
    "untouched-lower": "the same, all in lower case",
    "untouched-context": "the same, turns read with what was said before",
    "fresh": "by two more writers, read by nobody here",
    "newest": "by fifty-eight more writers, read by nobody here",
    "natural": "by three independent writers, read by nobody here",
    "made": "made, from skeletons and surnames that training never saw",
    "newest-measurements": "without PHI, full of measurements, doses and codes, read by nobody here",
}
SHARES = ("redact", "full", "clean")


def write_figures(
    page_path: Path = typer.Argument(..., help="The page, with a block of figures"),
    metrics_paths: list[Path] = typer.Argument(..., help="What evaluate wrote, JSON"),
) -> None:
    rows = []
    for path in metrics_paths:
        figures = srsly.read_json(path)["merged"]
        found = figures["intervals"]
        # Without entities what is found wrongly has an F1 of 0, which says less than `clean`.
        strict = None if figures["redact"] is None else figures["strict"]["f"]
        cells = [write_share(strict, found.get("strict", {}).get("f"))]
        cells += [write_share(figures[name], found.get(name)) for name in SHARES]
        name = CORPORA.get(path.stem, path.stem)
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
