"""What is made of the names of a conversation: longer words and initials."""

from collections.abc import Iterator, Sequence

from spacy.language import Language
from spacy.tokens import Doc, Span

from ..known.compound_finder import CompoundFinder
from ..known.folded_words import get_words
from ..known.initials_finder import InitialsFinder
from ..lists.gazetteer_matcher import GazetteerMatcher
from ..shared.find_pipes import find_pipe
from ..shared.labels import NAMES
from ..text.hits import make_span
from ..text.message import fold_doc

SCORE = 0.9


class FormFinder:
    """Finds words that begin with a name which is no ordinary word itself, and the initials of
    people.

    nlp (Language): The pipeline, whose `gazetteer_matcher` tells which names are ordinary words.
    values (Sequence[tuple[str, str]]): Label and value.
    """

    def __init__(self, nlp: Language, values: Sequence[tuple[str, str]]) -> None:
        lists = find_pipe(nlp, GazetteerMatcher)
        names = [
            (label, word.key)
            for label, text in values
            if label in NAMES
            for word in get_words(text)
        ]
        self.compounds = CompoundFinder(
            (label, name) for label, name in names if not (lists and lists.is_ordinary(name))
        )
        self.initials = InitialsFinder(text for label, text in values if label == "PERSON")

    def find(self, doc: Doc) -> Iterator[tuple[Span, float]]:
        """Find them."""
        if not self.compounds and not self.initials:
            return
        folded = fold_doc(doc)
        hits = self.initials.find(folded.text)
        if self.compounds:
            hits += self.compounds.find(get_words(folded.text))
        for start, end, label, kind in hits:
            yield make_span(doc, *folded.to_original(start, end), label, kind), SCORE
