"""The pipe that makes the final entities of what rules, lists and the model found."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import registry

from .. import extensions  # noqa: F401
from ..hits import get_tokens, iter_hits
from ..labels import (
    CONVERSATION_KEY,
    GAZETTEER_KEY,
    KNOWN_KEY,
    LABELS,
    NAMES,
    NEGATIVE,
    PHI_KEY,
    RULES_KEY,
)
from ..merging.plausibility import Plausibility
from ..swedish.folding import fold_text
from .gazetteer_matcher import TITLE
from .known_matcher import get_standing

# What stands behind a name and is an age; a time that goes on is none.
AGE_BEHIND = re.compile(
    r"\s?,?\s(?P<phi>\d{1,2} ?(?:år|mån(?:ader)?|veckor|v|dagar))\b"
    r"(?!\.?\s?\d|[- ](?:sen|sedan|tillbaka|kvar|till|efter|före|innan|framåt|i rad|åt gången)\b)"
    r"|\s\((?P<bare>\d{1,2})\)"
)
# In lower case only these are initials: a vowel is rather a word.
CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
TITLE_PREFIXES = frozenset(("leg", "bitr", "spec", "vik", "tf"))
UNIT_PLACES = ("LOCATION", "ORGANISATION")
# In order of precedence for the label.
SOURCES = (KNOWN_KEY, RULES_KEY, PHI_KEY, CONVERSATION_KEY, GAZETTEER_KEY)


class Candidate(NamedTuple):
    """A stretch of tokens that is PHI."""

    start: int
    end: int
    label: str
    source: str
    score: float
    rank: float


@registry.scorers("sv_deid_chat.merger_scorer.v1")
def make_merger_scorer() -> Callable[[Iterable[Example]], dict[str, Any]]:
    return _score_ents


def _score_ents(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    return Scorer.score_spans(
        list(examples), "ents", has_annotation=lambda doc: doc.has_annotation("ENT_IOB")
    )


@Language.factory(
    "span_merger",
    requires=["doc.spans"],
    assigns=["doc.ents", "token.ent_type", "token.ent_iob"],
    default_config={
        "standalone": [
            "first_name",
            "nickname",
            "surname",
            "place",
            "organisation",
            "abbreviation",
            "unit",
        ],
        "scorer": {"@scorers": "sv_deid_chat.merger_scorer.v1"},
    },
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_span_merger(
    nlp: Language, name: str, standalone: list[str], scorer: Callable | None
) -> "SpanMerger":
    return SpanMerger(name, standalone=standalone, scorer=scorer)


class SpanMerger(Pipe):
    """Merge the evidence into doc.ents.

    Spans that overlap become one span with the union of their boundaries: what any of them covers
    stays covered. Precedence (what is known of the participants, rules, the model, what other
    messages of the conversation say, lists) decides the label only. Of the list hits, only
    unambiguous ones of the kinds in `standalone` count on their own. What the model alone takes
    for a name or a number, but is only a title, or has no sign of one, is left out.
    Then a title joins the name behind it, a first name its last name or initial, a unit its
    hospital or place, a span grows to the boundaries of the word, and a person's age stands behind
    the name: `Alve 5 v`, `Ludde (2)`.

    span._.source names the evidence ("rules+phi"), span._.score is its highest score.
    """

    def __init__(
        self,
        name: str = "span_merger",
        *,
        standalone: Sequence[str] = (),
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe.

        name (str): The pipe's name.
        standalone (Sequence[str]): Kinds of list entries that need no other evidence.
        scorer (Optional[Callable]): The scoring method.
        """
        self.name = name
        self.standalone = set(standalone)
        self.scorer = scorer

    def __call__(self, doc: Doc) -> Doc:
        """Write the merged entities to doc.ents.

        doc (Doc): The document.
        RETURNS (Doc): The same document.
        """
        plausibility = Plausibility(doc)
        candidates = self._get_candidates(doc, plausibility)
        merged = _union(sorted(candidates, key=lambda c: (c.start, -c.end)))
        merged = _union(_widen(merged, plausibility))
        merged = _join_names(doc, _add_initials(doc, merged))
        merged = _join_units(doc, _join_surname_first(doc, merged))
        merged = _union(_add_titles(doc, merged))
        merged = sorted(_add_ages(doc, merged))
        ents = []
        for start, end, label, source, score, _ in merged:
            ent = Span(doc, start, end, label=label)
            ent._.source = source
            ent._.score = score
            ents.append(ent)
        doc.ents = ents
        return doc

    def _get_candidates(self, doc: Doc, plausibility: Plausibility) -> Iterator[Candidate]:
        for span, score in get_standing(doc):
            # What is not certain gives way to the label that others found.
            rank = 0.0 if score == 1.0 else SOURCES.index(PHI_KEY) + 0.5
            yield Candidate(span.start, span.end, span.label_, KNOWN_KEY, score, rank)
        for key in (RULES_KEY, CONVERSATION_KEY):
            for span, score in iter_hits(doc, key):
                found = (span.start, span.end, span.label_)
                yield Candidate(*found, key, score, SOURCES.index(key))
        for start, end, label, score in plausibility.get_finds():
            yield Candidate(start, end, label, PHI_KEY, score, SOURCES.index(PHI_KEY))
        yield from self._get_standalone(doc, plausibility.addresses)

    def _get_standalone(self, doc: Doc, addresses: set[int]) -> Iterator[Candidate]:
        hits = doc.spans.get(GAZETTEER_KEY, ())
        negative = get_tokens(hit for hit in hits if hit.label_ == NEGATIVE)
        rank = SOURCES.index(GAZETTEER_KEY)
        firsts: dict[int, Span] = {}
        for span, score in iter_hits(doc, GAZETTEER_KEY):
            tokens = range(span.start, span.end)
            if not negative.isdisjoint(tokens):
                continue
            if span.label_ == "ORGANISATION" and not addresses.isdisjoint(tokens):
                continue
            if span.id_ in self.standalone and score == 1.0:
                yield Candidate(span.start, span.end, span.label_, GAZETTEER_KEY, score, rank)
            if span.id_ == "first_name" and span.text.istitle():
                firsts[span.end] = span
            # Each may be an ordinary word, both with a capital are a person: `Bo Sommar`.
            if span.id_ == "surname" and span.text.istitle():
                first = firsts.get(_end_before(doc, span.start))
                if first is not None:
                    yield Candidate(first.start, span.end, "PERSON", GAZETTEER_KEY, 1.0, rank)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        return self.scorer(examples, **kwargs) if self.scorer is not None else {}


