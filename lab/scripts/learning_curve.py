"""How much does more annotation bring: by the share of the training messages, and by the number of
messages that are written whole, with and without other names in each pass, with and without
context?
"""

import shutil
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lab.workbench.bench import Bench, Variant
from lab.workbench.natural_size import LEVERS, Source, make_variants
from lab.workbench.options import parse_numbers, with_bench
from lab.workbench.papers import make_paper_table
from lab.workbench.telling import (
    Results,
    cite,
    get_figures,
    get_value,
    make_line,
    make_tables,
    tell_gain,
)
from lab.workbench.training import choose_rows, run_variant
from training_tools.report.outcome import Outcome, Plot
from training_tools.report.plots import draw_lines

NAME = "learning-curve"
SHARES, QUICK_SHARES = "100,75,50,25,5,1", "100,5"
SIZES, QUICK_SIZES = "0,300,1000,all", "0,all"
ALL, NONE = "all", "none"
F1 = "strict F1"
PLOTTED = (F1, "redact")


@with_bench
def learning_curve(
    bench: Bench,
    shares: Annotated[
        str, typer.Option(help=f"Shares of the training messages, %; default {SHARES}")
    ] = "",
    natural_sizes: Annotated[
        str, typer.Option(help=f"Numbers of natural messages, or none; default {SIZES}")
    ] = "",
    messages: Annotated[Path, typer.Option(help="Folder of the skeletons")] = Path(
        "assets/messages"
    ),
    natural: Annotated[Path, typer.Option(help="Folder of the natural messages")] = Path(
        "assets/messages/natural"
    ),
    size: Annotated[
        int, typer.Option(min=1, help="Messages in the corpora that are made, at --full")
    ] = 95000,
) -> None:
    """Train on less and less, each time as many steps, and measure."""
    percents = parse_numbers(shares or (QUICK_SHARES if bench.quick else SHARES), "--shares")
    if not all(0 < percent <= 100 for percent in percents):
        raise ValueError("--shares takes per cent, from 1 to 100.")
    variants = {
        name_share(percent): Variant(
            choose_rows(bench.train, max(1, len(bench.train) * percent // 100))
        )
        for percent in sorted(percents)
    }
    by_share = bench.run(NAME, variants)
    lists = Path(bench.recipe.lists)
    source = Source(messages, natural, lists, len(bench.train) if bench.quick else size)
    wanted = natural_sizes or (QUICK_SIZES if bench.quick else SIZES)
    sizes = [] if wanted == NONE else parse_sizes(wanted, source)
    made = make_variants(source, sizes, bench.work / NAME / "corpus")
    # What was said before a message is read where the conversation is known.
    by_size = bench.run(NAME, made, partial(run_variant, context=True))
    shutil.rmtree(bench.work / NAME / "corpus", ignore_errors=True)
    results = {**by_share, **by_size}
    outcome = Outcome(
        name=NAME,
        title="How many messages must be annotated?",
        says=" ".join([tell_shares(by_share), *([tell_sizes(by_size, sizes)] if sizes else [])]),
        figures=get_figures(results),
        tables=[*make_tables(results), make_paper_table(NAME)],
        plots=[*plot_shares(bench, by_share), *plot_sizes(bench, by_size, sizes)],
        paper=cite(
            NAME,
            "Arvidsson and Gerle fell from .961 with all training data to .900 with a quarter, "
            "most where a class had few examples; García-Pablos et al. lost 7 points with 1 %, a "
            "CRF 32. There a smaller training was shorter, too; here each has as many steps.",
        ),
    )
    bench.publish(outcome)


def name_share(percent: int) -> str:
    """percent (int): A share.
    RETURNS (str): The name of its variant.
    """
    return f"{percent} %"


def parse_sizes(text: str, source: Source) -> list[int]:
    """Read numbers of natural messages.

    text (str): Numbers, comma-separated, or `all` for one.
    source (Source): Tells how many there are.
    RETURNS (list[int]): The numbers, in order, none above what there is.
    """
    count = source.count()
    numbers = parse_numbers(text.replace(ALL, str(count)), "--natural-sizes")
    return sorted({min(number, count) for number in numbers})


def tell_shares(results: Results) -> str:
    """Say what more training messages bring.

    results (Results): What the shares came to, the smallest first.
    RETURNS (str): A sentence.
    """
    (few, first), *_, (most, last) = [*results.items()] * 2
    parts = [
        f"on {corpus} from {get_value(counts, F1):.3f} with {few} of the messages to "
        f"{get_value(last['counts'][corpus], F1):.3f} with {most} "
        f"({tell_gain(last['counts'][corpus], counts, F1)})"
        for corpus, counts in first["counts"].items()
    ]
    return f"Strict F1 goes {'; '.join(parts)}."


def tell_sizes(results: Results, sizes: list[int]) -> str:
    """Say what natural messages bring, and the levers with them.

    results (Results): What the points of the curves came to.
    sizes (list[int]): The numbers of natural messages.
    RETURNS (str): A sentence, of the last corpus that was measured on.
    """
    main, *others = LEVERS
    few, most = (results[main.name_point(size)]["counts"] for size in (sizes[0], sizes[-1]))
    corpus = list(most)[-1]
    gain = tell_gain(most[corpus], few[corpus], F1)
    parts = [f"{sizes[-1]} natural messages in place of {sizes[0]} bring {gain}"]
    for lever in others:
        counts = results[lever.name_point(sizes[-1])]["counts"]
        parts.append(f"{lever.name} it is {tell_gain(counts[corpus], most[corpus], F1)}")
    return f"On {corpus} {'; '.join(parts)}."


def plot_shares(bench: Bench, results: Results) -> list[Plot]:
    """Draw the curves over the share of the training messages.

    bench (Bench): Knows how many messages there are.
    results (Results): What the shares came to.
    RETURNS (list[Plot]): A plot a measure.
    """
    points = {
        max(1, len(bench.train) * int(name.split()[0]) // 100): result
        for name, result in results.items()
    }
    plots = []
    for measure in PLOTTED:
        lines = {corpus: make_line(points, corpus, measure) for corpus in bench.tests}
        svg = draw_lines(lines, "messages to train on", measure, xscale="log")
        plots.append(Plot(f"{measure} by the number of training messages", svg))
    return plots


def plot_sizes(bench: Bench, results: Results, sizes: list[int]) -> list[Plot]:
    """Draw the curves over the number of natural messages.

    bench (Bench): Knows the corpora.
    results (Results): What the points came to.
    sizes (list[int]): The numbers.
    RETURNS (list[Plot]): A plot a measure, of the last corpus.
    """
    if not sizes:
        return []
    corpus = list(bench.tests)[-1]
    plots = []
    for measure in PLOTTED:
        lines = {
            lever.name: make_line(
                {str(size): results[lever.name_point(size)] for size in sizes}, corpus, measure
            )
            for lever in LEVERS
        }
        svg = draw_lines(lines, "natural messages to train on", f"{measure}, {corpus}")
        plots.append(Plot(f"{measure} on {corpus} by the number of natural messages", svg))
    return plots


if __name__ == "__main__":
    typer.run(learning_curve)
