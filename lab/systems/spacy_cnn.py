"""spaCy's own network: hashed embeddings, convolutions, a transition-based parser.

Sánchez (2020): Multilingual de-identification of electronic health records, section 3.3.2 (dropout,
epochs, patience from its section 4.3.2), and García-Pablos, Perez and Cuadros (2020; the batch of 64);
both had version 2 of spaCy. Without pretrained weights: spaCy has none of the eight classes.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch

from components.measures.gold import Row
from components.measures.spans import CharSpan, get_entities
from lab.systems.base import System, get_f1
from training_tools.formats.docs import chat_language, to_doc

DROPOUT, BATCH, PATIENCE = 0.2, 64, 5


class SpacyCnn(System):
    """The system, in the settings that spaCy has for it."""

    def __init__(self, epochs: int = 20) -> None:
        """Create it.

        epochs (int): How often it reads all messages, at most.
        """
        self.epochs = epochs
        self.nlp: Language = chat_language()

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        fix_random_seed(seed)
        self.nlp = chat_language()
        self.nlp.add_pipe("ner")
        examples = [Example(self.nlp.make_doc(row["text"]), to_doc(self.nlp, row)) for row in train]
        optimizer = self.nlp.initialize(lambda: examples)
        best, best_f1, waited = self.nlp.to_bytes(), -1.0, 0
        for _ in range(self.epochs):
            random.shuffle(examples)
            for batch in minibatch(examples, BATCH):
                self.nlp.update(batch, sgd=optimizer, drop=DROPOUT)
            with self.nlp.use_params(optimizer.averages):
                f1 = get_f1(self, dev)
                # Until it finds something, nothing can get worse.
                waited = waited + 1 if best_f1 >= f1 > 0 else 0
                if f1 > best_f1:
                    best, best_f1 = self.nlp.to_bytes(), f1
            if waited == PATIENCE:
                break
        self.nlp.from_bytes(best)

    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        return [get_entities(doc) for doc in self.nlp.pipe(texts)]

    def to_disk(self, folder: Path) -> None:
        self.nlp.to_disk(folder)

    def from_disk(self, folder: Path) -> None:
        self.nlp = spacy.load(folder)
