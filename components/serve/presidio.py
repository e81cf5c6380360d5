"""The pipeline as a recognizer of Presidio (`pip install presidio-analyzer`)."""

from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from spacy.language import Language

from ..shared.labels import PRESIDIO_NAMES

NAME = "sv_deid_chat"


class PhiRecognizer(EntityRecognizer):
    """Finds what the pipeline finds."""

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp
        super().__init__([*PRESIDIO_NAMES.values()], name=NAME, supported_language="sv")

    def load(self) -> None:
        """Do nothing: the pipeline is loaded."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """Find entities of some classes, as Presidio calls them; empty: all."""
        found = []
        for ent in self.nlp(text).ents:
            name = PRESIDIO_NAMES.get(ent.label_, ent.label_)
            if not entities or name in entities:
                explanation = AnalysisExplanation(NAME, ent._.score, ent._.source)
                found.append(
                    RecognizerResult(name, ent.start_char, ent.end_char, ent._.score, explanation)
                )
        return found
