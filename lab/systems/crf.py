"""A conditional random field over features of the tokens.

The features and the settings are those of García-Pablos, Perez and Cuadros (2020): Sensitive data
detection and classification in Spanish clinical text: experiments with BERT, "Systems: CRF". What
differs:
- Lemma, part of speech and entity came from an analyser of Spanish; the word in lower case stands for
  the lemma here, and nothing for the other two.
- The paper does not tell whether a token has features of its neighbours. Here it has some of those
  two to either side, the window of Berg and Dalianis (2019): Augmenting a de-identification system
  for Swedish clinical text using open resources and deep learning, section 3.2.2.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pycrfsuite

from components.measures.formats.conll import OUTSIDE
from components.measures.gold import Row
from lab.systems.base import Message, TokenSystem

WINDOW = 2
# Longer tokens and messages are as long as these: lengths are classes, not weights.
MAX_LENGTH, MAX_SIZE = 20, 128
# What a token tells of itself to its neighbours
SHARED = ("word", "suffix3", "letters", "number", "casing")
FILE = "model.crfsuite"

Features = dict[str, float | str | bool]
# Where a token begins and ends, and how likely it lies in no span.
Rated = tuple[int, int, float]


class Crf(TokenSystem):
    """The system. L-BFGS begins at zero, so chance has no part in it."""

    seeded = False

    def __init__(self, iterations: int = 100) -> None:
        """Create it.

        iterations (int): How many iterations of L-BFGS at most.
        """
        super().__init__()
        self.iterations = iterations
        self._tagger = pycrfsuite.Tagger()
        self._model = b""

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params(
            {
                "c1": 0.1,
                "c2": 0.1,
                "max_iterations": self.iterations,
                "feature.possible_transitions": True,
            }
        )
        for message, tags in zip(*self.read(train)):
            trainer.append(pycrfsuite.ItemSequence(get_features(message.words)), tags)
        with TemporaryDirectory() as folder:
            path = Path(folder) / FILE
            trainer.train(str(path))
            self._set_model(path.read_bytes())

    def _set_model(self, model: bytes) -> None:
        self._model = model
        self._tagger = pycrfsuite.Tagger()
        self._tagger.open_inmemory(model)

    def tag(self, messages: Sequence[Message]) -> list[list[str]]:
        return [
            self._tagger.tag(pycrfsuite.ItemSequence(get_features(message.words)))
            for message in messages
        ]

    def rate(self, texts: Sequence[str]) -> list[list[Rated]]:
        """Rate tokens.

        texts (Sequence[str]): The messages.
        RETURNS (list[list[Rated]]): The tokens of each, in order.
        """
        has_outside = OUTSIDE in self._tagger.labels()
        rated = []
        for text in texts:
            message = Message.split(self._nlp, text)
            self._tagger.set(pycrfsuite.ItemSequence(get_features(message.words)))
            rated.append(
                [
                    (*bounds, self._tagger.marginal(OUTSIDE, place) if has_outside else 0.0)
                    for place, bounds in enumerate(message.bounds)
                ]
            )
        return rated

    def to_disk(self, folder: Path) -> None:
        (folder / FILE).write_bytes(self._model)

    def from_disk(self, folder: Path) -> None:
        self._set_model((folder / FILE).read_bytes())


def get_features(words: Sequence[str]) -> list[Features]:
    """Describe the tokens of a message.

    words (Sequence[str]): The tokens.
    RETURNS (list[Features]): The features of each, by name.
    """
    own = [describe(word) for word in words]
    around = [{name: features[name] for name in SHARED} for features in own]
    size = str(min(len(words), MAX_SIZE).bit_length())
    rows = []
    for i, features in enumerate(own):
        row = {**features, "size": size, "first": i == 0, "last": i == len(words) - 1}
        for shift in range(-WINDOW, WINDOW + 1):
            if shift and 0 <= i + shift < len(words):
                row |= {f"{shift}:{name}": value for name, value in around[i + shift].items()}
        rows.append(row)
    return rows


def describe(word: str) -> Features:
    """Describe a token by itself.

    word (str): The token.
    RETURNS (Features): Its features.
    """
    length = len(word)
    upper, digits = sum(map(str.isupper, word)), sum(map(str.isdigit, word))
    marks = sum(not char.isalnum() for char in word)
    return {
        "word": word.lower(),
        "prefix2": word[:2],
        "prefix3": word[:3],
        "suffix2": word[-2:],
        "suffix3": word[-3:],
        "length": str(min(length, MAX_LENGTH)),
        "letters": word.isalpha(),
        "number": word.isdigit(),
        "marks": marks == length,
        "at": "@" in word,
        "casing": get_casing(word),
        "upper": upper / length,
        "digits": digits / length,
        "punctuation": marks / length,
    }


def get_casing(word: str) -> str:
    """word (str): A token.
    RETURNS (str): How it is written.
    """
    for name, holds in (
        ("lower", word.islower()),
        ("title", word.istitle()),
        ("upper", word.isupper()),
        ("none", word.lower() == word.upper()),
    ):
        if holds:
            return name
    return "mixed"
