"""Write the report of all outcomes of the laboratory: one page that opens without a network, and, if wished,
a page of the documentation.
"""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from lab.places import METRICS
from lab.workbench.experiments import write_page
from training_tools.errors import clean_errors
from training_tools.report.folder import write_report


def report(
    metrics: Annotated[Path, typer.Argument(help="The folder of the outcomes")] = METRICS,
    page: Annotated[Path | None, typer.Option(help="A page to write them into, too")] = None,
) -> None:
    with clean_errors():
        path, n_outcomes = write_report(metrics)
        if page is not None:
            write_page(metrics, page)
    msg.good(f"Report of {n_outcomes} experiments written", path)


if __name__ == "__main__":
    typer.run(report)
