"""What a comparison came to, in tables, plots and words."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpus_tools.markdown import write_share
from corpus_tools.systems.measuring import NAME
from corpus_tools.systems.roster import OURS, Entry
from corpus_tools.workbench.bench import Bench
from corpus_tools.workbench.outcome import Outcome, Plot, Table
from corpus_tools.workbench.papers import make_paper_table
from corpus_tools.workbench.plots import Line, draw_points
from corpus_tools.workbench.scored import Shares, get_gains, get_shares, pool, write_cells
from corpus_tools.workbench.telling import cite, write_gains

COLUMNS = ("strict F1", "one class F1", "redact", "full", "clean")
AGAINST = ("strict F1", "redact")
COSTS = ("MB", "training, min", "words/s")
MISSING = "not measured: weights not there"
FOUND = (
    "In the thesis the rule script found little (recall .387) and was nearly always right, its customer's "
    "name alone being half of the organisations that it found. Berg and Dalianis had a CRF ahead of an "
    "LSTM, by precision; Adams et al. a BiLSTM-CRF ahead of a CRF. García-Pablos et al. had BERT 1.9 "
    "points of strict F1 ahead of the better of spaCy and a CRF. The votes of Lange et al. were no "
    "better than the best of those that voted. Here the LSTMs have no pretrained word vectors, the CRF "
    "no analyser of the language, and the rule script no customer's name."
)

Runs = Mapping[str, Sequence[Mapping[str, Any]]]
"""What was measured of each system, seed by seed."""


def make_outcome(bench: Bench, roster: Mapping[str, Entry], runs: Runs) -> Outcome:
    """Tell what came out.

    bench (Bench): On what it was measured.
    roster (Mapping[str, Entry]): The systems.
    runs (Runs): What was measured of them, see `Comparison.run`; nothing of those whose weights are
        not there.
    RETURNS (Outcome): The outcome.
    """
    corpora = [*bench.tests]
    counts = {
        name: {corpus: pool([run["counts"][corpus] for run in own]) for corpus in corpora}
        for name, own in runs.items()
    }
    shares = {
        name: {corpus: get_shares(pooled) for corpus, pooled in own.items()}
        for name, own in counts.items()
    }
    costs = {name: get_costs(own) for name, own in runs.items()}
    gains = {
        name: {corpus: get_gains(own[corpus], counts[OURS][corpus]) for corpus in corpora}
        for name, own in counts.items()
        if OURS in counts and name != OURS
    }
    tables = []
    for corpus in corpora:
        rows = [
            [entry.title, *write_cells(shares[name][corpus], COLUMNS), *write_costs(costs[name])]
            if name in runs
            else [entry.title, MISSING, *[write_share(None)] * (len(COLUMNS) + len(COSTS) - 1)]
            for name, entry in roster.items()
        ]
        tables.append(Table(f"On {corpus}", ["system", *COLUMNS, *COSTS], rows))
    if gains:
        head = [f"{measure}, {corpus}" for corpus in corpora for measure in AGAINST]
        title = f"Points more or less than {roster[OURS].title}, on the same messages"
        rows = [
            [
                roster[name].title,
                *(cell for corpus in corpora for cell in write_gains(own[corpus], AGAINST)),
            ]
            for name, own in gains.items()
        ]
        tables.append(Table(title, ["system", *head], rows))
    if len(bench.seeds) > 1:
        tables.append(make_seed_table(roster, runs, corpora))
    tables.append(make_paper_table(NAME))
    return Outcome(
        name=NAME,
        title="How does it compare with the systems of the papers?",
        says=say(roster, shares, costs, corpora),
        figures={
            "systems": {
                name: {
                    **costs[name],
                    "corpora": {
                        corpus: {key: list(share) for key, share in shares[name][corpus].items()}
                        for corpus in corpora
                    },
                    "against_ours": {
                        corpus: {key: list(gain) for key, gain in found.items()}
                        for corpus, found in gains.get(name, {}).items()
                    },
                }
                for name in runs
            },
            "missing": [name for name in roster if name not in runs],
        },
        tables=tables,
        plots=[
            Plot(
                f"{measure} on {corpus} against speed",
                draw_speed(roster, shares, costs, corpus, measure),
            )
            for corpus in corpora
            for measure in AGAINST
        ],
        paper=cite(NAME, FOUND),
        state=f"{bench.state}; the CPU, words a second on one thread",
    )


def get_costs(runs: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """runs (Sequence[Mapping[str, Any]]): What was measured of a system.
    RETURNS (dict[str, float | None]): Its means: bytes, minutes of learning (None where it had
        learnt before), words a second.
    """
    names = ("bytes", "fit_minutes", "words_a_second")
    values = {name: [run[name] for run in runs] for name in names}
    return {name: None if None in own else sum(own) / len(own) for name, own in values.items()}


def write_costs(costs: Mapping[str, float | None]) -> list[str]:
    """costs (Mapping[str, float | None]): See `get_costs`.
    RETURNS (list[str]): Cells of a table.
    """
    size, minutes, speed = (costs[name] for name in ("bytes", "fit_minutes", "words_a_second"))
    return [
        write_share(None) if size is None else f"{size / 1e6:.1f}",
        write_share(None) if minutes is None else f"{minutes:.1f}",
        write_share(None) if speed is None else f"{speed:,.0f}",
    ]


def make_seed_table(roster: Mapping[str, Entry], runs: Runs, corpora: Sequence[str]) -> Table:
    """Show how much hangs on chance.

    roster (Mapping[str, Entry]): The systems.
    runs (Runs): What was measured of them.
    corpora (Sequence[str]): The corpora.
    RETURNS (Table): Strict F1 of each seed, of those in which chance has a part.
    """
    rows = [
        [
            roster[name].title,
            *(
                " ".join(
                    write_share(get_shares(run["counts"][corpus])["strict F1"].value) for run in own
                )
                for corpus in corpora
            ),
        ]
        for name, own in runs.items()
        if len(own) > 1
    ]
    return Table("Strict F1 by seed", ["system", *corpora], rows)


def say(
    roster: Mapping[str, Entry],
    shares: Mapping[str, Mapping[str, Shares]],
    costs: Mapping[str, Mapping[str, float | None]],
    corpora: Sequence[str],
) -> str:
    """Say in two sentences what came out.

    roster (Mapping[str, Entry]), shares, costs (Mapping): The systems, their measures, what they cost.
    corpora (Sequence[str]): The corpora.
    RETURNS (str): Who is best on each, and who is fastest.
    """
    parts = []
    for corpus in corpora:
        best = []
        for measure in AGAINST:
            values = {
                name: own[corpus][measure].value
                for name, own in shares.items()
                if measure in own[corpus]
            }
            if values:
                first = max(values, key=values.__getitem__)
                best.append(f"{measure} {write_share(values[first])} ({roster[first].title})")
        parts.append(f"on {corpus} {' and '.join(best)}")
    speeds = {name: own["words_a_second"] or 0.0 for name, own in costs.items()}
    fastest = max(speeds, key=speeds.__getitem__)
    return (
        f"The best figures are {'; '.join(parts)}. "
        f"The fastest is {roster[fastest].title}, at {speeds[fastest]:,.0f} words a second."
    )


def draw_speed(
    roster: Mapping[str, Entry],
    shares: Mapping[str, Mapping[str, Shares]],
    costs: Mapping[str, Mapping[str, float | None]],
    corpus: str,
    measure: str,
) -> str:
    """Draw a measure against speed.

    roster (Mapping[str, Entry]), shares, costs (Mapping): The systems, their measures, what they cost.
    corpus (str), measure (str): Of what, and which.
    RETURNS (str): SVG.
    """
    points = {}
    for name, own in shares.items():
        if measure in own[corpus]:
            value, low, high = own[corpus][measure]
            speed = [costs[name]["words_a_second"]]
            points[roster[name].short] = Line(speed, [value], [low], [high])
    return draw_points(points, "words a second, one thread", measure, xscale="log")
