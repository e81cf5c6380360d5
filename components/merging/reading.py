"""What rules and lists say of the tokens of a document."""

import re
from collections.abc import Collection, Mapping
from functools import cached_property

import numpy as np
from spacy.tokens import Doc, Span

from ..hits import get_tokens, iter_hits
from ..labels import GAZETTEER_KEY, LABELS, NEGATIVE, PHI_KEY, RULES_KEY, TITLE, VETOES_KEY
from ..swedish.folding import Folded, fold_text
from ..swedish.lists import SLIP
from ..swedish.particles import PARTICLES, WORDS
from ..swedish.sentences import begins_line, begins_sentence
from ..swedish.words import get_commonness

MAX_SHORT = 4  # letters of an abbreviation
# The share of capitals in a message that is in capitals, and its fewest letters.
SHOUTED = 0.8
MIN_SHOUTED = 12
URL_RULE = "neg.url"
# Rules that know what is called like somebody, and is nobody: `katten Sixten`.
NAMESAKE_RULES = "neg.name_"
# What is replaced whole, if there is a name in it.
FORM_RULES = ("neg.handle", "neg.password", URL_RULE)
PET_RULES = "neg.name_pet"
# `Tor 19.40` is Thursday, unless the model is sure of him.
WEEKDAY_RULE = "neg.name_weekday"
# What is no hyphen within a word, but stands between two.
DASH = frozenset("–—")
DASHES = str.maketrans("–—", "//")
# In front of a name, a word that is seen five times in a million words is not part of it; behind
# one, where it may be a surname, it must be more common.
ORDINARY = get_commonness(5)
VERY_COMMON = get_commonness(60)
# What belongs to the surname behind it, and is no word of its own.
SURE_PARTICLES = PARTICLES - WORDS
# A postal code.
ZIP = re.compile(r"[1-9]\d\d ?\d\d(?!\d)")
# What an entry stands between, and what may follow it.
QUOTES = frozenset('"”“»')
CLOSING = frozenset("|<>(;")
MAX_ABBREVIATION = 2  # letters of a name's part that may have a full stop


