"""What a comparison came to, in tables, plots and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mean
from typing import Any

from components.measures.figures import write_share
from lab.systems.measuring import NAME
from lab.systems.roster import OURS, Entry
from lab.workbench.bench import Bench
from lab.workbench.papers import make_paper_table
from lab.workbench.plots import draw_points
from lab.workbench.scored import Counts, Shares, get_gains, get_shares, pool, write_cells
from lab.workbench.telling import cite, get_value, write_gains
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import Line

COLUMNS = ("strict F1", "one class F1", "redact", "full", "clean")
AGAINST = ("strict F1", "redact")
COSTS = ("MB", "training, CPU min", "words/CPU s")
MISSING = "not measured: weights not there"
FOUND = (
    "In the thesis the rule script found little (recall .387) and was nearly always right, its customer's "
    "name alone being half of the organisations that it found. Berg and Dalianis had a CRF ahead of an "
    "LSTM, by precision; Adams et al. a BiLSTM-CRF ahead of a CRF. García-Pablos et al. had BERT 1.9 "
    "points of strict F1 ahead of the better of spaCy and a CRF. The votes of Lange et al. were no "
    "better than the best of those that voted. Here the LSTMs have no pretrained word vectors, the CRF "
    "no analyser of the language, and the rule script no customer's name."
)

Costs = Mapping[str, float | None]
"""Bytes, minutes of learning, words a second."""


@dataclass(frozen=True)
class Standing:
    """What was measured of a system, its seeds taken together.

    entry (Entry): The system.
    runs (Sequence[Mapping[str, Any]]): What was measured with each seed, see `Comparison.run`; nothing
        if its weights are not there.
    """

    entry: Entry
    runs: Sequence[Mapping[str, Any]]

    @cached_property
    def counts(self) -> dict[str, Counts]:
        """RETURNS (dict[str, Counts]): By corpus."""
        corpora = self.runs[0]["counts"] if self.runs else ()
        return {corpus: pool([run["counts"][corpus] for run in self.runs]) for corpus in corpora}

    @cached_property
    def shares(self) -> dict[str, Shares]:
        """RETURNS (dict[str, Shares]): By corpus, its measures."""
        return {corpus: get_shares(counts) for corpus, counts in self.counts.items()}

    @cached_property
    def costs(self) -> Costs:
        """RETURNS (Costs): Their means; None where it had learnt before."""
        names = ("bytes", "fit_minutes", "words_a_second")
        values = {name: [run[name] for run in self.runs] for name in names}
        return {name: None if None in own else mean(own) for name, own in values.items()}

    def get_gains(self, other: "Standing") -> dict[str, Shares]:
        """other (Standing): Another system.
        RETURNS (dict[str, Shares]): By corpus, how much more or less each measure is here.
        """
        return {corpus: get_gains(own, other.counts[corpus]) for corpus, own in self.counts.items()}


def make_outcome(bench: Bench, standings: Mapping[str, Standing]) -> Outcome:
    """Tell what came out.

    bench (Bench): On what it was measured.
    standings (Mapping[str, Standing]): What was measured of each system, in the order of tables.
    RETURNS (Outcome): The outcome.
    """
    measured = {name: standing for name, standing in standings.items() if standing.runs}
    ours = measured.get(OURS)
    others = {name: standing for name, standing in measured.items() if standing is not ours}
    gains = {name: standing.get_gains(ours) for name, standing in others.items() if ours}
    tables = [make_table(corpus, [*standings.values()]) for corpus in bench.tests]
    if ours and gains:
        head = [f"{measure}, {corpus}" for corpus in bench.tests for measure in AGAINST]
        rows = [
            [
                others[name].entry.title,
                *(cell for corpus in bench.tests for cell in write_gains(own[corpus], AGAINST)),
            ]
            for name, own in gains.items()
        ]
        title = f"Points more or less than {ours.entry.title}, on the same messages"
        tables.append(Table(title, ["system", *head], rows))
    if len(bench.seeds) > 1:
        tables.append(make_seed_table([*bench.tests], [*measured.values()]))
    figures = {
        name: {
            **standing.costs,
            "measures": to_lists(standing.shares),
            "against_ours": to_lists(gains.get(name, {})),
        }
        for name, standing in measured.items()
    }
    missing = [name for name in standings if name not in measured]
    return Outcome(
        name=NAME,
        title="How does it compare with the systems of the papers?",
        says=say([*bench.tests], [*measured.values()]),
        figures={"systems": figures, "missing": missing},
        tables=[*tables, make_paper_table(NAME)],
        plots=[
            Plot(
                f"{measure} on {corpus} against speed",
                draw_speed(corpus, measure, [*measured.values()]),
            )
            for corpus in bench.tests
            for measure in AGAINST
        ],
        paper=cite(NAME, FOUND),
        state=bench.state,
    )


def to_lists(shares: Mapping[str, Shares]) -> dict[str, dict[str, list[float]]]:
    """shares (Mapping[str, Shares]): Measures by corpus.
    RETURNS (dict[str, dict[str, list[float]]]): Each with the ends of its interval.
    """
    return {
        corpus: {measure: list(share) for measure, share in own.items()}
        for corpus, own in shares.items()
    }


def make_table(corpus: str, standings: Sequence[Standing]) -> Table:
    """Put the systems side by side.

    corpus (str): The corpus.
    standings (Sequence[Standing]): The systems.
    RETURNS (Table): A row each: what it finds, and what it costs.
    """
    nothing = [write_share(None)] * (len(COLUMNS) + len(COSTS) - 1)
    rows = [
        [
            standing.entry.title,
            *write_cells(standing.shares[corpus], COLUMNS),
            *write_costs(standing.costs),
        ]
        if standing.runs
        else [standing.entry.title, MISSING, *nothing]
        for standing in standings
    ]
    return Table(f"On {corpus}", ["system", *COLUMNS, *COSTS], rows)


def write_costs(costs: Costs) -> list[str]:
    """costs (Costs): What a system costs.
    RETURNS (list[str]): Cells of a table.
    """
    forms = {"bytes": (1e-6, ".1f"), "fit_minutes": (1, ".1f"), "words_a_second": (1, ",.0f")}
    return [
        write_share(None) if (cost := costs[name]) is None else format(cost * factor, form)
        for name, (factor, form) in forms.items()
    ]


def make_seed_table(corpora: Sequence[str], standings: Sequence[Standing]) -> Table:
    """Show how much depends on chance.

    corpora (Sequence[str]): The corpora.
    standings (Sequence[Standing]): The systems.
    RETURNS (Table): Strict F1 of each seed, of those in which chance has a part.
    """
    rows = [
        [
            standing.entry.title,
            *(
                " ".join(
                    write_share(get_value(run["counts"][corpus], "strict F1"))
                    for run in standing.runs
                )
                for corpus in corpora
            ),
        ]
        for standing in standings
        if len(standing.runs) > 1
    ]
    return Table("Strict F1 by seed", ["system", *corpora], rows)


def say(corpora: Sequence[str], standings: Sequence[Standing]) -> str:
    """Say in two sentences what came out.

    corpora (Sequence[str]): The corpora.
    standings (Sequence[Standing]): The systems.
    RETURNS (str): Who is best on each, and who is fastest.
    """
    parts = []
    for corpus in corpora:
        best = []
        for measure in AGAINST:
            counted = [own for own in standings if measure in own.shares[corpus]]
            if counted:
                first = max(counted, key=lambda own: own.shares[corpus][measure].value)
                value = write_share(first.shares[corpus][measure].value)
                best.append(f"{measure} {value} ({first.entry.title})")
        parts.append(f"on {corpus} {' and '.join(best)}")
    fastest = max(standings, key=lambda own: own.costs["words_a_second"] or 0.0)
    speed = fastest.costs["words_a_second"]
    return (
        f"The best figures are {'; '.join(parts)}. "
        f"The fastest is {fastest.entry.title}, at {speed:,.0f} words a second of one CPU core."
    )


def draw_speed(corpus: str, measure: str, standings: Sequence[Standing]) -> str:
    """Draw a measure against speed.

    corpus (str), measure (str): Of what, and which.
    standings (Sequence[Standing]): The systems.
    RETURNS (str): SVG.
    """
    points = {}
    for standing in standings:
        if measure in standing.shares[corpus]:
            value, low, high = standing.shares[corpus][measure]
            speed = [standing.costs["words_a_second"]]
            points[standing.entry.short] = Line(speed, [value], [low], [high])
    return draw_points(points, "words a second of one CPU core", measure, xscale="log")
