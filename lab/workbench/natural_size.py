"""Corpora of the learning curve over messages that are written whole."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lab.workbench.bench import Variant
from lab.workbench.cells import digest
from scripts.make_corpus import make_corpus
from training_tools.generator.natural import deal, read_natural

WITHOUT_CONTEXT = {"components.transformer.model.context_pieces": 0}


@dataclass(frozen=True)
class Source:
    """What corpora are made of.

    messages (Path): Folder of the skeletons.
    natural (Path): Folder of the messages that are written whole.
    lists (Path): Folder of the word lists.
    size (int): How many messages of training to make.
    """

    messages: Path
    natural: Path
    lists: Path
    size: int

    def count(self) -> int:
        """RETURNS (int): How many natural messages there are to train on."""
        return sum(map(len, deal(read_natural(self.natural))[0]))

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What the corpora depend on."""
        return {"made of": digest(self.messages, self.natural, self.lists), "size": self.size}


@dataclass(frozen=True)
class Lever:
    """One curve over the number of natural messages.

    name (str): What it is called.
    pseudonyms (bool): Whether each pass over the messages is about other people.
    context (bool): Whether a message is read with what was said before it.
    """

    name: str
    pseudonyms: bool = True
    context: bool = True

    def name_point(self, size: int) -> str:
        """Name a point of the curve. With no natural message there is nothing to give other names.

        size (int): How many natural messages.
        RETURNS (str): The name of the variant.
        """
        kept = "" if self.pseudonyms or not size else ", names as they are"
        return f"{size} natural{kept}{'' if self.context else ', no context'}"


LEVERS = (
    Lever("pseudonyms and context"),
    Lever("without pseudonyms", pseudonyms=False),
    Lever("without context", context=False),
)


def make_variants(source: Source, sizes: Sequence[int], work: Path) -> dict[str, Variant]:
    """Make the variants of all curves.

    source (Source): What their corpora are made of.
    sizes (Sequence[int]): Numbers of natural messages.
    work (Path): Where corpora are made while they are needed.
    RETURNS (dict[str, Variant]): The variants, by the names of their points.
    """
    return {
        lever.name_point(size): Variant(
            partial(make_training, source, size, lever.pseudonyms, work),
            {} if lever.context else WITHOUT_CONTEXT,
            {**source.describe(), "natural": size, "pseudonyms": lever.pseudonyms or not size},
        )
        for lever in LEVERS
        for size in sizes
    }


def make_training(source: Source, size: int, pseudonyms: bool, work: Path) -> Path:
    """Make the messages to train on, as the command `corpus` does.

    source (Source): What they are made of.
    size (int): How many natural messages take part.
    pseudonyms (bool): Whether these get other names, places, dates and numbers.
    work (Path): The folder to write to; what lay there goes.
    RETURNS (Path): The `.spacy` file.
    """
    shutil.rmtree(work, ignore_errors=True)
    make_corpus(
        source.messages,
        source.lists,
        work,
        size=source.size,
        dev_size=0,
        test_size=0,
        natural=str(source.natural),
        natural_size=size,
        pseudonyms=pseudonyms,
    )
    return work / "train.spacy"