class Reading:
    """What rules and lists say of the tokens of one document.

    doc (Doc): The document, after the model.
    scores (Mapping[str, float]): What the rules demand of the model, by name.
    standalone (Collection[str]): Kinds of list entries that need no other evidence.
    """

    def __init__(
        self, doc: Doc, scores: Mapping[str, float], standalone: Collection[str] = ()
    ) -> None:
        self.doc = doc
        self.scores = scores
        self.standalone = standalone
        # A span group makes its spans anew each time it is read.
        self.scored_hits = [*iter_hits(doc, GAZETTEER_KEY)]
        self.hits = [hit for hit, _ in self.scored_hits]
        self._words: dict[int, tuple[int, int]] = {}

    def begins(self, i: int) -> bool:
        """Whether a word begins a sentence or a line."""
        return begins_sentence(self.folded.text, self.folded.to_folded(self.doc[i].idx))

    def begins_line(self, i: int) -> bool:
        return begins_line(self.folded.text, self.folded.to_folded(self.doc[i].idx))

    def begins_entry(self, i: int) -> bool:
        """Whether a word begins a sentence, a line, a cell of a table or what a form asks for, or a quote
        that does. A first name behind a colon rather begins a list of people: `Vittnen: Elsy, Bo`.
        """
        before = self.doc[i - 1].text if i else ""
        if before in QUOTES and i > 1:
            return self.begins_entry(i - 1)
        if before == ":":
            return i not in self.first_names
        return before == "|" or self.begins(i)

    def ends_entry(self, end: int) -> bool:
        """Whether with the token before `end` a line, a cell or a quote ends, or what follows is a number
        or a bracket: `Ek, Bo (531207)`.
        """
        after = self.doc[end : end + 1].text
        return not after.strip() or after[0] in QUOTES | CLOSING or after[0].isdigit()

    def ends_line(self, i: int) -> bool:
        """Whether a token ends its line, or a comma or a full stop follows: `/håkan n, slite`."""
        doc = self.doc
        return i + 1 == len(doc) or doc[i + 1].text in (",", ".") or "\n" in doc[i + 1].text

    def is_stop_of_initial(self, i: int) -> bool:
        doc = self.doc
        if i >= len(doc) or doc[i].text != "." or doc[i - 1].whitespace_:
            return False
        return len(doc[i - 1]) == 1 and doc[i - 1].is_upper

    def end_before(self, start: int) -> int | None:
        """Where the word ends that stands in front of the token `start` and one space of any kind,
        or two of them: what is farther apart may be two cells of a table.
        """
        doc = self.doc
        if start and doc[start - 1].whitespace_:
            return start
        # spaCy makes a token of every other space.
        if start > 1 and fold_text(doc[start - 1].text).text == " ":
            return start - 1
        return None

    def is_next(self, end: int, start: int) -> bool:
        """Whether only a space lies between the token before `end` and the token `start`."""
        return self.end_before(start) == end

    def is_plain(self, i: int, label: str) -> bool:
        """Whether a word in lower case, or in capitals and no abbreviation, is known, and not as
        a name. A compound is no person, but may be a place or an organisation: `slottsskolan`.
        """
        token = self.doc[i]
        if i in self.named:
            return False
        if not token.is_lower and not (token.is_upper and len(token) > MAX_SHORT):
            return False
        common, compound = self.commonness[i]
        return bool(common > 0 or (compound and label == "PERSON"))

    def is_known(self, i: int) -> bool:
        """Whether a word is an ordinary one, or a compound of such."""
        return bool(self.commonness[i].any())

    def is_common(self, i: int) -> bool:
        return bool(self.commonness[i][0] >= ORDINARY)

    def is_full_stop(self, i: int) -> bool:
        """Whether a token is a full stop, and none of an initial or a title."""
        before = self.doc[i - 1] if i else None
        if self.doc[i].text != "." or before is None:
            return False
        return len(before) > MAX_ABBREVIATION and i - 1 not in self.titles

    def around(self, span: Span) -> tuple[str, str]:
        """RETURNS (tuple[str, str]): The tokens that a find is glued to."""
        doc = self.doc
        before = doc[span.start - 1] if span.start else None
        after = doc[span.end] if span.end < len(doc) else None
        return (
            before.text if before is not None and not before.whitespace_ else "",
            after.text if after is not None and not span[-1].whitespace_ else "",
        )

    def is_ordinary(self, i: int, first: bool) -> bool:
        token = self.doc[i]
        if i in self.named or i in self.titles:
            return False
        if token.lower_ in SURE_PARTICLES:
            return False
        common, compound = self.commonness[i]
        if first:
            # What has a capital may be ordinary behind what has none.
            known = common > 0 or compound > 0
            follows = i + 1 < len(self.doc) and self.doc[i + 1].is_title and token.is_lower
            follows = follows or self.is_shouted
            return token.whitespace_ != "" and (common >= ORDINARY or (known and follows))
        if not (token.is_lower or self.is_shouted) or not self.doc[i - 1].whitespace_:
            return False
        return common >= VERY_COMMON or (common > 0 and self.doc[i - 1].is_title)

    def is_possessed(self, i: int) -> bool:
        """Whether a common word in lower case stands behind a name in the genitive."""
        token, before = self.doc[i], self.doc[i - 1]
        if not token.is_lower or not before.is_title or not before.lower_.endswith("s"):
            return False
        # `Lars berg`: a name that ends in s, and a surname.
        surname = i - 1 in self.first_names and "surname" in self.kinds_of_names.get(i, ())
        return bool(before.whitespace_) and self.is_common(i) and not surname

    @cached_property
    def commonness(self) -> np.ndarray:
        """How ordinary each word is, and whether it is a compound, shape (n_tokens, 2); nothing is where
        no list of words was read.
        """
        known = self.doc._.commonness
        return np.zeros((len(self.doc), 2), dtype=np.float32) if known is None else known

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
    def folded(self) -> Folded:
        """The folded text, in which dashes are no hyphens."""
        text = self.doc.text
        return fold_text(text if DASH.isdisjoint(text) else text.translate(DASHES))

    @cached_property
    def rules(self) -> dict[int, Span]:
        """The rule hit that a token is in."""
        hits = self.doc.spans.get(RULES_KEY, ())
        return {i: hit for hit in hits for i in range(hit.start, hit.end)}

    @cached_property
    def modelled(self) -> set[int] | None:
        """What the model found, of whatever class; None where no model has read."""
        return get_tokens(self.doc.spans[PHI_KEY]) if PHI_KEY in self.doc.spans else None

    @cached_property
    def vetoed(self) -> set[int]:
        """The doses, clock times and other numbers that no class takes."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in vetoes if any(map(str.isdigit, span.text)))

    @cached_property
    def namesakes(self) -> set[int]:
        """The names of pets, methods, makers: called like somebody, and nobody."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in vetoes if span.id_.startswith(NAMESAKE_RULES))

    @cached_property
    def weekdays(self) -> set[int]:
        """The abbreviated weekdays in front of a clock time."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(span for span in vetoes if span.id_ == WEEKDAY_RULE)

    @cached_property
    def forms(self) -> list[tuple[int, int]]:
        """Where handles, web addresses and passwords stand, without the sign in front, and punctuation behind."""
        forms = []
        for span in self.doc.spans.get(VETOES_KEY, ()):
            if span.id_.startswith(FORM_RULES):
                start, end = span.start + (span[0].text == "@"), span.end
                while end - start > 1 and self.doc[end - 1].is_punct:
                    end -= 1
                forms.append((start, end))
        return forms

    @cached_property
    def pets(self) -> set[str]:
        """What is said to be the name of a pet."""
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return {span[-1].text for span in vetoes if span.id_.startswith(PET_RULES)}

    @cached_property
    def named(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.label_ in LABELS)

    @cached_property
    def addresses(self) -> set[int]:
        """The words of web addresses that are not the name of a listed company (`Doktor.se`)."""
        listed = {(hit.start, hit.end) for hit in self.hits}
        vetoes = self.doc.spans.get(VETOES_KEY, ())
        return get_tokens(
            span for span in vetoes if span.id_ == URL_RULE and (span.start, span.end) not in listed
        )

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
        """RETURNS (tuple[int, int]): With which token the word of a token begins, and before which it
        ends.
        """
        # Each is looked at once, however many finds a long word has.
        if i not in self._words:
            start, end = i, i + 1
            while self.is_glued(start):
                start -= 1
            while end < len(self.doc) and self.is_glued(end):
                end += 1
            self._words.update(dict.fromkeys(range(start, end), (start, end)))
        return self._words[i]

    @cached_property
    def negative(self) -> set[int]:
        """The words of drugs, diseases and terms."""
        return get_tokens(hit for hit in self.hits if hit.label_ == NEGATIVE)

    @cached_property
    def first_names(self) -> set[int]:
        """Where first names begin."""
        return {hit.start for hit in self.hits if hit.id_ == "first_name"}

    @cached_property
    def kinds_of_names(self) -> dict[int, set[str]]:
        """The kinds of the names that begin with a token."""
        kinds: dict[int, set[str]] = {}
        for hit in self.hits:
            if hit.label_ == "PERSON":
                kinds.setdefault(hit.start, set()).add(hit.id_)
        return kinds

    @cached_property
    def title_hits(self) -> list[Span]:
        return [hit for hit in self.hits if hit.label_ == TITLE]

    @cached_property
    def title_starts(self) -> set[int]:
        return {hit.start for hit in self.title_hits}

    @cached_property
    def titles_by_end(self) -> dict[int, int]:
        """Where titles begin, by where they end: of several with one end, the longest."""
        return {hit.end: hit.start for hit in sorted(self.title_hits, key=lambda hit: -hit.start)}

    @cached_property
    def title_parts(self) -> dict[int, int]:
        """Where titles of several words begin, by each but their first word."""
        return {i: hit.start for hit in self.title_hits for i in range(hit.start + 1, hit.end)}

    @cached_property
    def listed(self) -> dict[tuple[int, int], set[str]]:
        listed: dict[tuple[int, int], set[str]] = {}
        for hit, score in self.scored_hits:
            # What is one only with a slip is known as nothing.
            if hit.label_ in LABELS and score > SLIP:
                listed.setdefault((hit.start, hit.end), set()).add(hit.label_)
        return listed

    @cached_property
    def possessors(self) -> set[int]:
        """The last words of listed organisations in the genitive or in the definite form."""
        return {
            hit.end - 1
            for hit in self.hits
            if hit.label_ == "ORGANISATION" and hit[-1].lower_.endswith(("s", "en", "et"))
        }

    @cached_property
    def places(self) -> set[int]:
        return {hit.end - 1 for hit in self.hits if hit.id_ == "place"}

    @cached_property
    def place_starts(self) -> set[int]:
        return {hit.start for hit in self.hits if hit.id_ == "place"}

    @cached_property
    def place_ends(self) -> set[int]:
        """The last words of places and of addresses that a rule knows."""
        rules = self.doc.spans.get(RULES_KEY, ())
        return self.places | {hit.end - 1 for hit in rules if hit.label_ == "LOCATION"}

    @cached_property
    def no_names(self) -> set[int]:
        """The words that the lists know as a drug, a disease or a term, and as nothing else, or
        within a longer one: `lex Sarah`.
        """
        negative = [hit for hit in self.hits if hit.label_ == NEGATIVE]
        longer = get_tokens(hit for hit in negative if len(hit) > 1)
        named = get_tokens(hit for hit in self.hits if hit.label_ in LABELS and len(hit) > 1)
        return (get_tokens(negative) - self.named) | (longer - named)

    @cached_property
    def eponyms(self) -> set[int]:
        return get_tokens(hit for hit in self.hits if hit.id_ == "eponym" and len(hit) == 1)

    @cached_property
    def titles(self) -> set[int]:
        """The words that are a title and no name, also at the end of a hyphenated one."""
        titles = get_tokens(hit for hit in self.hits if hit.label_ == TITLE)
        titles -= get_tokens(hit for hit in self.hits if hit.label_ == "PERSON")
        for i in sorted(titles):
            while self.is_glued(i) and i - 1 not in titles:
                i -= 1
                titles.add(i)
        return titles
