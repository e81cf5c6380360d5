"""Make a blind test: annotated messages, half of which get surrogates on their annotated spans, for
readers to tell which. No trained pipeline is needed. Half of the form are messages as they were:
hand it only to who may read them.

    python -m lab.scripts.blind_test messages.jsonl blind/form blind/key.jsonl --number 400 --no-numbers

The readers get the folder, or one file of it: `form.html`, a page to answer on, or `form.jsonl` (`id`,
`text`). The key stays with you: `lab.scripts.score_blind_test` scores their answers by it.
"""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from components.measures.gold import read_messages
from components.swedish.lists import read_lists
from lab.measures.blind_test import draw_cards, find_candidates, write_test
from lab.measures.replacing import make_replacing_language, replace_gold
from training_tools.errors import clean_errors


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
) -> None:
    """Make a blind test of surrogates."""
    with clean_errors():
        rows = read_messages(messages)
        nlp = make_replacing_language(read_lists(str(lists)))
        docs = replace_gold(nlp, rows)
        candidates = find_candidates(rows, docs, numbers=numbers, min_phi=min_phi)
        cards = draw_cards(candidates, number, seed)
        write_test(cards, form, key, overwrite)
    if len(cards) < number - 1:
        msg.warn(f"{len(candidates)} messages would do: fewer cards than the {number} asked for")
    msg.good(
        f"{len(cards)} cards, half of them messages as they were (PHI, if yours are real)", form
    )
    msg.good("The key, for you alone", key)


if __name__ == "__main__":
    typer.run(blind_test)
