"""What patterns and lists say of the tokens of a document."""

from collections.abc import Collection
from functools import cached_property

import numpy as np
from spacy.tokens import Doc, Span

from ..lists.lists import SLIP
from ..shared.labels import GAZETTEER_KEY, LABELS, NEGATIVE, PHI_KEY, RULES_KEY, TITLE, VETOES_KEY
from ..text.folding import Folded, fold_text
from ..text.hits import get_tokens, iter_hits
from ..text.sentences import begins_sentence

# The share of capitals in a message that is in capitals, and its fewest letters.
SHOUTED = 0.8
MIN_SHOUTED = 12
# What is no hyphen within a word, but stands between two.
DASHES = str.maketrans("–—", "//")
# The patterns of handles, passwords and web addresses.
ADDRESSES = ("neg.handle", "neg.password", "neg.url")
# The patterns of what stands beside a date and is cut from finds, and of dates in timestamps.
BESIDE, STAMP_DATE = (
    ("neg.stamp", "neg.temperature", "neg.feast", "neg.pregnancy_length"),
    "date.stamp",
)
MAX_INITIALS = 2  # letters of a part of a name that has a full stop


class Facts:
    """What patterns and lists say of a document's tokens. `standalone` kinds need no more."""

    def __init__(self, doc: Doc, standalone: Collection[str] = ()) -> None:
        self.doc = doc
        self.standalone = standalone
        # A span group makes new spans each time it is read.
        self.hits = [*iter_hits(doc, GAZETTEER_KEY)]
        self._words: dict[int, tuple[int, int]] = {}

    @cached_property
    def named(self) -> set[int]:
        """The words of names."""
        return get_tokens(hit for hit, _ in self.hits if hit.label_ in LABELS)

    @cached_property
    def negative(self) -> set[int]:
        """The words of drugs, diseases and terms."""
        return get_tokens(hit for hit, _ in self.hits if hit.label_ == NEGATIVE)

    @cached_property
    def listed(self) -> dict[tuple[int, int], set[str]]:
        """The classes of names, by their ends. What is a name only with a slip is left out."""
        listed: dict[tuple[int, int], set[str]] = {}
        for hit, score in self.hits:
            if hit.label_ in LABELS and score > SLIP:
                listed.setdefault((hit.start, hit.end), set()).add(hit.label_)
        return listed

    @cached_property
    def first_names(self) -> set[int]:
        """Where first names begin."""
        return {hit.start for hit, _ in self.hits if hit.id_ == "first_name"}

    @cached_property
    def titles(self) -> list[tuple[int, int]]:
        """The ends of titles."""
        return [(hit.start, hit.end) for hit, _ in self.hits if hit.label_ == TITLE]

    @cached_property
    def in_titles(self) -> set[int]:
        """The words of titles."""
        return get_tokens(hit for hit, _ in self.hits if hit.label_ == TITLE)

    @cached_property
    def titles_by_end(self) -> dict[int | None, int]:
        """Where titles begin, by where they end: of several with one end, the longest."""
        return {end: start for start, end in sorted(self.titles, reverse=True)}

    @cached_property
    def title_parts(self) -> dict[int, int]:
        """Where titles of several words begin, by each but their first word."""
        return {i: start for start, end in self.titles for i in range(start + 1, end)}

    @cached_property
    def addresses(self) -> list[tuple[int, int]]:
        """The ends of handles, passwords and web addresses, without the sign in front."""
        spans = self.doc.spans.get(VETOES_KEY, ())
        spans = [span for span in spans if span.id_.startswith(ADDRESSES)]
        return [(span.start + (span[0].text == "@"), span.end) for span in spans]

    @cached_property
    def stamp_dates(self) -> list[Span]:
        """The dates in timestamps of machines and names of files."""
        return [hit for hit, _ in iter_hits(self.doc, RULES_KEY) if hit.id_.startswith(STAMP_DATE)]

    @cached_property
    def beside(self) -> set[int]:
        """What stands beside a date: time, zone and field of a timestamp, a temperature, a season."""
        spans = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in spans if span.id_.startswith(BESIDE))

    @cached_property
    def urls(self) -> list[tuple[int, int]]:
        """The ends of web addresses. Profiles and bare domains in lists (`doktor.se`) are none."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        profiles = get_tokens(span for span in vetoes if span.id_ == "neg.handle_site")
        return [
            (span.start, span.end)
            for span in vetoes
            if span.id_ == "neg.url"
            and span.start not in profiles
            and (
                "/" in span.text
                or span.text.lower().startswith("www.")
                or self.named.isdisjoint(range(span.start, span.end))
            )
        ]

    @cached_property
    def commonness(self) -> np.ndarray:
        """How ordinary each word is, and whether it is a compound, shape (n_tokens, 2)."""
        known = self.doc._.commonness
        return np.zeros((len(self.doc), 2), dtype=np.float32) if known is None else known

    def is_known(self, i: int, compounds: bool = True) -> bool:
        """Whether a word is an ordinary one, or a compound of such. Punctuation is."""
        common, compound = self.commonness[i]
        return bool(common > 0 or (compounds and compound)) or self.doc[i].is_punct

    @cached_property
    def is_shouted(self) -> bool:
        """Whether the message is in capitals, so that a capital says nothing."""
        letters = [char for char in self.doc.text if char.isalpha()]
        return sum(map(str.isupper, letters)) > SHOUTED * max(len(letters), MIN_SHOUTED)

    @cached_property
    def is_uncased(self) -> bool:
        """Whether the message has no capital, so that lower case says nothing."""
        return not any(map(str.isupper, self.doc.text))

    @cached_property
    def modelled(self) -> set[int] | None:
        """What the model found, of whatever class; None where no model has read."""
        return get_tokens(self.doc.spans[PHI_KEY]) if PHI_KEY in self.doc.spans else None

    @cached_property
    def folded(self) -> Folded:
        """The folded text, in which dashes are no hyphens."""
        return fold_text(self.doc.text.translate(DASHES))

    def begins(self, i: int) -> bool:
        """Whether a word begins a sentence or a line."""
        return begins_sentence(self.folded.text, self.folded.to_folded(self.doc[i].idx))

    def is_full_stop(self, i: int) -> bool:
        """Whether a token is a full stop, and none of an initial or a title."""
        if self.doc[i].text != "." or not i:
            return False
        return len(self.doc[i - 1]) > MAX_INITIALS and i not in self.titles_by_end

    def end_before(self, start: int) -> int | None:
        """Where the word before a token ends, one space (or two of its kind) apart; else None."""
        doc = self.doc
        if start and doc[start - 1].whitespace_:
            return start
        # spaCy makes a token of every other space.
        if start > 1 and fold_text(doc[start - 1].text).text == " ":
            return start - 1
        return None

    def is_glued(self, i: int) -> bool:
        """Whether the boundary in front of a token lies within a word."""
        if i == 0 or self.doc[i - 1].whitespace_:
            return False
        text = self.folded.text
        at = self.folded.to_folded(self.doc[i].idx)
        if not 0 < at < len(text):
            return False
        before, after = text[at - 1], text[at]
        if after == "-":
            return before.isalpha() and text[at + 1 : at + 2].isalpha()
        if before == "-":
            return after.isalpha() and text[max(0, at - 2)].isalpha()
        return before.isalpha() and after.isalpha()

    def get_word(self, i: int) -> tuple[int, int]:
        """RETURNS (tuple[int, int]): The first token of a token's word, and the one behind it."""
        # Each is looked at once, however many finds a long word has.
        if i not in self._words:
            start, end = i, i + 1
            while self.is_glued(start):
                start -= 1
            while end < len(self.doc) and self.is_glued(end):
                end += 1
            self._words.update(dict.fromkeys(range(start, end), (start, end)))
        return self._words[i]