def _rank(candidate: Candidate) -> tuple:
    """Order of precedence for the label: source, then score, then length."""
    length = candidate.end - candidate.start
    return (candidate.label not in LABELS, candidate.rank, -candidate.score, -length)


def _merge(candidates: list[Candidate]) -> Candidate:
    sources = {name for candidate in candidates for name in candidate.source.split("+")}
    first = min(candidates, key=_rank)
    return Candidate(
        min(candidate.start for candidate in candidates),
        max(candidate.end for candidate in candidates),
        first.label,
        "+".join(name for name in SOURCES if name in sources),
        max(candidate.score for candidate in candidates),
        first.rank,
    )


def _union(candidates: list[Candidate]) -> list[Candidate]:
    """Merge candidates that share a token.

    candidates (List[Candidate]): Candidates in order of their start.
    RETURNS (List[Candidate]): Candidates that do not overlap, in order.
    """
    merged: list[Candidate] = []
    group: list[Candidate] = []
    end = 0
    for candidate in candidates:
        if group and candidate.start >= end:
            merged.append(_merge(group))
            group = []
        end = max(end, candidate.end) if group else candidate.end
        group.append(candidate)
    if group:
        merged.append(_merge(group))
    return merged


def _widen(candidates: list[Candidate], plausibility: Plausibility) -> list[Candidate]:
    """Grow names to the boundaries of their words, over letters and hyphens between letters.

    candidates (list[Candidate]): Candidates that do not overlap, in order.
    plausibility (Plausibility): Knows the words.
    RETURNS (list[Candidate]): The candidates, which may overlap now.
    """
    if not any(candidate.label in NAMES for candidate in candidates):
        return candidates
    glued = plausibility.glued
    n = len(glued)
    starts, ends = list(range(n)), list(range(1, n + 1))
    for i in range(1, n):
        if glued[i]:
            starts[i] = starts[i - 1]
    for i in range(n - 1, 0, -1):
        if glued[i]:
            ends[i - 1] = ends[i]
    return [
        candidate._replace(start=starts[candidate.start], end=ends[candidate.end - 1])
        if candidate.label in NAMES
        else candidate
        for candidate in candidates
    ]


