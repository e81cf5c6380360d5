"""Write the table of figures of the README and the model card from what `results` measured."""

from pathlib import Path

import srsly
import typer
from wasabi import msg

from lab.workbench.printed import SHARES, write_headline
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, make_table


def write_figures(
    figures_path: Path = typer.Argument(..., help="The figures that results has kept, JSON"),
    names: list[str] = typer.Argument(..., help="The sets, in the order of the table"),
    pages: list[Path] = typer.Option(..., "--page", help="A page with a block of figures"),
) -> None:
    kept = srsly.read_json(figures_path)
    chosen = [kept[name] for name in names]
    table = make_table(["messages", "strict F1", *SHARES], map(write_headline, chosen))
    states = ", ".join(dict.fromkeys(figures["state"] for figures in chosen))
    content = f"{table}\n\nThe embedded encoder, {states}. In brackets: 95 % intervals."
    with clean_errors():
        for page in pages:
            fill_block(page, "figures", content)
            msg.good("Page written", page)


if __name__ == "__main__":
    typer.run(write_figures)
