"""Tells names from ordinary words, where they are found again."""

from collections.abc import Collection, Iterator
from itertools import accumulate

from spacy.tokens import Span

from ..known.known_matcher import ORDINARY, is_ordinary
from ..known.words import COMPOUND, EXACT, INITIALS, TYPO
from ..text.sentences import begins_line, begins_sentence
from .facts import Facts

# With names, what is of one thing in whatever message.
NUMBERS = ("PID", "PHONE", "EMAIL")
# What is found so surely is looked for again; a name that short is not.
MIN_SCORE = 0.8
MIN_LENGTH = {"PERSON": 2, "LOCATION": 4, "ORGANISATION": 4}
# A name without a capital must have so many letters to be found again.
MIN_LOWER = 3
# Of words that end in s, shorter ones are no genitives: `Mats`, `Lars`.
MIN_GENITIVE = 5


def seek_names(span: Span, label: str, titles: Collection[int]) -> Iterator[str]:
    """What to look for elsewhere, without a title in front and with and without an s."""
    text = span.text
    if label == "PERSON":
        first = next((token.i for token in span if token.i not in titles), span.end)
        text = span.doc[first : span.end].text
    # A number is no name to look for: `1177` is in web addresses.
    if len(text) < MIN_LENGTH[label] or not any(map(str.isalpha, text)):
        return
    yield text
    if len(text) >= MIN_GENITIVE and text.endswith("s"):
        yield text[:-1]


class Judge:
    """Tells the hits in a document that are names from those that are ordinary words."""

    def __init__(self, facts: Facts) -> None:
        self.text = facts.doc.text
        self.negative = facts.negative
        # By the token with which they begin, how far hits reach that may be ordinary words.
        self._reach = [0] * len(facts.doc)
        for hit, score in facts.hits:
            if score < 1.0:
                self._reach[hit.start] = max(self._reach[hit.start], hit.end)
        self._reach = [*accumulate(self._reach, max)]

    def is_name(self, span: Span) -> bool:
        """Whether a hit is the name that it looks like, and no ordinary word."""
        if span.label_ in NUMBERS:
            return span.id_ == EXACT
        if span.id_ == TYPO and span.label_ != "PERSON":
            return False
        if not self.negative.isdisjoint(range(span.start, span.end)):
            return False
        if span.id_ in (COMPOUND, INITIALS):
            # A letter alone is no word, whatever lists say.
            letters = sum(map(str.isalpha, span.text))
            return letters == 1 or not is_ordinary(span, min(ORDINARY.values()))
        capital = span.text[:1].isupper()
        if not capital and len(span.text) < MIN_LOWER:
            return False
        ambiguous = self._reach[span.start] >= span.end
        if not ambiguous and not is_ordinary(span, min(ORDINARY.values())):
            return True
        return span.id_ == EXACT and (len(span) > 1 or capital and not self._begins(span))

    def _begins(self, span: Span) -> bool:
        """Whether any word would have a capital there. A signature on its own line has its own."""
        start, end = span.start_char, span.end_char
        while end < len(self.text) and self.text[end] in " \t.,!":
            end += 1
        ends_line = end == len(self.text) or self.text[end] == "\n"
        signature = ends_line and begins_line(self.text, start)
        return begins_sentence(self.text, start) and not signature