def _join_names(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Join neighbouring PERSON candidates: first and last name. `Annas Bo` and what begins with a
    title stay apart.
    """
    hits = doc.spans.get(GAZETTEER_KEY, [])
    titles = {span.start for span in hits if span.label_ == TITLE}
    first_names = {span.start for span in hits if span.id_ == "first_name"}
    joined: list[Candidate] = []
    for candidate in candidates:
        if joined:
            last = joined[-1]
            names = last.label == candidate.label == "PERSON"
            owner = doc[last.end - 1].lower_.endswith("s") and candidate.start in first_names
            apart = owner or candidate.start in titles
            if names and not apart and _next_word(doc, last.end, candidate.start):
                joined[-1] = _merge([last, candidate])
                continue
        joined.append(candidate)
    return joined


def _join_surname_first(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Join a surname and the first name behind it and a comma: `Ros, Hjördis Linnéa`. At the
    start of a line the surname may be an ordinary word: `Glad, Ronny`.
    """
    kinds: dict[int, set[str]] = {}
    for hit in doc.spans.get(GAZETTEER_KEY, ()):
        if hit.label_ == "PERSON":
            kinds.setdefault(hit.start, set()).add(hit.id_)
    joined: list[Candidate] = []
    for candidate in candidates:
        at = candidate.start - 2
        comma = at >= 0 and doc[at + 1].text == "," and doc[at + 1].whitespace_
        spaced = comma and not doc[at].whitespace_
        surname = kinds.get(at, set())
        surname_first = spaced and "surname" in surname and "first_name" not in surname
        if candidate.label == "PERSON" and surname_first:
            last = joined[-1] if joined else None
            if last and last.label == "PERSON" and (last.start, last.end) == (at, at + 1):
                if "first_name" in kinds.get(candidate.start, ()):
                    candidate = _merge([joined.pop(), candidate])
            elif doc[at].is_title and (not last or last.end <= at) and _begins_line(doc, at):
                candidate = candidate._replace(start=at)
        joined.append(candidate)
    return joined


def _join_units(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Join an organisation with the organisation or the place right behind it: `FK Borås`."""
    joined: list[Candidate] = []
    for candidate in candidates:
        if joined and joined[-1].label == "ORGANISATION" and candidate.label in UNIT_PLACES:
            last = joined[-1]
            named = not any(token.is_digit for token in doc[candidate.start : candidate.end])
            if named and _next_word(doc, last.end, candidate.start):
                joined[-1] = _merge([last, candidate])._replace(label=last.label)
                continue
        joined.append(candidate)
    return joined


def _add_initials(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Join a name with the initial right behind it, and that with its full stop: `Per S.`"""
    taken = {candidate.start for candidate in candidates}
    result = []
    for candidate in candidates:
        end = candidate.end
        if candidate.label == "PERSON" and end < len(doc) and end not in taken:
            token = doc[end]
            alone = len(token) == 1 and (
                (token.is_upper and token.text not in "IÅÖ")
                or (token.text in CONSONANTS and doc[end - 1].is_lower and _ends_line(doc, end))
            )
            apart = token.whitespace_ or end + 1 == len(doc) or doc[end + 1].is_punct
            if alone and apart and _next_word(doc, end, end):
                candidate = candidate._replace(end=end + 1)
        if candidate.label == "PERSON" and _is_stop_of_initial(doc, candidate.end):
            candidate = candidate._replace(end=candidate.end + 1)
        result.append(candidate)
    return result


def _add_ages(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Add the age right behind a name, where nothing was found so far."""
    taken = {i for candidate in candidates for i in range(candidate.start, candidate.end)}
    added = []
    folded = fold_text(doc.text)
    for candidate in candidates:
        if candidate.label != "PERSON":
            continue
        end_char = doc[candidate.end - 1 : candidate.end].end_char
        match = AGE_BEHIND.match(folded.text, folded.to_folded(end_char))
        if match:
            chars = folded.to_original(*match.span(match.lastgroup))
            span = doc.char_span(*chars, alignment_mode="expand")
            if taken.isdisjoint(range(span.start, span.end)):
                added.append(
                    candidate._replace(
                        start=span.start, end=span.end, label="AGE", source=RULES_KEY
                    )
                )
    return candidates + added


def _begins_line(doc: Doc, i: int) -> bool:
    return i == 0 or "\n" in doc[i - 1].text


def _ends_line(doc: Doc, i: int) -> bool:
    """Whether a token ends its line, or a comma or a full stop follows: `/håkan n, slite`."""
    return i + 1 == len(doc) or doc[i + 1].text in (",", ".") or "\n" in doc[i + 1].text


def _is_stop_of_initial(doc: Doc, i: int) -> bool:
    if i >= len(doc) or doc[i].text != "." or doc[i - 1].whitespace_:
        return False
    return len(doc[i - 1]) == 1 and doc[i - 1].is_upper


def _next_word(doc: Doc, end: int, start: int) -> bool:
    """Whether only a space lies between the token before `end` and the token `start`."""
    return _end_before(doc, start) == end


def _end_before(doc: Doc, start: int) -> int | None:
    """Where the word ends that stands in front of the token `start` and one space of any kind, or two
    of them: what is farther apart may be two cells of a table.
    """
    if start and doc[start - 1].whitespace_:
        return start
    # spaCy makes a token of every other space.
    if start > 1 and fold_text(doc[start - 1].text).text == " ":
        return start - 1
    return None


def _add_titles(doc: Doc, candidates: list[Candidate]) -> list[Candidate]:
    """Join a title or kinship word with the name right behind it, and all words of a title with
    the last one.
    """
    if GAZETTEER_KEY not in doc.spans:
        return candidates
    hits = [span for span in doc.spans[GAZETTEER_KEY] if span.label_ == TITLE]
    # Of several with one end, the longest.
    titles = {span.end: span.start for span in sorted(hits, key=lambda span: -span.start)}
    parts = {i: span.start for span in hits for i in range(span.start + 1, span.end)}
    begin = {span.start for span in hits}
    taken = {i for candidate in candidates for i in range(candidate.start, candidate.end)}
    result = []
    for candidate in candidates:
        before = _end_before(doc, candidate.start)
        start = parts.get(candidate.start, titles.get(before, candidate.start))
        within = candidate.start in parts
        if candidate.label == "PERSON" and (within or before is not None):
            start = candidate.start if start in taken else start
            start = _add_prefix(doc, start) if start in begin else start
            candidate = candidate._replace(start=start)
        result.append(candidate)
    return result


def _add_prefix(doc: Doc, start: int) -> int:
    """Where a title begins that stands at `start`, perhaps with `leg.` in front of it."""
    i = start - 1
    if i > 0 and doc[i].text == ".":
        i -= 1
    return i if i >= 0 and doc[i].lower_ in TITLE_PREFIXES else start
