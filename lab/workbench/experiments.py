"""The page of the experiments in the documentation."""

from pathlib import Path

from training_tools import markdown
from training_tools.report.folder import read_outcomes
from training_tools.report.outcome import Outcome


def write_page(folder: Path, page: Path) -> None:
    """Write all outcomes into a page, between `<!-- experiments -->` and its end, for those who read
    the project without running it. The plots go to a folder beside the page, of its name."""
    plots = page.with_suffix("")
    plots.mkdir(exist_ok=True)
    sections = []
    for outcome in read_outcomes(folder):
        for number, plot in enumerate(outcome.plots, start=1):
            (plots / f"{outcome.name}-{number}.svg").write_text(plot.svg, encoding="utf8")
        sections.append(write_markdown(outcome, f"{plots.name}/"))
    markdown.fill_block(page, "experiments", "\n".join(sections))


def write_markdown(outcome: Outcome, plots: str = "") -> str:
    """Write an outcome as a section of a page. `plots` leads from the page to its plots."""
    parts = [f"## {outcome.title}", outcome.says]
    for headline in outcome.headlines:
        interval = f" ({headline.interval})" if headline.interval else ""
        parts.append(f"**{headline.figure}**{interval} {headline.says}")
    for each in outcome.tables:
        parts += [f"**{each.title}**", markdown.make_table(each.head, each.rows)]
    for number, plot in enumerate(outcome.plots, start=1):
        parts.append(f"![{plot.title}]({plots}{outcome.name}-{number}.svg)")
    if outcome.paper:
        parts.append(f"*In the papers:* {outcome.paper}")
    return "\n\n".join([*parts, f"*{outcome.measured}*"]) + "\n"
