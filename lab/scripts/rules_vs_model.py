"""Does a model that was trained on what rules annotate find more than the rules themselves?"""

from pathlib import Path
from typing import Any

import typer
from spacy.util import load_config

from lab.workbench.bench import Bench, Variant
from lab.workbench.options import with_bench
from lab.workbench.papers import make_paper_table
from lab.workbench.scored import get_gains, score
from lab.workbench.telling import (
    Results,
    cite,
    get_figures,
    get_value,
    make_bars,
    make_tables,
    tell_gain,
)
from scripts.annotate_rules import annotate
from training_tools.formats.docs import rules_language
from training_tools.report.outcome import Outcome, Plot
from training_tools.report.plots import draw_bars

NAME = "rules-vs-model"
RULES = "the rules and lists"
ALONE, ALONE_GOLD = "model on their annotation", "model on gold annotation"
WHOLE, WHOLE_GOLD = "pipeline on their annotation", "pipeline on gold annotation"
F1 = "strict F1"
MEASURES = ("strict P", "strict R", F1, "redact", "full", "clean")
# A model that reads what rules and lists say could copy it.
EVIDENCE = ("known_matcher", "entity_ruler", "gazetteer_matcher")


@with_bench
def rules_vs_model(bench: Bench) -> None:
    """Annotate the training messages by rules and lists, train on that and on the gold annotation,
    and compare both with the rules. The model reads without the rules; at --full the whole
    pipeline is trained on both, too.
    """
    patterns = load_config(bench.recipe.config)["paths"]["patterns"]
    nlp = rules_language(Path(bench.recipe.lists), Path(patterns))
    train, _ = annotate(nlp, list(bench.train))
    # Who has no gold annotation has none of the dev set either.
    dev, _ = annotate(nlp, list(bench.dev))
    reading_alone = bench.recipe.leave_out(*EVIDENCE)
    variants = {
        ALONE: Variant(train, reading_alone, dev=dev),
        ALONE_GOLD: Variant(bench.train, reading_alone),
    }
    if not bench.quick:
        variants |= {WHOLE: Variant(train, dev=dev), WHOLE_GOLD: Variant(bench.train)}
    rules: dict[str, Any] = {
        "counts": {corpus: score(nlp, rows) for corpus, rows in bench.tests.items()},
        "runs": [],
    }
    results = {RULES: rules, **bench.run(NAME, variants)}
    outcome = Outcome(
        name=NAME,
        title="Rules, or a model that learns from them?",
        says=tell(results),
        figures=get_figures(results),
        tables=[*make_tables(results, MEASURES, base=RULES), make_paper_table(NAME)],
        plots=[Plot(f"{F1} of rules and models", draw_bars(make_bars(results, F1), F1))],
        paper=cite(
            NAME,
            "KB-BERT that learned from the rules came to .541, the rules themselves to .535, and "
            "class by class mostly to less: it learned the rules, and little beside.",
        ),
    )
    bench.publish(outcome)


def tell(results: Results) -> str:
    """Say what came out.

    results (Results): What the rules and the models came to.
    RETURNS (str): Two sentences.
    """
    rules, alone, gold = (results[name]["counts"] for name in (RULES, ALONE, ALONE_GOLD))
    parts = [
        f"{get_value(alone[corpus], F1):.3f} against {get_value(rules[corpus], F1):.3f} on "
        f"{corpus} ({tell_gain(alone[corpus], rules[corpus], F1)})"
        for corpus in rules
    ]
    gains = [get_gains(alone[corpus], rules[corpus])["strict R"] for corpus in rules]
    more = sum(gain.is_sure and gain.value > 0 for gain in gains)
    best = "; ".join(f"{get_value(gold[corpus], F1):.3f} on {corpus}" for corpus in rules)
    return (
        "The model that learned from the rules has a strict F1, beside theirs, of "
        f"{'; '.join(parts)}. It finds surely more than the rules on {more} of {len(gains)} "
        f"corpora; the same model on gold annotation comes to {best}."
    )


if __name__ == "__main__":
    typer.run(rules_vs_model)
