"""What `evaluate` measured, for the engineer: all measures, corpora side by side."""

from collections.abc import Mapping, Sequence

from components.measures.evaluation import (
    Evaluation,
    tabulate_classes,
    tabulate_measures,
    tabulate_side_by_side,
)
from training_tools.report.outcome import WORDS, Outcome, Plot, Table, describe_corpus
from training_tools.report.plots import draw_bars, make_line

# The columns of `tabulate_classes`.
CLASSES = ("class", "strict P / R / F1", "token P / R / F1", "redact", "spans")


def tabulate(evaluations: Sequence[Evaluation], systems: Mapping[str, Evaluation]) -> list[Table]:
    """Tabulate one or several corpora, and the parts of the pipeline on the first."""
    columns = ["", *(each.corpus for each in evaluations)]
    title = "Side by side: F1 and shares, in brackets 95 % intervals"
    tables = [Table(title, columns, tabulate_side_by_side(evaluations))]
    for each in evaluations:
        tables += [
            Table(f"{each.corpus}: all measures", ["", "P", "R", "F1"], tabulate_measures(each)),
            Table(f"{each.corpus}: by class", CLASSES, tabulate_classes(each)),
        ]
    parts = [
        [name, *each.write_prf("strict"), each.write("redact")] for name, each in systems.items()
    ]
    title = f"{evaluations[0].corpus}: what each part finds alone"
    return [*tables, Table(title, ["", "P", "R", "F1", "redact"], parts)]


def make_evaluation_outcome(
    evaluations: Sequence[Evaluation], systems: Mapping[str, Evaluation]
) -> Outcome:
    """Make the outcome of one or several corpora, and of the parts of the pipeline on the first."""
    classes = {f"per_class.{label}.redact": label for label in evaluations[0].labels}
    return Outcome(
        name="evaluate",
        title="How well is personal information found?",
        says=_say(evaluations),
        figures={each.corpus: each.get_figures() for each in evaluations},
        tables=tabulate(evaluations, systems),
        plots=[
            Plot("Main measures with 95 % intervals", _draw(evaluations, WORDS["drawn"], "share")),
            Plot("Share of each class that is redacted", _draw(evaluations, classes, "redact")),
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


def _draw(evaluations: Sequence[Evaluation], measures: Mapping[str, str], label: str) -> str:
    bars = {}
    for each in evaluations:
        bars[each.corpus] = make_line(
            {
                shown: (each.shares[name] or 0.0, *each.intervals[name])
                for name, shown in measures.items()
                if name in each.intervals
            }
        )
    return draw_bars(bars, label)
