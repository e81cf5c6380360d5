"""A blind test of what was missed: messages as a pipeline writes them, for readers to mark the words in them
that are real.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from components.measures.gold import Row, group_conversations
from components.measures.spans import Bounds, join_spans
from lab.attack.missed import Output
from lab.measures.blind_answers import demand, read_objects
from lab.measures.blind_test import Asks, make_ids
from lab.measures.marks import Marked, measure_marks, touches

KINDS = ("leaks", "surrogates", "stays")
ASKS_LEAKS = Asks(
    "leaks",
    "What is real?",
    "A program has put made-up names, places, organisations, dates, ages and numbers in place of the real ones "
    "of these messages. In some it has missed one or more, which stand there as they were written; most hold "
    "none. Mark each word that you take for real: one that tells of a person and that the program missed. "
    "Institutions that any town has (vårdcentralen, 1177), authorities and counties are left on purpose: "
    "do not mark them. Look nothing up.",
)

Key = dict[str, Marked]
Marks = dict[str, list[Bounds]]


class LeakCard(NamedTuple):
    """A message of a test.

    id (str): Its id in the test, which tells nothing.
    output (Output): The message.
    """

    id: str
    output: Output

    @property
    def text(self) -> str:
        """What a reader sees."""
        return self.output.text

    @property
    def key(self) -> Row:
        """What is to be known of it when answers are scored: spans, and no text."""
        row = self.output.row
        conversation = {"conversation": row["conversation"]} if row.get("conversation") else {}
        spans = {kind: getattr(self.output, kind) for kind in KINDS}
        return {"id": self.id, "source": row["id"], **conversation, **spans}


def draw_leak_cards(outputs: Sequence[Output], number: int, seed: int = 0) -> list[LeakCard]:
    """Draw a test: messages in which something was missed, up to half of all, among those in which nothing was
    and something was replaced.

    outputs (Sequence[Output]): The messages to draw from.
    number (int): How many messages are wanted; fewer, where there are not so many.
    seed (int): Of the draw.
    RETURNS (list[LeakCard]): The cards, in random order.
    RAISES (ValueError): If nothing was missed.
    """
    rng = random.Random(seed)
    leaky = [output for output in outputs if output.leaks]
    tight = [output for output in outputs if output.surrogates and not output.leaks]
    demand(
        bool(leaky),
        "Nothing was missed in these messages: there is no test. Give more, or harder ones.",
    )
    drawn = rng.sample(leaky, min(len(leaky), number // 2))
    drawn += rng.sample(tight, min(len(tight), number - len(drawn)))
    rng.shuffle(drawn)
    return [LeakCard(*one) for one in zip(make_ids([output.text for output in drawn]), drawn)]


def read_leak_key(path: Path) -> Key:
    """Read the right answers.

    path (Path): What was written with the test.
    RETURNS (Key): Of each message's id what is in it; nothing is marked.
    RAISES (ValueError): If it is no key.
    """
    rows = []
    for where, row in read_objects(path):
        whole = isinstance(row.get("id"), str) and all(isinstance(row.get(k), list) for k in KINDS)
        demand(whole, f"{where}: not of the key of a test of leaks")
        rows.append(row)
    return {
        rows[place]["id"]: Marked(unit, [], *(rows[place][kind] for kind in KINDS))
        for unit, places in enumerate(group_conversations(rows))
        for place in places
    }


def read_marks(path: Path, key: Key, texts: Mapping[str, str]) -> Marks:
    """Read what a reader marked. Messages without an answer are allowed.

    path (Path): JSONL: `id` and `real`, a list of words as they stand in the message, or of `[start, end]`.
    key (Key): The right answers.
    texts (Mapping[str, str]): The messages of the form, by id.
    RETURNS (Marks): The marks of each message that was answered; those with no letter or digit between
        them are one.
    RAISES (ValueError): If there are no answers, or they are none to this test.
    """
    answers: Marks = {}
    for where, row in read_objects(path):
        id_, real = str(row.get("id")), row.get("real")
        known = id_ in key and id_ in texts
        demand(known, f"{where}: its id is not in the key. Are they answers to another test?")
        demand(id_ not in answers, f"{where}: a second answer to one message")
        demand(isinstance(real, list), f"{where}: 'real' is missing or no list")
        marks = [_find(mark, texts[id_], key[id_], where) for mark in real or ()]
        answers[id_] = join_spans(texts[id_], marks)
    demand(bool(answers), f"{path} holds no answer.")
    return answers


def _find(mark: Any, text: str, right: Marked, where: str) -> Bounds:
    """Where a mark lies. Of several places that hold a word one on a leak is meant."""
    if isinstance(mark, list):
        whole = len(mark) == 2 and all(type(one) is int for one in mark)
        demand(whole and 0 <= mark[0] < mark[1] <= len(text), f"{where}: a mark is no [start, end]")
        return mark[0], mark[1]
    demand(isinstance(mark, str) and bool(mark.strip()), f"{where}: a mark is no word")
    quoted = re.escape(mark.strip())
    found = [
        match.span()
        for pattern in (rf"(?<!\w){quoted}(?!\w)", quoted)
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ]
    demand(bool(found), f"{where}: a mark is not in the message")
    return next((bounds for bounds in found if touches(bounds, right.leaks)), found[0])


def score_marks(
    key: Key, texts: Mapping[str, str], readers: Mapping[str, Marks], *, seed: int = 0
) -> dict[str, Any]:
    """Score the readers.

    key (Key): The right answers.
    texts (Mapping[str, str]): The messages of the form, by id.
    readers (Mapping[str, Marks]): What each reader marked.
    seed (int): Of the samples that the intervals come from.
    RETURNS (dict[str, Any]): What `measure_marks` gives of `all` readers, each counted for itself, of each
        (`readers`), and of what at least one marked (`any`).
    """
    judged = {
        name: [key[id_]._replace(marks=own) for id_, own in marks.items()]
        for name, marks in readers.items()
    }
    union = [
        right._replace(
            marks=join_spans(
                texts[id_], [one for marks in readers.values() for one in marks.get(id_, ())]
            )
        )
        for id_, right in key.items()
        if any(id_ in marks for marks in readers.values())
    ]
    return {
        "messages": len(key),
        "leaky": sum(bool(right.leaks) for right in key.values()),
        "all": measure_marks([one for own in judged.values() for one in own], seed),
        "any": measure_marks(union, seed),
        "readers": {name: measure_marks(own, seed) for name, own in judged.items()},
    }
