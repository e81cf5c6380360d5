"""Is one class for all PHI better found than eight, and on other people's messages, too?"""

import typer

from lab.workbench.bench import Bench, Variant
from lab.workbench.options import with_bench
from lab.workbench.papers import make_paper_table
from lab.workbench.scored import get_gains
from lab.workbench.telling import (
    Results,
    cite,
    get_figures,
    get_value,
    make_bars,
    make_tables,
    tell_gain,
)
from training_tools.report.outcome import Outcome, Plot
from training_tools.report.plots import draw_bars

NAME = "single-class"
ONE, EIGHT = "one class", "eight classes"
MEASURE = "one class F1"
# Classes apart count nowhere here: a pipeline with one class has no others.
MEASURES = ("one class P", "one class R", MEASURE, "redact", "full", "clean")


@with_bench
def single_class(bench: Bench) -> None:
    """Train with one class and with eight, and compare what both find, whatever they call it."""
    variants = {
        ONE: Variant(bench.train, {"components.phi_ner.single_class": True}),
        EIGHT: Variant(bench.train),
    }
    results = bench.run(NAME, variants)
    outcome = Outcome(
        name=NAME,
        title="One class for all PHI, or eight?",
        says=tell(results),
        figures=get_figures(results),
        tables=[*make_tables(results, MEASURES, base=EIGHT), make_paper_table(NAME)],
        plots=[
            Plot(
                "F1 with the classes taken as one", draw_bars(make_bars(results, MEASURE), MEASURE)
            )
        ],
        paper=cite(
            NAME,
            "One class instead of eight brought Arvidsson and Gerle .8 points of F1 on their own "
            "corpus (.961 to .969) and 7.8 on another customer's (.877 to .955); they scored the "
            "eight with their class, so a part of that is what no longer can be wrong.",
        ),
    )
    bench.publish(outcome)


def tell(results: Results) -> str:
    """Say what came out.

    results (Results): What the two came to.
    RETURNS (str): Two sentences.
    """
    one, eight = results[ONE]["counts"], results[EIGHT]["counts"]
    parts = [
        f"on {corpus} it has an F1 of {get_value(one[corpus], MEASURE):.3f} against "
        f"{get_value(eight[corpus], MEASURE):.3f}, {tell_gain(one[corpus], eight[corpus], MEASURE)}"
        for corpus in one
    ]
    redact = [get_gains(one[corpus], eight[corpus])["redact"] for corpus in one]
    better = sum(gain.is_sure and gain.value > 0 for gain in redact)
    worse = sum(gain.is_sure and gain.value < 0 for gain in redact)
    return (
        "A pipeline that knows one class, with the classes of both taken as one: "
        f"{'; '.join(parts)}. It covers surely more entities than that with eight on {better} of "
        f"{len(redact)} corpora, and surely fewer on {worse}."
    )


if __name__ == "__main__":
    typer.run(single_class)
