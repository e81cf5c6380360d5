"""What a system of the comparison can do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from spacy.language import Language

from components.measures.formats.conll import get_tags, join_tags
from components.measures.gold import Row
from components.measures.scores import Scores
from components.measures.spans import Bounds, CharSpan, to_char_spans
from training_tools.formats.docs import chat_language


class System(ABC):
    """A system that learns to find PHI, and finds it.

    seeded (bool): Whether chance has a part in what it learns.
    learns (bool): Whether `fit` does all of the learning; else how long that takes says nothing.
    """

    seeded: bool = True
    learns: bool = True

    @abstractmethod
    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        """Learn.

        train (Sequence[Row]): The messages to learn from.
        dev (Sequence[Row]): The messages by which settings are chosen, and when to stop.
        seed (int): Seed of everything random.
        """

    @abstractmethod
    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        """Find PHI.

        texts (Sequence[str]): The messages.
        RETURNS (list[list[CharSpan]]): Start, end and label of the spans of each, in order.
        """

    @abstractmethod
    def to_disk(self, folder: Path) -> None:
        """Save what `find` needs.

        folder (Path): Where to, an empty folder.
        """

    @abstractmethod
    def from_disk(self, folder: Path) -> None:
        """Load what `to_disk` saved.

        folder (Path): The folder.
        """


class Message(NamedTuple):
    """The tokens of a message.

    words (list[str]): The tokens, without white space.
    bounds (list[Bounds]): Where each begins and ends.
    """

    words: list[str]
    bounds: list[Bounds]

    @classmethod
    def split(cls, nlp: Language, text: str) -> "Message":
        """nlp (Language): Splits the text into tokens.
        text (str): A message.
        RETURNS (Message): Its tokens.
        """
        tokens = [token for token in nlp.make_doc(text) if not token.is_space]
        return cls(
            [token.text for token in tokens],
            [(token.idx, token.idx + len(token)) for token in tokens],
        )

    def join(self, tags: Sequence[str]) -> list[CharSpan]:
        """tags (Sequence[str]): A tag for each token.
        RETURNS (list[CharSpan]): The spans.
        """
        return to_char_spans(join_tags(self.bounds, tags))


class TokenSystem(System):
    """A system that tags the tokens of the project's tokenizer, in IOB2."""

    def __init__(self) -> None:
        self._nlp: Language = chat_language()

    @abstractmethod
    def tag(self, messages: Sequence[Message]) -> list[list[str]]:
        """Tag tokens.

        messages (Sequence[Message]): The messages.
        RETURNS (list[list[str]]): The tags of each.
        """

    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        messages = [Message.split(self._nlp, text) for text in texts]
        return [message.join(tags) for message, tags in zip(messages, self.tag(messages))]

    def read(self, rows: Sequence[Row]) -> tuple[list[Message], list[list[str]]]:
        """Read annotated messages.

        rows (Sequence[Row]): The messages.
        RETURNS (tuple[list[Message], list[list[str]]]): Those with tokens, and their tags.
        """
        messages, tags = [], []
        for row in rows:
            message = Message.split(self._nlp, row["text"])
            if message.words:
                messages.append(message)
                tags.append(get_tags(message.bounds, row["spans"]))
        return messages, tags


def get_f1(system: System, rows: Sequence[Row]) -> float:
    """Measure a system while it learns.

    system (System): The system.
    rows (Sequence[Row]): Annotated messages.
    RETURNS (float): Its strict F1.
    """
    scores = Scores()
    for row, found in zip(rows, system.find([row["text"] for row in rows])):
        scores.add(row["text"], to_char_spans(row["spans"]), found)
    return scores.entity().f1


def get_size(folder: Path) -> int:
    """folder (Path): What a system was saved to.
    RETURNS (int): Its bytes.
    """
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
