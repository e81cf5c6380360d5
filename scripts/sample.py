"""Choose which messages to annotate first: those with most PHI, those of which the model has doubts, or
some at random, to test on; and tell how many it takes to know the leak rate.

    python -m scripts.sample MODEL raw.jsonl to_annotate.jsonl --by entropy --number 200 --pre-annotate
    python -m scripts.sample MODEL raw.jsonl to_test_on.jsonl --by random --number 300
"""

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg, table

import components  # noqa: F401
from components.cli.files import demand_new
from components.measures.gold import Row, group_conversations, make_docs, read_messages
from components.pipes.phi_ner import PhiNer
from training_tools.binomial import count_for_bound, get_upper_bound
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.formats.jsonl import write_messages
from training_tools.probabilities import iter_probabilities
from training_tools.report.folder import FOLDER, write_outcome
from training_tools.report.outcome import Outcome, Table
from training_tools.sampling.draw import LIKENESS, draw_best, draw_random
from training_tools.sampling.needed import BOUNDS, draw_bounds, tabulate_bounds, tabulate_widths
from training_tools.sampling.scores import SCORES

PAPER = (
    "The papers drew what they annotated at random, or in whole files: 000 annotated 12,471 entities "
    "in fifteen hours, beginning with what its rules had found. None asked how many "
    "messages a leak rate takes."
)


class By(str, Enum):
    """What a message is chosen by."""

    PHI = "phi"
    ENTROPY = "entropy"
    MARGIN = "margin"
    RANDOM = "random"


def sample(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    source: Annotated[Path, typer.Argument(help="Messages, JSONL; spans are not looked at")],
    target: Annotated[Path, typer.Argument(help="Where the chosen ones go, JSONL")],
    by: Annotated[
        By,
        typer.Option(
            help="phi: most of it expected; entropy, margin: most doubt; random: to test on"
        ),
    ] = By.ENTROPY,
    number: Annotated[
        int, typer.Option(min=1, help="How many messages; at random, how many conversations")
    ] = 200,
    pre_annotate: Annotated[
        bool, typer.Option(help="Mark what the pipeline finds, to be mended")
    ] = False,
    likeness: Annotated[
        float, typer.Option(min=1, max=100, help="Per cent from which on messages are the same")
    ] = LIKENESS,
    max_leak: Annotated[float, typer.Option(help="The leak rate you want to promise")] = 0.05,
    delta: Annotated[float, typer.Option(help="How often the promise may be wrong")] = 0.05,
    metrics: Annotated[Path, typer.Option(help="Folder of the figures")] = FOLDER,
    seed: Annotated[int, typer.Option(help="Of the draw")] = 0,
    overwrite: Annotated[
        bool, typer.Option(help="Replace a target that is there, annotations and all")
    ] = False,
) -> None:
    """Choose which messages to annotate."""
    with clean_errors():
        if source.resolve() == target.resolve():
            raise ValueError("The target cannot be the messages themselves: give another file.")
        if not overwrite:
            demand_new([str(target)])
        for name, value in (("--max-leak", max_leak), ("--delta", delta)):
            if not 0 < value < 1:
                raise ValueError(f"{name} must lie between 0 and 1, e.g. 0.05.")
        rows = read_messages(source, annotated=False)
        if not rows:
            raise ValueError(f"{source} is empty: there is nothing to choose from.")
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    if annotated := sum("spans" in row for row in rows):
        msg.warn(f"{annotated} messages have spans: these are not looked at, nor written")
    with clean_errors():
        scores, found = look(nlp, rows, pre_annotate)
    left_out = 0
    if by is By.RANDOM:
        places = draw_random(rows, number, seed)
        if pre_annotate:
            msg.warn("What is marked already leads annotators: measure on unmarked messages")
    else:
        places, left_out = draw_best(rows, scores[by.value], number, likeness)
    target.parent.mkdir(parents=True, exist_ok=True)
    chosen = [rows[place] | {"spans": found[place]} for place in places]
    write_messages(target, chosen)
    figures = {
        "by": by.value,
        "messages": len(chosen),
        "units": len(group_conversations(chosen)),
        "of": len(rows),
        "left_out": left_out,
        "mean": {
            name: {"chosen": _get_mean(values, places), "all": float(np.mean(values))}
            for name, values in scores.items()
        },
        "max_leak": max_leak,
        "delta": delta,
    }
    outcome = make_outcome(figures)
    for part in outcome.tables:
        msg.divider(part.title)
        print(table(part.rows, header=part.head, divider=True))
    msg.info(outcome.says, write_outcome(outcome, metrics))
    msg.good(f"{len(chosen)} of {len(rows)} messages", target)


def look(
    nlp: Language, rows: list[Row], pre_annotate: bool
) -> tuple[dict[str, list[float]], list[list[dict[str, Any]]]]:
    """Look at messages."""
    phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
    span_merger = nlp.get_pipe("span_merger")
    scores: dict[str, list[float]] = {name: [] for name in SCORES}
    found: list[list[dict[str, Any]]] = []
    for doc, probs in iter_probabilities(nlp, make_docs(nlp, rows, context=True)):
        for name, get_score in SCORES.items():
            scores[name].append(get_score(probs))
        if pre_annotate:
            phi_ner.set_annotations([doc], [probs])
            found.append(_get_spans(span_merger(doc)))
        else:
            found.append([])
    return scores, found


def _get_spans(doc: Doc) -> list[dict[str, Any]]:
    return [{"start": ent.start_char, "end": ent.end_char, "label": ent.label_} for ent in doc.ents]


def _get_mean(values: list[float], places: list[int]) -> float:
    return float(np.mean([values[place] for place in places]))


def make_outcome(figures: dict[str, Any]) -> Outcome:
    """Make the outcome."""
    max_leak, delta, units = figures["max_leak"], figures["delta"], figures["units"]
    names = {"phi": "PHI tokens expected", "entropy": "entropy, bits", "margin": "1 - margin"}
    rows = [
        [shown, *(f"{figures['mean'][name][which]:.3f}" for which in ("chosen", "all"))]
        for name, shown in names.items()
    ]
    wanted = [count_for_bound(max_leak, leaks, delta) for leaks in (0, 1, 2)]
    says = (
        f"{figures['messages']} of {figures['of']} messages chosen by {figures['by']}, "
        f"{figures['left_out']} left out as they are like others. To promise that at most "
        f"{max_leak:g} of conversations leak, with confidence {1 - delta:g}, it takes "
        f"{wanted[0]} drawn at random of which none leaks, {wanted[1]} if one does, {wanted[2]} if "
        f"two do; the {units} units here, at random and without a leak, promise "
        f"{get_upper_bound(0, units, delta):.4f}."
    )
    return Outcome(
        name="sample",
        title="What to annotate, and how much?",
        says=says,
        figures=figures,
        tables=[
            Table("The chosen messages and all, means", ["", "chosen", "all"], rows),
            tabulate_bounds([*BOUNDS, max_leak], delta),
            tabulate_widths(),
        ],
        plots=[draw_bounds(delta)],
        paper=PAPER,
    )


if __name__ == "__main__":
    typer.run(sample)
