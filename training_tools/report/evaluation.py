"""What `evaluate` measured, for the engineer: all measures, corpora side by side."""

from collections.abc import Mapping, Sequence

from components.measures.evaluation import (
    Evaluation,
    tabulate_classes,
    tabulate_measures,
    tabulate_side_by_side,
)
from training_tools.report.outcome import Outcome, Plot, Table, describe_corpus
from training_tools.report.plots import Line, draw_bars

EXPERIMENT = "evaluate"
# What is drawn, by the names of the measures.
DRAWN = {
    "strict.f": "strict F1",
    "relaxed.f": "relaxed F1",
    "token_weighted.f": "token F1, weighted mean",
    "redact": "redact",
    "full": "full",
    "clean": "clean",
}


def make_evaluation_outcome(
    evaluations: Sequence[Evaluation], systems: Mapping[str, Evaluation]
) -> Outcome:
    """Make the outcome of what was measured.

    evaluations (Sequence[Evaluation]): What comes out of the pipeline, a corpus each.
    systems (Mapping[str, Evaluation]): Rules, lists, model and all of them merged, on the first one.
    RETURNS (Outcome): The outcome.
    """
    first = evaluations[0]
    names = [each.corpus for each in evaluations]
    tables = [
        Table(
            "Side by side: F1 and shares, in brackets 95 % intervals",
            ["", *names],
            tabulate_side_by_side(evaluations),
        )
    ]
    for each in evaluations:
        head = ["class", "strict P / R / F1", "token P / R / F1", "redact", "spans"]
        tables += [
            Table(f"{each.corpus}: all measures", ["", "P", "R", "F1"], tabulate_measures(each)),
            Table(f"{each.corpus}: by class", head, tabulate_classes(each)),
        ]
    parts = [
        [name, *each.write_prf("strict"), each.write("redact")] for name, each in systems.items()
    ]
    tables.append(
        Table(f"{first.corpus}: what each part finds alone", ["", "P", "R", "F1", "redact"], parts)
    )
    return Outcome(
        name=EXPERIMENT,
        title="How well is personal information found?",
        says=_say(evaluations),
        figures={each.corpus: each.get_figures() for each in evaluations},
        tables=tables,
        plots=[
            Plot("Main measures with 95 % intervals", _draw_measures(evaluations)),
            Plot("Share of each class that is redacted", _draw_classes(evaluations)),
        ],
        data=describe_corpora(evaluations),
    )


def describe_corpora(evaluations: Sequence[Evaluation]) -> str:
    """RETURNS (str): What was measured on: corpora with their sizes."""
    return ", ".join(
        describe_corpus(each.corpus, each.scores.n_messages, each.scores.entity().gold)
        for each in evaluations
    )


def _say(evaluations: Sequence[Evaluation]) -> str:
    return " ".join(
        f"On {each.corpus}: strict F1 {each.write('strict.f')}, {each.write('redact')} of the entities "
        f"wholly covered, {each.write('full')} of the messages that hold any."
        for each in evaluations
    )


def _draw_measures(evaluations: Sequence[Evaluation]) -> str:
    bars = {}
    for each in evaluations:
        names = [name for name in DRAWN if name in each.intervals]
        bars[each.corpus] = _make_line(each, names, [DRAWN[name] for name in names])
    return draw_bars(bars, "share")


def _draw_classes(evaluations: Sequence[Evaluation]) -> str:
    bars = {}
    for each in evaluations:
        labels = [label for label in each.labels if f"per_class.{label}.redact" in each.intervals]
        names = [f"per_class.{label}.redact" for label in labels]
        bars[each.corpus] = _make_line(each, names, labels)
    return draw_bars(bars, "redact")


def _make_line(each: Evaluation, names: Sequence[str], rows: Sequence[str]) -> Line:
    values = [each.shares[name] or 0.0 for name in names]
    low, high = ([each.intervals[name][end] for name in names] for end in (0, 1))
    # The middle of resampled values need not hold the value itself, where it is all or nearly so.
    low = [min(one, value) for one, value in zip(low, values)]
    high = [max(one, value) for one, value in zip(high, values)]
    return Line(rows, values, low, high)
