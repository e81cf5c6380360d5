"""Attack the surrogates of annotated messages: what does somebody find out who knows the tool, but not the
key, by the output alone and with a register of people? No trained pipeline is needed: the annotated spans
are replaced, and some left, as if they had been missed.

    python -m lab.scripts.attack messages.jsonl --keys 3 --others 1000

The figures hold counts and shares, nothing of a message.
"""

import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from wasabi import msg, table

from components.measures.gold import read_messages
from components.pipes.surrogate_generator import KEY_VARIABLE
from components.swedish.lists import read_lists
from lab.attack.facts import FactReader, Facts, show_after, show_before
from lab.attack.frequency import CLASSES, gather_changes, guess_by_frequency
from lab.attack.leaks import Item, hide_leaks
from lab.attack.left_words import measure_rare_words
from lab.attack.linking import Links, ablate, link, measure, rank
from lab.attack.register import make_register
from lab.attack.report import make_outcome
from lab.attack.talks import Lists, replace_talks
from lab.attack.telling import tell_leaks
from lab.places import METRICS
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.known import Known
from training_tools.errors import clean_errors
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import describe_rows

# Figures are to be the same in each run; set the variable to try another key.
KEY = "a key for the evaluation only"
# Of fewer people nothing can be told.
LEAST = 10


class TooFewError(ValueError):
    """What cannot be measured on so few messages: no fault of theirs."""


def attack(
    messages: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    metrics: Annotated[Path, typer.Option(help="Folder of the figures")] = METRICS,
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
    keys: Annotated[int, typer.Option(min=1, help="Do it under so many keys")] = 3,
    others: Annotated[
        int, typer.Option(min=0, help="People in the register beside those of the messages")
    ] = 1000,
    missed: Annotated[
        float, typer.Option(min=0, max=1, help="Share of entities that are left, as if missed")
    ] = 0.1,
    hide: Annotated[
        str, typer.Option(help="Classes that become labels instead, comma-separated: AGE,DATE")
    ] = "",
    seed: Annotated[int, typer.Option(help="Of all that is drawn")] = 0,
) -> None:
    """Attack surrogates."""
    key = os.environ.get(KEY_VARIABLE, KEY)
    own_keys = [f"{key} {number}" for number in range(keys)]
    with clean_errors():
        rows = read_messages(messages)
        rows_of_lists = read_lists(str(lists))
        known = Known(rows_of_lists)
        hidden = [label.strip() for label in hide.split(",") if label.strip()]
        outputs = [replace_talks(rows, rows_of_lists, one, hidden) for one in own_keys]
        try:
            figures = attack_with_register(outputs, FactReader(known), others, seed)
        except TooFewError as error:
            msg.warn("Not attacked.", str(error))
            return
        items = hide_under_keys(rows, rows_of_lists, own_keys, missed, seed)
    figures |= {
        "keys": keys,
        "missed": missed,
        "hidden": hidden,
        "leaks": tell_leaks(items, known, seed=seed),
        "frequency": attack_by_frequency(outputs[0], known, seed),
        "rare_words": measure_rare_words(rows, known),
    }
    outcome = replace(make_outcome(figures), data=describe_rows(messages, rows))
    for part in outcome.tables:
        msg.divider(part.title)
        print(table(part.rows, header=part.head, divider=True))
    msg.good(outcome.says, write_outcome(outcome, metrics))


def hide_under_keys(
    rows: list[dict[str, Any]], lists: Lists, keys: list[str], missed: float, seed: int
) -> list[list[Item]]:
    """Leave some entities, others under each key.

    rows (list[dict[str, Any]]): Annotated messages.
    lists (Lists): The word lists.
    keys (list[str]): The keys.
    missed (float): The share of entities that are left.
    seed (int): Of the draw.
    RETURNS (list[list[Item]]): The entities of the output, under each key.
    """
    return [
        hide_leaks(rows, lists, key, missed, Random(f"{seed} {number}"))
        for number, key in enumerate(keys)
    ]


def attack_with_register(
    outputs: list[list[Talk]], reader: FactReader, others: int, seed: int
) -> dict[str, Any]:
    """Look for the people of the conversations in a register.

    outputs (list[list[Talk]]): The conversations under each key.
    reader (FactReader): Reads what is told.
    others (int): How many other people the register holds.
    seed (int): Of what is drawn.
    RETURNS (dict[str, Any]): How many `people` were looked for in a `register` of how many; `linking`,
        the measures; and `signals`, what each is worth.
    RAISES (TooFewError): If the conversations tell too little.
    """
    before = [reader.read(show_before(talk)) for talk in outputs[0]]
    telling = [place for place, facts in enumerate(before) if facts != Facts()]
    if len(telling) < LEAST:
        raise TooFewError(
            f"Only {len(telling)} conversations tell anything of a person: give annotated messages "
            f"with {LEAST} such at least."
        )
    people = [before[place] for place in telling]
    size = len(people) + others
    links: list[Links] = []
    for number, talks in enumerate(outputs):
        register = make_register(people, size, reader, Random(f"{seed} {number}"))
        told = [reader.read(show_after(talks[place])) for place in telling]
        links.append(link(told, register))
    return {
        "people": len(people),
        "register": size,
        "linking": measure([rank(one) for one in links], size, seed=seed),
        "signals": ablate(links, size, seed),
    }


def attack_by_frequency(talks: list[Talk], known: Known, seed: int) -> dict[str, Any]:
    """Guess originals by frequency.

    talks (list[Talk]): The conversations, under one key.
    known (Known): The lists.
    seed (int): Of the guesses by chance.
    RETURNS (dict[str, Any]): What was found of each class that was changed.
    """
    changes = {label: gather_changes(talks, label, known) for label in CLASSES}
    return {label: guess_by_frequency(own, seed=seed) for label, own in changes.items() if own}


if __name__ == "__main__":
    typer.run(attack)
