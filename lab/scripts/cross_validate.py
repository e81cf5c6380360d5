"""How much do figures depend on which messages are held out, and does another source of messages
help?
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Annotated, Any

import typer

from components.lists.lists import read_lists
from components.measures.figures import write_share
from components.measures.gold import Row
from lab.workbench.bench import Bench, Variant
from lab.workbench.options import read_rows, with_bench
from lab.workbench.papers import make_paper_table
from lab.workbench.scored import MAIN, pool
from lab.workbench.telling import (
    Results,
    cite,
    get_figures,
    get_value,
    make_line,
    make_tables,
    tell_gain,
)
from training_tools.generator.corpus import make_split, partition
from training_tools.generator.natural import gather_threads
from training_tools.generator.skeletons import load_units
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import draw_bars

NAME = "cross-validate"
FOLDS, QUICK_FOLDS = 10, 2
ALONE, ADDED = "alone", "with another source"
HELD_OUT = "held-out messages"
INVENT = 0.25
F1 = "strict F1"


@with_bench
def cross_validate(
    bench: Bench,
    folds: Annotated[
        int | None, typer.Option(min=2, help=f"How many parts; default {FOLDS}")
    ] = None,
    added: Annotated[
        str,
        typer.Option(
            help="Messages of another source, JSONL or a folder in the bracket markup; by default "
            "as many as there are, filled from the skeletons"
        ),
    ] = "",
    messages: Annotated[Path, typer.Option(help="Folder of the skeletons")] = Path(
        "assets/messages"
    ),
) -> None:
    """Hold out each of the parts in turn, conversations as a whole, train on the others, alone and
    with messages of another source, and measure on what was held out.
    """
    number = folds or (QUICK_FOLDS if bench.quick else FOLDS)
    parts = fold(bench.train, number)
    if added:
        other = read_rows(Path(added))
    else:
        units = partition(load_units(messages))["train"]
        lists = read_lists(bench.recipe.lists)
        other = make_split(units, lists, "train", len(bench.train), 0, INVENT)
    variants = {}
    for place, held_out in enumerate(parts):
        rest = [row for part in parts if part is not held_out for row in part]
        tests = {HELD_OUT: held_out, **bench.tests}
        variants[name_fold(ALONE, place)] = Variant(rest, tests=tests)
        variants[name_fold(ADDED, place)] = Variant(shuffle([*rest, *other]), tests=tests)
    by_fold = bench.run(NAME, variants)
    results = {name: join(by_fold, name, number) for name in (ALONE, ADDED)}
    outcome = Outcome(
        name=NAME,
        title=f"{number} parts held out in turn, and another source added",
        says=tell(results, by_fold, number),
        figures={**get_figures(results), "folds": get_figures(by_fold)},
        tables=[
            *make_tables(results, base=ALONE),
            make_fold_table(by_fold, number),
            make_paper_table(NAME),
        ],
        plots=[Plot(f"{F1} of each part", draw(by_fold, number))],
        paper=cite(
            NAME,
            "Berg and Dalianis, in ten folds, raised their CRF from .90 to .91 with more records "
            "and lowered it to .88 with SUC, general Swedish text; their LSTM lost with either.",
        ),
    )
    bench.publish(outcome)


def fold(rows: Sequence[Row], number: int) -> list[list[Row]]:
    """Deal messages out to parts of about a size, conversations as a whole.

    rows (Sequence[Row]): The messages.
    number (int): How many parts.
    RETURNS (list[list[Row]]): The parts.
    RAISES (ValueError): If there are fewer conversations and single messages than parts.
    """
    threads = gather_threads(rows)
    if len(threads) < number:
        raise ValueError(
            f"{len(threads)} conversations and single messages cannot be dealt out to {number} "
            "parts: give fewer --folds, or more messages."
        )
    Random(0).shuffle(threads)
    parts: list[list[Row]] = [[] for _ in range(number)]
    # The longest first, each to the part that is shortest by then.
    for thread in sorted(threads, key=len, reverse=True):
        min(parts, key=len).extend(thread)
    return parts


def shuffle(rows: Sequence[Row]) -> list[Row]:
    """Mix messages, conversations as a whole.

    rows (Sequence[Row]): The messages.
    RETURNS (list[Row]): The same in another order.
    """
    threads = gather_threads(rows)
    Random(0).shuffle(threads)
    return list(chain.from_iterable(threads))


def name_fold(name: str, place: int) -> str:
    """RETURNS (str): The name of a variant whose part of that place is held out."""
    return f"{name}, part {place + 1}"


def join(by_fold: Results, name: str, number: int) -> dict[str, Any]:
    """Take the parts together: of what was held out each message counts once, of the other corpora
    as often as there are parts.

    by_fold (Results): What the folds came to.
    name (str): Alone, or with another source.
    number (int): How many parts.
    RETURNS (dict[str, Any]): A result, as `Bench.run` gives.
    """
    results = [by_fold[name_fold(name, place)] for place in range(number)]
    others = [corpus for corpus in results[0]["counts"] if corpus != HELD_OUT]
    counts = {HELD_OUT: list(chain.from_iterable(own["counts"][HELD_OUT] for own in results))}
    counts |= {corpus: pool([own["counts"][corpus] for own in results]) for corpus in others}
    return {"counts": counts, "runs": [run for own in results for run in own["runs"]]}


def get_values(by_fold: Results, name: str, number: int, measure: str) -> list[float]:
    """RETURNS (list[float]): A measure on what was held out, for each part."""
    counts = (by_fold[name_fold(name, place)]["counts"][HELD_OUT] for place in range(number))
    return [get_value(own, measure) for own in counts]


def make_fold_table(by_fold: Results, number: int) -> Table:
    """Make the table of means and spreads over the parts.

    by_fold (Results): What the folds came to.
    number (int): How many parts.
    RETURNS (Table): A row for each way of training.
    """
    rows = []
    for name in (ALONE, ADDED):
        values = [get_values(by_fold, name, number, measure) for measure in MAIN]
        rows.append(
            [name, *(f"{write_share(mean(own))} ± {write_share(stdev(own))}" for own in values)]
        )
    title = f"Mean and standard deviation over the {number} parts that were held out"
    return Table(title, ["", *MAIN], rows)


def tell(results: Results, by_fold: Results, number: int) -> str:
    """Say what came out.

    results (Results): All parts together.
    by_fold (Results): Each part.
    number (int): How many.
    RETURNS (str): Two sentences.
    """
    values = get_values(by_fold, ALONE, number, F1)
    alone, added = (results[name]["counts"] for name in (ALONE, ADDED))
    gains = "; ".join(
        f"{tell_gain(added[corpus], alone[corpus], F1)} on {corpus}" for corpus in alone
    )
    return (
        f"On messages that were held out strict F1 is {get_value(alone[HELD_OUT], F1):.3f}, by "
        f"part from {min(values):.3f} to {max(values):.3f}. Messages of another source in the "
        f"training bring {gains}."
    )


def draw(by_fold: Results, number: int) -> str:
    """Draw the parts.

    by_fold (Results): What the folds came to.
    number (int): How many parts.
    RETURNS (str): SVG.
    """
    bars = {}
    for name in (ALONE, ADDED):
        parts = {f"part {place + 1}": by_fold[name_fold(name, place)] for place in range(number)}
        bars[name] = make_line(parts, HELD_OUT, F1)
    return draw_bars(bars, F1)


if __name__ == "__main__":
    typer.run(cross_validate)
