"""What a comparison came to, in tables, plots and words."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpus_tools.markdown import write_share
from corpus_tools.systems.roster import OURS, Entry
from corpus_tools.workbench.outcome import Outcome, Plot, Table
from corpus_tools.workbench.plots import Line, draw_points
from corpus_tools.workbench.scored import (
    NOTHING,
    Shares,
    get_gains,
    get_shares,
    pool,
    write_cells,
    write_gain,
)

COLUMNS = ("strict F1", "one class F1", "redact", "full", "clean")
AGAINST = ("strict F1", "redact")
COSTS = ("MB", "training, min", "words/s")
MISSING = "not measured: weights not there"
PAPER = (
    "The thesis (Arvidsson and Gerle 2022, tables 5.3 and 5.7) has its rule script at a weighted F1 of "
    ".535 (precision .974, recall .387) and KB-BERT at .961 on the same customer's chat messages, .877 "
    "on another's; with one class .969 and .955. Berg and Dalianis (2019, tables 3 and 4) found a CRF "
    "ahead of an LSTM on Swedish records (F1 .90 against .87, recall .865 against .890; with more "
    "records .91). Adams et al. (2019, table 4) found it the other way round on English chat: BiLSTM-CRF "
    ".792, CRF .741, with clusters of word vectors .760. García-Pablos et al. (2020) had BERT 1.9 "
    "points of strict F1 ahead of the better of spaCy and a CRF (Spanish records, by tokens), and rules "
    "at precision .853, recall .469. Sánchez (2020, "
    "table 4.9) had a blank spaCy at .889 (names in French records, 6.8 MB). Lange et al. (2019, table "
    "1) had BiLSTM-CRFs at .965 to .970 (Spanish records with made headers, 29 classes), and their votes "
    "at .970: no better than the best alone. What differs: made and hand-written Swedish chat here, eight "
    "classes, one way of splitting words for all, no pretrained word vectors for the LSTMs, no analyser "
    "for the CRF, and no customer's name for the rule script, which found .487 of the organisations "
    "there by that alone."
)

Runs = Mapping[str, Sequence[Mapping[str, Any]]]
"""What was measured of each system, seed by seed."""


def make_outcome(roster: Mapping[str, Entry], runs: Runs, setting: str) -> Outcome:
    """Tell what came out.

    roster (Mapping[str, Entry]): The systems.
    runs (Runs): What was measured of them, see `Comparison.measure`; nothing of those whose weights
        are not there.
    setting (str): The name of the setting.
    RETURNS (Outcome): The outcome.
    """
    corpora = [*next(iter(runs.values()))[0]["counts"]]
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
    seeds = max(len(own) for own in runs.values())
    state = f"setting {setting}, {seeds} seed{'s' if seeds > 1 else ''}"
    tables = []
    for corpus in corpora:
        rows = [
            [entry.title, *write_cells(shares[name][corpus], COLUMNS), *write_costs(costs[name])]
            if name in runs
            else [entry.title, MISSING, *[NOTHING] * (len(COLUMNS) + len(COSTS) - 1)]
            for name, entry in roster.items()
        ]
        tables.append(Table(f"{corpus} ({state}, one thread)", ["system", *COLUMNS, *COSTS], rows))
    if gains:
        head = [f"{measure}, {corpus}" for corpus in corpora for measure in AGAINST]
        title = f"Points more or less than {roster[OURS].title}, on the same messages"
        rows = [
            [
                roster[name].title,
                *(
                    write_gain(own[corpus][measure]) if measure in own[corpus] else NOTHING
                    for corpus in corpora
                    for measure in AGAINST
                ),
            ]
            for name, own in gains.items()
        ]
        tables.append(Table(title, ["system", *head], rows))
    if seeds > 1:
        tables.append(make_seed_table(roster, runs, corpora))
    return Outcome(
        name="compare",
        title="How does it compare with the systems of the papers?",
        says=say(roster, shares, costs, corpora),
        figures={
            "setting": setting,
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
        paper=PAPER,
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
        NOTHING if size is None else f"{size / 1e6:.1f}",
        NOTHING if minutes is None else f"{minutes:.1f}",
        NOTHING if speed is None else f"{speed:,.0f}",
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
