"""A blind test: messages of which half had their PHI replaced, for readers to tell which."""

import json
import random
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from spacy.tokens import Doc

from components.measures.gold import Row, group_conversations
from components.tables.places import Place

ORIGINAL, CHANGED = "original", "changed"
ANSWERS = (ORIGINAL, CHANGED)
# How sure a reader is, from a guess on.
CERTAINTIES = (1, 2, 3)
FORM, PAGE = "form.jsonl", "form.html"
TEMPLATE = Path(__file__).with_suffix(".html")


class Asks(NamedTuple):
    """What readers are asked.

    kind (str): `changed`: of each message whether it was changed; `leaks`: which words were missed.
    title (str), says (str): What the page says of it.
    """

    kind: str
    title: str
    says: str


ASKS_CHANGED = Asks(
    "changed",
    "Original or changed?",
    "About half of these messages are as somebody wrote them. In the others the names, places, dates and "
    "numbers were changed to made-up ones of the same kind. Say of each message which it is, and how sure "
    "you are. Trust your eye: look nothing up.",
)


class AnyCard(Protocol):
    """A message of a test: its id, what a reader sees, and what is to be known when answers are scored."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def key(self) -> Row: ...


class Candidate(NamedTuple):
    """A message that may be in a test, either way.

    row (Row): The message.
    changed (str): Its text with surrogates.
    classes (list[str]): The classes of what is replaced in it, sorted.
    """

    row: Row
    changed: str
    classes: list[str]


class Card(NamedTuple):
    """A message of a test.

    id (str): Its id in the test, which tells nothing.
    text (str): What a reader sees.
    answer (str): The right answer.
    candidate (Candidate): The message that it is.
    """

    id: str
    text: str
    answer: str
    candidate: Candidate

    @property
    def key(self) -> Row:
        """What is to be known of it when answers are scored."""
        row = self.candidate.row
        conversation = {"conversation": row["conversation"]} if row.get("conversation") else {}
        return {
            "id": self.id,
            "answer": self.answer,
            "source": row["id"],
            **conversation,
            "classes": self.candidate.classes,
        }


def find_candidates(
    rows: Sequence[Row], docs: Sequence[Doc], *, numbers: bool = True, min_phi: int = 1
) -> list[Candidate]:
    """Choose the messages that may be in a test. The same is asked of those that stay as they are
    and of those that are changed, lest a reader tells them by what was asked.

    rows (Sequence[Row]): Annotated messages.
    docs (Sequence[Doc]): Their docs, replaced.
    numbers (bool): Whether messages with digits, before or after, are among them.
    min_phi (int): How many spans must be replaced by something else.
    RETURNS (list[Candidate]): The candidates, in order.
    """
    candidates = []
    for row, doc in zip(rows, docs):
        changed = doc._.deidentified
        replaced = [entry["label"] for entry in doc._.replacements if not entry.get("kept")]
        if len(replaced) < max(1, min_phi):
            continue
        if not numbers and any(char.isdigit() for char in row["text"] + changed):
            continue
        candidates.append(Candidate(row, changed, sorted(set(replaced))))
    return candidates


def draw_cards(candidates: Sequence[Candidate], number: int, seed: int = 0) -> list[Card]:
    """Draw a test: half of the messages changed, those of a conversation alike, in random order.

    candidates (Sequence[Candidate]): The messages to draw from.
    number (int): How many messages are wanted; fewer, where there are not so many.
    seed (int): Of the draw.
    RETURNS (list[Card]): The cards.
    RAISES (ValueError): If there are too few messages for any test.
    """
    rng = random.Random(seed)
    groups = group_conversations(candidate.row for candidate in candidates)
    rng.shuffle(groups)
    sides: dict[str, list[Candidate]] = {answer: [] for answer in ANSWERS}
    half = number // 2
    for places in groups:
        rng.shuffle(places)
        fewest = min(map(len, sides.values()))
        if fewest >= half:
            break
        side = rng.choice([side for side in sides.values() if len(side) == fewest])
        side += [candidates[place] for place in places]
    half = min(half, *map(len, sides.values()))
    if not half:
        raise ValueError(
            "Too few messages for a test: at least two are needed, of two conversations, in which "
            "something is replaced. Ask for less (--min-phi, --numbers), or give more messages."
        )
    drawn = [(answer, candidate) for answer, side in sides.items() for candidate in side[:half]]
    rng.shuffle(drawn)
    texts = [
        candidate.changed if answer == CHANGED else candidate.row["text"]
        for answer, candidate in drawn
    ]
    return [Card(id_, text, *one) for id_, text, one in zip(make_ids(texts), texts, drawn)]


def make_ids(texts: Sequence[str]) -> list[str]:
    """Name the messages of a test, so that answers to another test are noticed.

    texts (Sequence[str]): The messages.
    RETURNS (list[str]): Their ids.
    """
    name = sha256("\0".join(texts).encode("utf8")).hexdigest()[:6]
    return [f"{name}-{place:03d}" for place in range(1, len(texts) + 1)]


def write_test(
    cards: Sequence[AnyCard],
    form_path: Path,
    key_path: Path,
    overwrite: bool,
    asks: Asks = ASKS_CHANGED,
) -> None:
    """Write a test, for its owner alone to read: it holds originals.

    cards (Sequence[AnyCard]): The test.
    form_path (Path): Folder of what the readers get.
    key_path (Path): Where to write the right answers, JSONL.
    overwrite (bool): Whether a test that is there may be lost.
    asks (Asks): What the readers are asked.
    RAISES (ValueError): If the readers would get the key, or a test would be lost.
    """
    if form_path.resolve() in key_path.resolve().parents:
        raise ValueError(f"{key_path} lies in {form_path}, which the readers get: name another.")
    paths = (form_path / FORM, form_path / PAGE, key_path)
    if lost := [path for path in paths if path.exists() and not overwrite]:
        raise ValueError(
            f"{lost[0]} is there, and its answers could no more be scored: name another, or say "
            "--overwrite."
        )
    rows = [{"id": card.id, "text": card.text} for card in cards]
    page = make_page(rows, asks)
    for path, content in zip(paths, (_as_lines(rows), page, _as_lines(card.key for card in cards))):
        path.parent.mkdir(parents=True, exist_ok=True)
        with Place(str(path)).create() as file:
            file.write(content.encode("utf8"))


def make_page(rows: Sequence[Row], asks: Asks = ASKS_CHANGED) -> str:
    """Make a page on which a reader answers. It needs no network.

    rows (Sequence[Row]): `id` and `text` of each message.
    asks (Asks): What the reader is asked.
    RETURNS (str): HTML.
    """
    # In a script of HTML only `<` can end it.
    data = json.dumps(rows, ensure_ascii=False).replace("<", "\\u003c")
    page = TEMPLATE.read_text(encoding="utf8")
    for name, value in (*asks._asdict().items(), ("rows", data)):
        page = page.replace(f"{{{{{name}}}}}", value)
    return page


def _as_lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
