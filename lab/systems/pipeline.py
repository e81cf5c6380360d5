"""The project's pipeline, trained, with or without its word lists."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import spacy
from spacy.language import Language

from components.measures.gold import Row, demand_sound
from components.measures.spans import CharSpan, get_entities
from lab.systems.base import System
from lab.workbench.training import UNUSED, Recipe, train_variant, tune
from training_tools.errors import demand_pipeline
from training_tools.formats.docs import chat_language

GAZETTEER = "gazetteer_matcher"


class Pipeline(System):
    """The system, as far as it finds: without surrogates."""

    def __init__(self, recipe: Recipe, *, lists: bool = True, trained: Path | None = None) -> None:
        """Create it.

        recipe (Recipe): How it is trained.
        lists (bool): Whether it has word lists.
        trained (Path | None): A pipeline to take in place of a training.
        """
        self.recipe = recipe if lists else recipe.change(recipe.leave_out(GAZETTEER))
        self.lists = lists
        self.trained = trained
        self.learns = self.seeded = trained is None
        self.nlp: Language = chat_language()

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        """Train, and choose the threshold. A pipeline that was trained before keeps its own, unless
        its lists are taken away.
        """
        if self.trained is None:
            with TemporaryDirectory() as folder:
                self.nlp = train_variant(self.recipe, train, dev, Path(folder), seed=seed)
            self._tune(dev)
        else:
            demand_pipeline(self.trained)
            self.nlp = spacy.load(self.trained, exclude=UNUSED)
            if not self.lists:
                self.nlp.remove_pipe(GAZETTEER)
                self._tune(dev)

    def _tune(self, dev: Sequence[Row]) -> None:
        # What is saved is what the config says.
        self.nlp.get_pipe_config("phi_ner")["threshold"] = tune(self.nlp, dev)

    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        docs = [*self.nlp.pipe(texts)]
        demand_sound(docs)
        return [get_entities(doc) for doc in docs]

    def to_disk(self, folder: Path) -> None:
        self.nlp.to_disk(folder)

    def from_disk(self, folder: Path) -> None:
        self.nlp = spacy.load(folder)
