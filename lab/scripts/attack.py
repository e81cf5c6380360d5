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

from components.lists.lists import read_lists
from components.measures.gold import Row, group_conversations, read_messages
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.attack.facts import FactReader, Facts, show_after, show_before
from lab.attack.frequency import CLASSES, gather_changes, guess_by_frequency
from lab.attack.leaks import Item, hide_leaks
from lab.attack.left_words import measure_rare_words
from lab.attack.linking import Links, ablate, link, measure, rank
from lab.attack.reader import Reader, ask_reader, load_reader
from lab.attack.register import make_register
from lab.attack.report import make_outcome
from lab.attack.talks import Lists, replace_talks
from lab.attack.telling import tell_leaks
from lab.measures.replacing import KEY
from lab.places import METRICS
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.known import Known
from training_tools.errors import clean_errors
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import describe_rows

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
    reader: Annotated[
        str,
        typer.Option(
            help="A function from text to text that reads, too, module:function, e.g. a local language model. "
            "It gets originals and surrogates"
        ),
    ] = "",
    candidates: Annotated[
        int, typer.Option(min=2, help="People whom the reader chooses from")
    ] = 10,
    asked: Annotated[
        int, typer.Option(min=1, help="Conversations that it is asked of, at most")
    ] = 100,
) -> None:
    """Attack surrogates."""
    key = os.environ.get(KEY_VARIABLE, KEY)
    own_keys = [f"{key} {number}" for number in range(keys)]
    with clean_errors():
        program = load_reader(reader) if reader else None
        rows = read_messages(messages)
        rows_of_lists = read_lists(str(lists))
        known = Known(rows_of_lists)
        hidden = [label.strip() for label in hide.split(",") if label.strip()]
        outputs = [replace_talks(rows, rows_of_lists, one, hidden) for one in own_keys]
        facts = FactReader(known)
        try:
            figures = attack_with_register(outputs, facts, others, seed)
        except TooFewError as error:
            msg.warn("Not attacked.", str(error))
            return
        if program is not None:
            figures["reader"] = attack_by_reader(
                program, rows, outputs[0], facts, others, candidates, asked, seed
            )
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
    reader (FactReader): Reads what is said.
    others (int): How many other people the register holds.
    seed (int): Of what is drawn.
    RETURNS (dict[str, Any]): How many `people` were looked for in a `register` of how many; `linking`,
        the measures; and `signals`, what each is worth.
    RAISES (TooFewError): If the conversations tell too little.
    """
    found = find_people(outputs[0], reader)
    telling, people = [*found], [*found.values()]
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


def find_people(talks: list[Talk], reader: FactReader) -> dict[int, Facts]:
    """Read whom the conversations are about, before they are de-identified.

    talks (list[Talk]): The conversations.
    reader (FactReader): Reads what is said.
    RETURNS (dict[int, Facts]): What is said of them, by the place of those that tell anything.
    RAISES (TooFewError): If there are too few of these.
    """
    before = {place: reader.read(show_before(talk)) for place, talk in enumerate(talks)}
    people = {place: facts for place, facts in before.items() if facts != Facts()}
    if len(people) < LEAST:
        raise TooFewError(
            f"Only {len(people)} conversations tell anything of a person: give annotated messages "
            f"with {LEAST} such at least."
        )
    return people


def attack_by_reader(
    program: Reader,
    rows: list[Row],
    talks: list[Talk],
    reader: FactReader,
    others: int,
    candidates: int,
    asked: int,
    seed: int,
) -> dict[str, Any]:
    """Let a program read conversations before and after, and choose among some people of the register.

    program (Reader): The program.
    rows (list[Row]): The annotated messages.
    talks (list[Talk]): The conversations, under one key.
    reader (FactReader): Reads what is said.
    others (int): How many other people the register holds.
    candidates (int): How many people the program chooses from.
    asked (int): How many conversations it is asked of, at most; drawn at random.
    seed (int): Of what is drawn.
    RETURNS (dict[str, Any]): What `ask_reader` gives of the `originals`, which shows whether the program
        can do it at all, and of the `surrogates`.
    """
    people = find_people(talks, reader)
    places = Random(seed).sample([*people], len(people))
    told = [people[place] for place in places]
    register = make_register(told, len(told) + others, reader, Random(f"{seed} reader"))
    groups = group_conversations(rows)
    texts = {
        "originals": [[rows[one]["text"] for one in groups[place]] for place in places[:asked]],
        "surrogates": [[text for _, text in talks[place].outputs] for place in places[:asked]],
    }
    return {
        side: ask_reader(program, ["\n".join(own) for own in each], register, candidates, seed)
        for side, each in texts.items()
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
