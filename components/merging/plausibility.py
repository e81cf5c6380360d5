"""Whether what the model found can be what it takes it for, and where its edges are."""

import re
from collections.abc import Iterator
from functools import cached_property

from spacy.tokens import Doc, Span

from ..hits import get_tokens, iter_hits
from ..labels import GAZETTEER_KEY, LABELS, NAMES, NEGATIVE, PHI_KEY, RULES_KEY, VETOES_KEY
from ..pipes.gazetteer_matcher import TITLE
from ..swedish.folding import fold_text

# What has not the form of its class needs such a score.
MIN_FORMLESS = 0.9
# A bare number as an age, and an unknown word in lower case as a name, need such a score.
MIN_BARE = 0.3
MIN_LOWER = 0.25
MAX_SHORT = 4  # letters of an abbreviation
# Against what the lists know as another class, the model must be so sure.
MIN_UNLISTED = 0.95
URL_RULE = "neg.url"
# Classes whose rules know where a find begins and ends, and how many digits of the find may be
# beyond the rule's hit: the hour behind a date.
RULED = ("DATE", "AGE", "PID")
MAX_BEYOND = 3
# How many digits a number has that no rule knows.
PID_DIGITS = (4, 10, 12)
PHONE_DIGITS = 5
# What a number is glued to that is part of a code: `TX4-0098812-7`.
HYPHENS = "-‐‑‒–−－"
JOINED = re.compile(rf"[^\W_]|[{HYPHENS}]")
# What is no hyphen within a word, but stands between two.
DASHES = str.maketrans("–—", "//")
# Diseases have the names of people: the model must be this sure to mean a person.
MIN_EPONYM = 0.97
# Words that no find begins or ends with.
EDGES = frozenset(("i", "på", "från", "till", "hos", "med", "av", "för", "kl", "klockan"))
CONJUNCTIONS = frozenset(("och", "eller", "samt", "o", "å", "el", "elr", "&"))
# In front of a name, a word so common (five times in a million words) is not part of it; behind
# one, where it may be a surname, it must be more common (60 times).
ORDINARY = 0.3
VERY_COMMON = 0.5
# The ending of an ordinal number: `6:e`, `2a`.
ORDINAL = frozenset(("e", "a", ":e", ":a"))
# What belongs to the surname behind it; `de`, `den`, `la` are more often something else.
PARTICLES = frozenset(("af", "von", "van", "al", "bin", "ibn"))
MAX_ABBREVIATION = 2  # letters of a name's part that may have a full stop
# Letters that may be part of a code.
MIN_GLUED = 3

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
            ruled = self._get_ruled(span)
            if ruled:
                yield from ((hit.start, hit.end, hit.label_, score) for hit in ruled)
                continue
            start, end = span.start, span.end
            while start < end and self._is_outside(start, span.label_, first=True):
                start += 1
            while start < end and self._is_outside(end - 1, span.label_, first=False):
                end -= 1
            for part in self._split(start, end, span.label_):
                if self._is_formed(self.doc[slice(*part)], span.label_, score):
                    yield *part, self._get_label(part, span.label_, score), score

    def _get_ruled(self, span: Span) -> list[Span]:
        """The rule hits that tell where a date, an age or a personnummer begins and ends: those of
        its class, if hardly a digit is beyond them.
        """
        if span.label_ not in RULED:
            return []
        within = {i: self._rules[i] for i in range(span.start, span.end) if i in self._rules}
        hits = [hit for hit in dict.fromkeys(within.values()) if hit.label_ == span.label_]
        rest = set(range(span.start, span.end)) - get_tokens(hits)
        digits = sum(sum(map(str.isdigit, self.doc[i].text)) for i in rest)
        return hits if digits <= MAX_BEYOND else []

    def _get_label(self, part: tuple[int, int], label: str, score: float) -> str:
        """The class of a find: that of the lists, if they know just the same words as one other
        class, and the model is not sure."""
        listed = self._listed.get(part, set())
        if label in NAMES and score < MIN_UNLISTED and len(listed) == 1:
            return next(iter(listed))
        return label

    def _split(self, start: int, end: int, label: str) -> Iterator[tuple[int, int]]:
        """Split two places in a row, people of two sentences, and two organisations joined by a
        conjunction."""
        at = start
        for i in range(start + 1, end):
            if label == "LOCATION" and i in self._place_starts and i - 1 in self._place_ends:
                yield at, i
                at = i
            elif i > at and self._is_between(at, i, label):
                yield at, i
                at = i + 1
        if at < end:
            yield at, end

    def _is_outside(self, i: int, label: str, first: bool) -> bool:
        """Whether the first or last token of a find does not belong to it."""
        token = self.doc[i]
        if i in self._rules:
            # `brunflo nyårsafton`: the place ends where the date begins.
            return label in NAMES and self._rules[i].label_ not in NAMES
        # `I. Berg` has an initial.
        initial = len(token) == 1 and token.is_upper
        if i in self._vetoed or (token.lower_ in EDGES and not initial):
            return True
        if first and token.text in ("e", "ä"):
            # `de e Anna`
            return True
        if label in NAMES and token.is_punct and (first or self._is_full_stop(i)):
            return token.text not in "\"'(”«"
        if label in RULED and token.is_punct:
            return True
        if label == "ORGANISATION" and i in self.addresses:
            return True
        if token.text in CONJUNCTIONS and (label not in NAMES or i not in self._named):
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
            # `distriktssköterska Näsby vårdcentral`, `Birgits dosett`, `Migrationsverkets boende`
            if first:
                return i in self._titles
            return i in self._no_names or (i - 1 in self._possessors and self._is_plain(i, label))
        if label == "PERSON":
            unnamed = i in self._no_names and i not in self._eponyms
            return unnamed or self._is_ordinary(i, first)
        return False

    def _is_formed(self, span: Span, label: str, score: float) -> bool:
        text = span.text
        if not any(char.isalnum() for char in text) or self._is_in_code(span, label):
            return False
        if label in NAMES:
            return self._is_name(span, label, score)
        if label == "EMAIL":
            return score >= MIN_FORMLESS or "@" in text
        if any(i in self._rules for i in range(span.start, span.end)):
            return True
        if label == "AGE":
            return score >= MIN_BARE or any(char.isalpha() for char in text)
        if label == "DATE":
            letters = any(char.isalpha() for char in text)
            return letters and score >= MIN_FORMLESS and text not in ORDINAL
        if label in ("PID", "PHONE") and any(map(JOINED.search, self._around(span))):
            return False
        if label == "PID":
            return sum(char.isdigit() or char in "oO" for char in text) in PID_DIGITS
        if label == "PHONE":
            return sum(map(str.isdigit, text)) >= PHONE_DIGITS
        return True

    def _is_name(self, span: Span, label: str, score: float) -> bool:
        if len(span.text) == 1 and span.start not in self._named:
            # Initials are of people; a place may be called Å.
            return label == "PERSON" and (score >= MIN_FORMLESS or span.text.isupper())
        words = [token.i for token in span if not token.is_punct]
        if all(i in self._no_names for i in words):
            return score >= MIN_EPONYM and any(i in self._eponyms for i in words)
        if label == "PERSON" and all(i in self._titles for i in words):
            return False
        if all(i in self._eponyms for i in words):
            # `Sjögrens` is a disease, `Beck` a scale, unless the model is sure.
            return score >= (MIN_EPONYM if span.text.endswith("s") else MIN_FORMLESS)
        if span.text.islower() and score < MIN_LOWER and self._named.isdisjoint(words):
            return False
        word = self.doc[words[0]]
        if len(words) == 1 and label != "LOCATION" and word.is_title and self._begins(word.i):
            # Any word has a capital there.
            return not self._is_ordinary(words[0], first=True)
        return not all(self._is_plain(i, label) for i in words)

    def _begins(self, i: int) -> bool:
        """Whether a word begins a sentence or a line."""
        before = self.doc[i - 1].text if i else "\n"
        return "\n" in before or before in (".", "!", "?", ":")

    def _is_plain(self, i: int, label: str) -> bool:
        """Whether a word in lower case, or in capitals and no abbreviation, is known, and not as
        a name. A compound is no person, but may be a place or an organisation: `slottsskolan`.
        """
        token = self.doc[i]
        if self.doc._.commonness is None or i in self._named:
            return False
        if not token.is_lower and not (token.is_upper and len(token) > MAX_SHORT):
            return False
        common, compound = self.doc._.commonness[i]
        return bool(common > 0 or (compound and label == "PERSON"))

    def _is_between(self, at: int, i: int, label: str) -> bool:
        """Whether a token stands between two finds, the first of which begins at `at`."""
        token = self.doc[i]
        if label == "ORGANISATION":
            listed = "ORGANISATION" in self._listed.get((at, i), ())
            return token.text in CONJUNCTIONS and listed
        if label != "PERSON" or not token.whitespace_:
            return False
        # `Ros, Hjördis` begins a line or follows a lead word.
        surname_first = i == at + 1 and at not in self._titles and self._begins(at)
        return self._is_full_stop(i) or (token.text == "," and not surname_first)

    def _is_full_stop(self, i: int) -> bool:
        """Whether a token is a full stop, and none of an initial or a title."""
        before = self.doc[i - 1] if i else None
        if self.doc[i].text != "." or before is None:
            return False
        return len(before) > MAX_ABBREVIATION and i - 1 not in self._titles

    def _is_in_code(self, span: Span, label: str) -> bool:
        """Whether a find is a letter or two of a code (`K1204-7`), or the number of an ordinal."""
        before, after = self._around(span)
        if label == "AGE":
            return after in ORDINAL or (before.endswith(tuple(HYPHENS)) and span.text.isdigit())
        short = label in NAMES and len(span.text) < MIN_GLUED
        return short and (before[-1:].isdigit() or after[:1].isdigit())

    def _around(self, span: Span) -> tuple[str, str]:
        """RETURNS (tuple[str, str]): The tokens that a find is glued to."""
        doc = self.doc
        before = doc[span.start - 1] if span.start else None
        after = doc[span.end] if span.end < len(doc) else None
        return (
            before.text if before is not None and not before.whitespace_ else "",
            after.text if after is not None and not span[-1].whitespace_ else "",
        )

    def _is_ordinary(self, i: int, first: bool) -> bool:
        commonness = self.doc._.commonness
        token = self.doc[i]
        if commonness is None or i in self._named or i in self._titles:
            return False
        if token.lower_ in PARTICLES:
            return False
        common, compound = commonness[i]
        if first:
            # What has a capital may be ordinary behind what has none.
            known = common > 0 or compound > 0
            follows = i + 1 < len(self.doc) and self.doc[i + 1].is_title and token.is_lower
            return token.whitespace_ != "" and (common >= ORDINARY or (known and follows))
        return token.is_lower and common >= VERY_COMMON and self.doc[i - 1].whitespace_ != ""

    @cached_property
    def _rules(self) -> dict[int, Span]:
        """The rule hit that a token is in."""
        hits = self.doc.spans.get(RULES_KEY, ())
        return {i: hit for hit in hits for i in range(hit.start, hit.end)}

    @cached_property
    def _vetoed(self) -> set[int]:
        """The doses, clock times and other numbers that no class takes."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in vetoes if any(map(str.isdigit, span.text)))

    @cached_property
    def _named(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.label_ in LABELS)

    @cached_property
    def addresses(self) -> set[int]:
        """The words of web addresses that are not the name of a listed company (`Doktor.se`)."""
        listed = {(hit.start, hit.end) for hit in self.hits}
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(
            span for span in vetoes if span.id_ == URL_RULE and (span.start, span.end) not in listed
        )

    @cached_property
    def glued(self) -> list[bool]:
        """Whether the boundary in front of each token lies within a word."""
        folded = fold_text(self.doc.text.translate(DASHES))
        text = folded.text
        glued = [False] * len(self.doc)
        for token in self.doc[1:]:
            at = folded.to_folded(token.idx)
            if not 0 < at < len(text):
                continue
            before, after = text[at - 1], text[at]
            if after == "-":
                within = before.isalpha() and text[at + 1 : at + 2].isalpha()
            elif before == "-":
                within = after.isalpha() and text[max(0, at - 2)].isalpha()
            else:
                within = before.isalpha() and after.isalpha()
            glued[token.i] = within
        return glued

    @cached_property
    def _listed(self) -> dict[tuple[int, int], set[str]]:
        listed: dict[tuple[int, int], set[str]] = {}
        for hit in self.hits:
            if hit.label_ in LABELS:
                listed.setdefault((hit.start, hit.end), set()).add(hit.label_)
        return listed

    @cached_property
    def _possessors(self) -> set[int]:
        """The last words of listed organisations in the genitive or in the definite form."""
        return {
            hit.end - 1
            for hit in self.hits
            if hit.label_ == "ORGANISATION" and hit[-1].lower_.endswith(("s", "en", "et"))
        }

    @cached_property
    def _places(self) -> set[int]:
        return {hit.end - 1 for hit in self.hits if hit.id_ == "place"}

    @cached_property
    def _place_starts(self) -> set[int]:
        return {hit.start for hit in self.hits if hit.id_ == "place"}

    @cached_property
    def _place_ends(self) -> set[int]:
        """The last words of places and of addresses that a rule knows."""
        rules = self.doc.spans.get(RULES_KEY, ())
        return self._places | {hit.end - 1 for hit in rules if hit.label_ == "LOCATION"}

    @cached_property
    def _no_names(self) -> set[int]:
        """The words that the lists know as a drug, a disease or a term, and as nothing else, or
        within a longer one: `lex Sarah`.
        """
        negative = [hit for hit in self.hits if hit.label_ == NEGATIVE]
        longer = get_tokens(hit for hit in negative if len(hit) > 1)
        named = get_tokens(hit for hit in self.hits if hit.label_ in LABELS and len(hit) > 1)
        return (get_tokens(negative) - self._named) | (longer - named)

    @cached_property
    def _eponyms(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.id_ == "eponym" and len(hit) == 1)

    @cached_property
    def _titles(self) -> set[int]:
        """The words that are a title and no name, also at the end of a hyphenated one."""
        titles = get_tokens(hit for hit in self.hits if hit.label_ == TITLE)
        titles -= get_tokens(hit for hit in self.hits if hit.label_ == "PERSON")
        if titles:
            for i in range(len(self.doc) - 1, 0, -1):
                if self.glued[i] and i in titles:
                    titles.add(i - 1)
        return titles
