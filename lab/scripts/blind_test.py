"""Make a blind test: annotated messages, half of which get surrogates on their annotated spans, for
readers to tell which. With `--model` a trained pipeline de-identifies them instead. Half of the form are
messages as they were: hand it only to who may read them.

    python -m lab.scripts.blind_test messages.jsonl blind/form blind/key.jsonl --number 400 --no-numbers

The readers get the folder, or one file of it: `form.html`, a page to answer on, or `form.jsonl` (`id`,
`text`). The key stays with you: `lab.scripts.score_blind_test` scores their answers by it.

With `--form leaks` a trained pipeline de-identifies the messages, and the readers mark what it has missed:

    python -m lab.scripts.blind_test messages.jsonl blind/form blind/key.jsonl --form leaks --model training/small/model-tuned
"""

from enum import Enum
from pathlib import Path
from typing import Annotated

import spacy
import typer
from wasabi import msg

import components  # noqa: F401
from components.lists.lists import read_lists
from components.measures.gold import read_gold, read_messages
from lab.attack.missed import write_outputs
from lab.measures.blind_test import draw_cards, find_candidates, write_test
from lab.measures.leak_test import ASKS_LEAKS, LeakCard, draw_leak_cards
from lab.measures.replacing import make_replacing_language, replace_found, replace_gold
from training_tools.errors import clean_errors, demand_pipeline


class Kind(str, Enum):
    """What readers are asked: which messages were changed, or which words were missed."""

    changed = "changed"
    leaks = "leaks"


def blind_test(
    messages: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    form: Annotated[Path, typer.Argument(help="Folder to write the form to")],
    key: Annotated[Path, typer.Argument(help="Where to write the right answers, JSONL")],
    number: Annotated[int, typer.Option(help="How many messages are wanted", min=2)] = 160,
    seed: Annotated[int, typer.Option(help="Of the draw")] = 0,
    numbers: Annotated[bool, typer.Option(help="Whether messages may hold digits")] = True,
    min_phi: Annotated[int, typer.Option(help="Spans replaced in a message, at least", min=1)] = 1,
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
    overwrite: Annotated[bool, typer.Option(help="Lose a test that is there")] = False,
    kind: Annotated[
        Kind, typer.Option("--form", help="Tell changed messages, or mark what was missed (leaks)")
    ] = Kind.changed,
    model: Annotated[
        Path | None, typer.Option(help="A trained pipeline that finds what is replaced")
    ] = None,
) -> None:
    """Make a blind test of surrogates."""
    if kind == Kind.leaks:
        with clean_errors():
            leak_cards = draw_from_pipeline(messages, model, number, seed, numbers)
            write_test(leak_cards, form, key, overwrite, ASKS_LEAKS)
        leaks = sum(len(card.output.leaks) for card in leak_cards)
        msg.good(f"{len(leak_cards)} cards with {leaks} leaks (PHI, if yours are real)", form)
        msg.good("The key, for you alone", key)
        return
    with clean_errors():
        rows = read_messages(messages)
        if model:
            demand_pipeline(model)
            docs = replace_found(spacy.load(model), rows)
        else:
            docs = replace_gold(make_replacing_language(read_lists(str(lists))), rows)
        candidates = find_candidates(rows, docs, numbers=numbers, min_phi=min_phi)
        cards = draw_cards(candidates, number, seed)
        write_test(cards, form, key, overwrite)
    if len(cards) < number - 1:
        msg.warn(f"{len(candidates)} messages would do: fewer cards than the {number} asked for")
    msg.good(
        f"{len(cards)} cards, half of them messages as they were (PHI, if yours are real)", form
    )
    msg.good("The key, for you alone", key)


def draw_from_pipeline(
    messages: Path, model: Path | None, number: int, seed: int, numbers: bool
) -> list[LeakCard]:
    """Draw a test of what a pipeline misses.

    messages (Path): Annotated messages.
    model (Path | None): The pipeline.
    number (int): How many messages are wanted.
    seed (int): Of the draw.
    numbers (bool): Whether messages may hold digits, before or after.
    RETURNS (list[LeakCard]): The cards.
    RAISES (ValueError): If there is no pipeline, or it misses nothing.
    """
    if model is None:
        raise ValueError("Name a trained pipeline, --model: what it misses is to be marked.")
    demand_pipeline(model)
    outputs = write_outputs(spacy.load(model), read_gold(messages))
    if not numbers:
        outputs = [o for o in outputs if not any(map(str.isdigit, o.row["text"] + o.text))]
    return draw_leak_cards(outputs, number, seed)


if __name__ == "__main__":
    typer.run(blind_test)
