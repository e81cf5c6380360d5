"""What `errors` came to, without a message: who is taken for whom, and what found or dropped it."""

from collections.abc import Mapping, Sequence

from components.labels import LABELS
from components.measures.faults import KINDS, NOTHING, ORIGINS
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import draw_matrix

Counts = Mapping[str, Mapping[str, int]]


def make_error_outcome(
    data: str, confusions: Counts, counts: Mapping[str, Counts], n_messages: int
) -> Outcome:
    """Tell what is wrong.

    data (str): What was looked at.
    confusions (Counts): What `make_confusions` gives.
    counts (Mapping[str, Counts]): What `count_faults` gives.
    n_messages (int): How many messages have errors.
    RETURNS (Outcome): The outcome.
    """
    names = (*LABELS, NOTHING)
    matrix = [[confusions[gold][found] for found in names] for gold in names]
    n_faults = sum(sum(kinds.values()) for kinds in counts["class"].values())
    left = sum(kinds["missed"] + kinds["cut"] for kinds in counts["class"].values())
    says = f"{n_faults} errors in {n_messages} messages: {left} leave something, the others take too much or another class."
    if counts["origin"]:
        most = max(counts["origin"], key=lambda name: sum(counts["origin"][name].values()))
        says += f" Most of them, {sum(counts['origin'][most].values())}, come from this: {ORIGINS[most]}."
    return Outcome(
        name="errors",
        title="What is taken for what, and by what?",
        says=says,
        figures={"confusions": confusions, **counts},
        tables=[
            Table(
                "Taken for: annotated down, found across",
                ["", *names],
                [[gold, *map(write_count, row)] for gold, row in zip(names, matrix)],
            ),
            tabulate("Errors by class", "class", counts["class"]),
            tabulate(
                "Errors by what found, or dropped, it",
                "found by",
                {ORIGINS[origin]: kinds for origin, kinds in counts["origin"].items()},
            ),
            tabulate("The same, one by one", "found by", counts["found_by"]),
        ],
        plots=[
            Plot(
                "Taken for: annotated down, found across; green: of the same class",
                draw_matrix(matrix, names, names, xlabel="found", ylabel="annotated"),
            )
        ],
        paper="Lange et al. 2019, table 4 (MEDDOCAN, development part): confusions are rare, most of them "
        "with nothing at all, the others between related classes, such as hospitals and institutions, "
        "streets and places. García-Pablos et al. 2020 (NUBes-PHI): hospitals are taken for places.",
        data=data,
    )


def tabulate(title: str, first: str, counts: Counts) -> Table:
    """Make a table of errors."""
    rows: Sequence[Sequence[str]] = [
        [name, *(write_count(kinds[kind]) for kind in KINDS)] for name, kinds in counts.items()
    ]
    return Table(title, [first, *KINDS], rows)


def write_count(count: int) -> str:
    """RETURNS (str): A count, nothing for none."""
    return str(count or "")
