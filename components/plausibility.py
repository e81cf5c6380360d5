"""Whether what the model found can be what it takes it for, and where its edges are."""

from collections.abc import Iterator
from functools import cached_property

from spacy.tokens import Doc, Span

from .gazetteer_matcher import TITLE
from .hits import get_tokens, iter_hits
from .labels import GAZETTEER_KEY, LABELS, NAMES, NEGATIVE, PHI_KEY, RULES_KEY, VETOES_KEY

# What has not the form of its class needs such a score.
MIN_FORMLESS = 0.9
# Diseases have the names of people: the model must be this sure to mean a person.
MIN_EPONYM = 0.97
# Words that no find begins or ends with.
EDGES = frozenset(("och", "eller", "samt", "i", "på", "från", "till", "hos", "med", "av", "för"))
# In front of a name, a word so common (five times in a million words) is not part of it.
ORDINARY = 0.3

# Start token, end token, label and score.
Found = tuple[int, int, str, float]


class Plausibility:
    """What rules and lists say against the finds of the model in one document.

    doc (Doc): The document, after the model.
    """

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.hits = doc.spans.get(GAZETTEER_KEY, ())

    def get_finds(self) -> Iterator[Found]:
        """YIELDS (Found): What the model found and can be, without what does not belong to it."""
        for span, score in iter_hits(self.doc, PHI_KEY):
            start, end = span.start, span.end
            while start < end and self._is_outside(start, span.label_, first=True):
                start += 1
            while start < end and self._is_outside(end - 1, span.label_, first=False):
                end -= 1
            if start < end and self._is_formed(self.doc[start:end], span.label_, score):
                yield start, end, span.label_, score

    def _is_outside(self, i: int, label: str, first: bool) -> bool:
        """Whether the first or last token of a find does not belong to it."""
        token = self.doc[i]
        if i in self._ruled:
            return False
        if i in self._vetoed or token.lower_ in EDGES:
            return True
        if label == "PHONE":
            return token.is_alpha
        if label == "DATE":
            return first and token.lower_ == "den"
        if label == "LOCATION":
            # `Gävle 8.30`, `Madopark 3`: only a street has a number.
            unnumbered = i - 1 in self._places or i - 1 in self._no_names
            return i in self._no_names or (not first and token.is_digit and unnumbered)
        if label == "ORGANISATION":
            # `distriktssköterska Näsby vårdcentral`
            return first and i in self._titles
        if label == "PERSON":
            unnamed = i in self._no_names and i not in self._eponyms
            return unnamed or (first and self._is_ordinary(i))
        return False

    def _is_formed(self, span: Span, label: str, score: float) -> bool:
        if not any(char.isalnum() for char in span.text):
            return False
        if label in NAMES and all(token.i in self._no_names or token.is_punct for token in span):
            return score >= MIN_EPONYM and any(token.i in self._eponyms for token in span)
        if label == "PERSON":
            return not all(token.i in self._titles or token.is_punct for token in span)
        if label == "EMAIL":
            return score >= MIN_FORMLESS or "@" in span.text
        if label in ("PID", "PHONE"):
            return score >= MIN_FORMLESS or any(char.isdigit() for char in span.text)
        return True

    def _is_ordinary(self, i: int) -> bool:
        commonness = self.doc._.commonness
        if commonness is None or i in self._named or i in self._titles:
            return False
        return commonness[i, 0] >= ORDINARY and self.doc[i].whitespace_ != ""

    @cached_property
    def _ruled(self) -> set[int]:
        return get_tokens(self.doc.spans.get(RULES_KEY, ()))

    @cached_property
    def _vetoed(self) -> set[int]:
        """The doses, clock times and other numbers that no class takes."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in vetoes if any(map(str.isdigit, span.text)))

    @cached_property
    def _named(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.label_ in LABELS)

    @cached_property
    def _places(self) -> set[int]:
        return {hit.end - 1 for hit in self.hits if hit.id_ == "place"}

    @cached_property
    def _no_names(self) -> set[int]:
        """The words that the lists know as a drug, a disease or a term, and as nothing else."""
        return get_tokens(hit for hit in self.hits if hit.label_ == NEGATIVE) - self._named

    @cached_property
    def _eponyms(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.id_ == "eponym")

    @cached_property
    def _titles(self) -> set[int]:
        """The words that are a title and no name, also at the end of a hyphenated one."""
        titles = get_tokens(hit for hit in self.hits if hit.label_ == TITLE)
        titles -= get_tokens(hit for hit in self.hits if hit.label_ == "PERSON")
        if titles:
            glued = get_glued(self.doc)
            for i in range(len(self.doc) - 1, 0, -1):
                if glued[i] and i in titles:
                    titles.add(i - 1)
        return titles


def get_glued(doc: Doc) -> list[bool]:
    """Tell for each token whether the boundary in front of it lies within a word."""
    text = doc.text
    glued = [False] * len(doc)
    for token in doc[1:]:
        at = token.idx
        before, after = text[at - 1], text[at]
        if after == "-":
            within = before.isalpha() and text[at + 1 : at + 2].isalpha()
        elif before == "-":
            within = after.isalpha() and text[max(0, at - 2)].isalpha()
        else:
            within = before.isalpha() and after.isalpha()
        glued[token.i] = within
    return glued
