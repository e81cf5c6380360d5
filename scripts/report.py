"""Write the report of all that was measured: one page that opens without a network, and, if wished, a
page of the documentation.
"""

from pathlib import Path

import typer
from wasabi import msg

from training_tools.errors import clean_errors
from training_tools.report.outcome import FOLDER, write_page, write_report


def report(
    metrics_path: Path = typer.Argument(FOLDER, help="The folder of the experiments' outcomes"),
    page: Path | None = typer.Option(
        None, help="A page of the documentation to write them into, too"
    ),
) -> None:
    with clean_errors():
        path, n_outcomes = write_report(metrics_path)
        if page is not None:
            write_page(metrics_path, page)
    msg.good(f"Report of {n_outcomes} experiments written", path)


if __name__ == "__main__":
    typer.run(report)
