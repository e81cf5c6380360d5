"""Tables and words of what variants of the pipeline came to."""

from collections.abc import Mapping, Sequence
from typing import Any

from components.measures.figures import write_share
from lab.workbench.papers import PAPERS, find_results
from lab.workbench.scored import MAIN, Counts, Share, get_gains, get_shares, write_cells, write_gain
from training_tools.report.outcome import Table
from training_tools.report.plots import Line

Results = Mapping[str, Mapping[str, Any]]
"""What `Bench.run` gives."""


def get_figures(results: Results) -> dict[str, Any]:
    """Gather the figures of an experiment.

    results (Results): What its variants came to.
    RETURNS (dict[str, Any]): For each variant and corpus the measures, each with the ends of its
        interval; its thresholds, and the minutes that it took.
    """
    return {
        name: {
            "measures": {
                corpus: {measure: list(share) for measure, share in get_shares(counts).items()}
                for corpus, counts in result["counts"].items()
            },
            "thresholds": [run["threshold"] for run in result["runs"] if "threshold" in run],
            "minutes": [run["minutes"] for run in result["runs"]],
        }
        for name, result in results.items()
    }


def make_tables(
    results: Results, measures: Sequence[str] = MAIN, base: str | None = None
) -> list[Table]:
    """Make a table for each corpus, a variant a row.

    results (Results): What the variants came to.
    measures (Sequence[str]): The measures.
    base (str | None): The variant that the others are compared with: they get a row each of what
        they gain, in points.
    RETURNS (list[Table]): The tables.
    """
    corpora = list(dict.fromkeys(name for result in results.values() for name in result["counts"]))
    tables = []
    for corpus in corpora:
        counts = {
            name: result["counts"][corpus]
            for name, result in results.items()
            if corpus in result["counts"]
        }
        rows = [[name, *write_cells(get_shares(own), measures)] for name, own in counts.items()]
        if base in counts:
            rows += [
                [
                    f"{name} against {base}, points",
                    *write_gains(get_gains(own, counts[base]), measures),
                ]
                for name, own in counts.items()
                if name != base
            ]
        tables.append(Table(f"On {corpus}", ["", *measures], rows))
    return tables


def write_gains(gains: Mapping[str, Share], measures: Sequence[str]) -> list[str]:
    """Write differences for a table.

    gains (Mapping[str, Share]): The differences.
    measures (Sequence[str]): Which of them.
    RETURNS (list[str]): Each in points; a dash where nothing can be counted.
    """
    return [write_gain(gains[name]) if name in gains else write_share(None) for name in measures]


def get_value(counts: Counts, measure: str) -> float:
    """Get one measure.

    counts (Counts): The counts.
    measure (str): A name of `MEASURES`.
    RETURNS (float): The measure, 0 if nothing can be counted.
    """
    shares = get_shares(counts)
    return shares[measure].value if measure in shares else 0.0


def tell_gain(counts: Counts, base: Counts, measure: str) -> str:
    """Say by how much a measure differs.

    counts (Counts): The counts of one variant.
    base (Counts): Those of the other, on the same messages.
    measure (str): A name of `MEASURES`.
    RETURNS (str): `+1.2 points (-0.3 to +2.7), which may be chance`.
    """
    gains = get_gains(counts, base)
    if measure not in gains:
        return "nothing to count"
    value, _, interval = write_gain(gains[measure]).partition(" ")
    doubt = "" if gains[measure].is_sure else ", which may be chance"
    return f"{value} points {interval}{doubt}"


def cite(experiment: str, found: str) -> str:
    """Say what papers found.

    experiment (str): The command that measures the same here.
    found (str): What they found, in words.
    RETURNS (str): That, the figures, and what is other there.
    """
    results = find_results(experiment)
    if not results:
        return found
    papers = [PAPERS[key] for key in dict.fromkeys(result.paper for result in results)]
    differs = "; ".join(f"{paper.cite}: {paper.differs}" for paper in papers)
    return f"{found} What differs: {differs}."


def make_line(points: Mapping[Any, Mapping[str, Any]], corpus: str, measure: str) -> Line:
    """Make a line of a plot.

    points (Mapping[Any, Mapping[str, Any]]): What a variant came to, by what the line goes over.
    corpus (str): The corpus.
    measure (str): A name of `MEASURES`.
    RETURNS (Line): The line, with its band; without what nothing can be counted for.
    """
    shares = {x: get_shares(result["counts"][corpus]) for x, result in points.items()}
    found = {x: own[measure] for x, own in shares.items() if measure in own}
    values, lows, highs = zip(*found.values()) if found else ((), (), ())
    return Line(list(found), values, lows, highs)


def make_bars(results: Results, measure: str) -> dict[str, Line]:
    """Make the bars of a plot: corpora side by side, a variant a row.

    results (Results): What the variants came to.
    measure (str): A name of `MEASURES`.
    RETURNS (dict[str, Line]): For each corpus its values by variant.
    """
    corpora = dict.fromkeys(name for result in results.values() for name in result["counts"])
    return {
        corpus: make_line(
            {name: own for name, own in results.items() if corpus in own["counts"]}, corpus, measure
        )
        for corpus in corpora
    }
