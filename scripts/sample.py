"""Choose which messages to annotate first.

python -m scripts.sample MODEL raw.jsonl to_annotate.jsonl --by entropy --number 200 --pre-annotate
python -m scripts.sample MODEL raw.jsonl to_test_on.jsonl --by random --number 300
"""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import spacy
import typer
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import group_conversations, read_messages, write_messages
from components.measures.sampling import score_messages
from components.tables.places import demand_new
from training_tools.binomial import demand_shares
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.report.folder import FOLDER, write_outcome
from training_tools.report.outcome import print_tables
from training_tools.sampling import LIKENESS, draw_best, draw_random, make_outcome

By = Literal["phi", "entropy", "margin", "random"]


def sample(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    source: Annotated[Path, typer.Argument(help="Messages, JSONL; spans are not looked at")],
    target: Annotated[Path, typer.Argument(help="Where the chosen ones go, JSONL")],
    by: Annotated[
        By,
        typer.Option(
            help="phi: most of it expected; entropy, margin: most doubt; random: to test on"
        ),
    ] = "entropy",
    number: Annotated[
        int, typer.Option(min=1, help="How many messages; at random, how many conversations")
    ] = 200,
    pre_annotate: Annotated[
        bool, typer.Option(help="Mark what the pipeline finds, for you to correct")
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
    """Choose the messages with most PHI, those that the model doubts most, or some at random, to test on;
    and say how many it takes to know the leak rate.
    """
    with clean_errors():
        if source.resolve() == target.resolve():
            raise ValueError("The target cannot be the messages themselves: give another file.")
        demand_new([target], overwrite)
        demand_shares({"--max-leak": max_leak, "--delta": delta})
        rows = read_messages(source, annotated=False)
        if not rows:
            raise ValueError(f"{source} is empty: there is nothing to choose from.")
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    if annotated := sum("spans" in row for row in rows):
        msg.warn(f"{annotated} messages have spans: these are not looked at, nor written")
    with clean_errors():
        scores, found = score_messages(nlp, rows, pre_annotate)
    left_out = 0
    if by == "random":
        places = draw_random(rows, number, seed)
        if pre_annotate:
            msg.warn("What is marked already leads annotators: measure on unmarked messages")
    else:
        places, left_out = draw_best(rows, scores[by], number, likeness)
    target.parent.mkdir(parents=True, exist_ok=True)
    chosen = [rows[place] | {"spans": found[place]} for place in places]
    write_messages(target, chosen)
    figures = {
        "by": by,
        "messages": len(chosen),
        "units": len(group_conversations(chosen)),
        "of": len(rows),
        "left_out": left_out,
        "mean": {
            name: {
                "chosen": float(np.mean([values[place] for place in places])),
                "all": float(np.mean(values)),
            }
            for name, values in scores.items()
        },
        "max_leak": max_leak,
        "delta": delta,
    }
    outcome = make_outcome(figures)
    print_tables(outcome.tables)
    msg.info(outcome.says, write_outcome(outcome, metrics))
    msg.good(f"{len(chosen)} of {len(rows)} messages", target)


if __name__ == "__main__":
    typer.run(sample)
