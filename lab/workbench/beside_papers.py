"""The measures of `evaluate` beside those of the papers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from components.measures.evaluation import Evaluation
from lab.workbench.papers import (
    ENTITIES,
    MERGED_SPANS,
    OURS,
    SPANS,
    TOKEN_MEANS,
    TOKENS,
    Result,
    find_results,
    make_paper_table,
    tell_differences,
)
from training_tools.report.outcome import Outcome

EXPERIMENT = "evaluate"

# What papers count, and our measure of the same.
COUNTED = {
    TOKENS: "token_weighted",
    TOKEN_MEANS: "token_macro",
    ENTITIES: "strict",
    SPANS: "strict_one_class",
    MERGED_SPANS: "merged_spans",
}


def add_papers(outcome: Outcome, evaluations: Sequence[Evaluation]) -> Outcome:
    """Add what the papers measured.

    outcome (Outcome): What `make_evaluation_outcome` made.
    evaluations (Sequence[Evaluation]): What it was made of.
    RETURNS (Outcome): The same with a table of the papers, and what differs there.
    """
    table = make_paper_table(EXPERIMENT, ours=[*_get_ours(evaluations)])
    paper = (
        tell_differences(find_results(EXPERIMENT))
        + " Token F1, weighted mean, is what the thesis reports; leak and merged spans are MEDDOCAN's, "
        "on sentences counted in another way."
    )
    return replace(outcome, tables=[*outcome.tables, table], paper=paper)


def _get_ours(evaluations: Sequence[Evaluation]) -> Iterator[Result]:
    for each in evaluations:
        for level, name in COUNTED.items():
            shares = [each.shares[f"{name}.{measure}"] for measure in "prf"]
            figures = {k: share for k, share in zip(("P", "R", "F1"), shares) if share is not None}
            if name == "strict" and each.shares["leak"] is not None:
                figures["leak"] = each.shares["leak"]
            if figures:
                yield Result(OURS, "", EXPERIMENT, "this pipeline", each.corpus, level, figures)
