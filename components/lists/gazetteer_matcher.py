"""The pipe that looks words up in lists of names, places, organisations, drugs and diseases."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from ..shared.labels import GAZETTEER_KEY
from ..shared.saved_pipe import Part, SavedPipe
from ..shared.words import read_words
from ..text.extensions import set_extensions
from ..text.folding import fold_text
from ..text.hits import write_hits
from ..text.message import fold_doc
from ..text.sentences import begins_sentence
from .lists import KINDS, LABEL_OF_KIND, SLIP, SOURCES, Lists
from .neighbours import Neighbours
from .words import UNKNOWN, CommonWords, get_commonness

# Endings that may follow an entry within the word, by kind.
ENDINGS = read_words(__file__, "endings.txt")
# The score of an entry that is an ordinary word, too.
AMBIGUOUS = 0.5
# A word is ordinary if the training data has it outside of entities at least MIN_ORDINARY times,
# and more than MIN_SHARE times as often as inside.
MIN_ORDINARY = 3
MIN_SHARE = 0.2
# A compound is a title if its last part is a title of at least this length:
# `specialistsjuksköterska`.
MIN_TITLE = 6

# Kinds of names that may be ordinary words. For places the list says it; units always are words.
WORDY = ("first_name", "nickname", "surname", "organisation")
# Kinds of entries that are names.
NAMING = (*WORDY, "place", "street", "abbreviation")
# At the beginning of a sentence, a word that is this common is rather the word than the name.
COMMON = get_commonness(10)

Entry = tuple[str, float]
Entries = Sequence[Entry]
NO_ENTRY: Mapping[str, float] = MappingProxyType({})
TITLE_ENTRY: Entries = (("title", 1.0),)
# The least letters of an entry in front of an ending.
MIN_STEM = 3
# Kinds that are also found misspelled, from this length on: `barnklinikn`, `sundbyberk`.
MISSPELLED = ("unit", "place")
MIN_MISSPELLED = 7


@Language.factory(
    "gazetteer_matcher",
    assigns=["doc.spans", "doc._.commonness"],
    default_config={
        "endings": ENDINGS,
        "max_tokens": 8,
        "spans_key": GAZETTEER_KEY,
        "scorer": {"@scorers": "sv_deid_chat.group_scorer.v1", "spans_key": GAZETTEER_KEY},
    },
)
class GazetteerMatcher(SavedPipe):
    """Look words up in lists, whatever their casing and their odd characters, with genitive and compound
    endings.

    doc.spans["gazetteer"] holds the hits, which may overlap; span.label_ is the class (NEGATIVE
    for what speaks against PHI, TITLE for what may stand in front of a name), span.id_ the kind of
    entry, and attrs["scores"] 1.0, or 0.5 for an entry that is an ordinary word, too.

    An institution or a place of seven letters or more with a slip (`barnklinikn`) is a hit of .4 if
    it is neither an entry nor a known word.

    doc._.commonness has how common each word is.

    The lookup reads substrings of the folded text between token boundaries in a dictionary. spaCy's
    PhraseMatcher would do the same with a pattern for each entry and each of its endings, each of
    which must be tokenized when the pipeline is loaded and stays in the vocabulary.
    """

    def __init__(
        self,
        nlp: Language | None = None,
        name: str = "gazetteer_matcher",
        *,
        endings: dict[str, list[str]] = ENDINGS,
        max_tokens: int = 8,
        spans_key: str = GAZETTEER_KEY,
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe.

        endings (dict[str, list[str]]): What may follow an entry within the word, by kind.
        max_tokens (int): Length of the longest hit in tokens.
        spans_key (str): The span group of the hits. The pipes behind read "gazetteer".
        """
        unknown = set(endings) - set(KINDS)
        if unknown:
            raise ValueError(f"Unknown kinds {sorted(unknown)} in endings. Known: {KINDS}.")
        set_extensions()
        self.name = name
        self.scorer = scorer
        self.max_tokens = max_tokens
        self.spans_key = spans_key
        self.endings = {kind: sorted(all_, key=len) for kind, all_ in endings.items()}
        tails = sorted({ending for all_ in endings.values() for ending in all_ if ending}, key=len)
        # By last letter, the shortest first.
        self._tails: dict[str, list[str]] = {}
        for tail in tails:
            self._tails.setdefault(tail[-1], []).append(tail)
        # Signs within endings, which may follow any entry.
        self._tail_signs = {char for tail in tails for char in tail if not char.isalnum()}
        self._clear()

    def _clear(self) -> None:
        self.entries: dict[str, dict[str, float]] = {}
        self._longest_title = 0
        # The last letters of titles. Other words are no compounds with a title.
        self._title_tails: set[str] = set()
        # Ordinary words that look like an entry, or like one with an ending: `tas`, `armen`.
        self.ordinary: set[str] = set()
        # The beginnings of entries up to each of their signs and spaces. Where a text goes on with
        # another sign, nothing is looked up. None until they are needed.
        self._joints: set[str] | None = None
        # The words that may be misspelled. None until they are needed.
        self._neighbours: Neighbours | None = None
        # The entries of common words, once looked up. Other words are not kept: they may be names.
        self._looked_up: dict[str, Entries] = {}
        self.words = CommonWords()

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.entries)

    def __call__(self, doc: Doc) -> Doc:
        """Write the hits to doc.spans["gazetteer"], and doc._.commonness."""
        text, lower, bounds = _read(doc)
        hits = (
            (Span(doc, start, end, label=LABEL_OF_KIND[kind], span_id=kind), score)
            for start, end, kind, score in self._match(text, lower, bounds)
        )
        write_hits(doc, self.spans_key, hits)
        self.weigh(doc)
        return doc

    def weigh(self, doc: Doc) -> None:
        """Write how common each word is to doc._.commonness."""
        _, lower, bounds = _read(doc)
        commonness = self.words.look_up(lower[start:end] for start, end in bounds)
        doc._.commonness = np.array(commonness, dtype=np.float32).reshape(-1, 2)

    def is_ordinary(self, word: str) -> bool:
        """Whether a word is an ordinary one, perhaps beside a name, or the word for a thing."""
        entry = self.entries.get(word, NO_ENTRY)
        return (
            word in self.ordinary
            or self.words[word][0] > 0
            or any(score < 1 or kind not in NAMING for kind, score in entry.items())
        )

    def _match(
        self, text: str, lower: str, bounds: list[tuple[int, int]]
    ) -> Iterator[tuple[int, int, str, float]]:
        # Longest hits by kind, so that `Karl` within `Karl-Erik` is no hit of its own.
        covered: dict[str, int] = {}
        joints, tail_signs = self._get_joints(), self._tail_signs
        for i, (start, end) in enumerate(bounds):
            if start == end or not lower[start].isalnum():
                continue
            longest: dict[str, tuple[int, float]] = {}
            for last, (first, end) in enumerate(bounds[i : i + self.max_tokens], i + 1):
                # An invisible token ends no hit.
                if first < end:
                    key = lower[start:end]
                    for kind, score in self._lookup(key):
                        # In lower case an abbreviation is often a word: `sus`, `af`.
                        if kind == "abbreviation" and not text[start].isupper():
                            score = AMBIGUOUS
                        if key in self.ordinary or self._is_word(key, kind, text, start):
                            score = AMBIGUOUS
                        longest[kind] = (last, score)
                sign = lower[end : end + 1]
                goes_on = sign.isalnum() or sign in tail_signs
                if not goes_on and lower[start : end + 1] not in joints:
                    break
            for kind, (last, score) in longest.items():
                if last > covered.get(kind, 0):
                    covered[kind] = last
                    yield i, last, kind, score

    def _get_joints(self) -> set[str]:
        if self._joints is None:
            self._joints = {
                key[: i + 1]
                for key in self.entries
                if not key.isalnum()
                for i, char in enumerate(key)
                if not char.isalnum()
            }
        return self._joints

    def _is_word(self, key: str, kind: str, text: str, start: int) -> bool:
        """Whether a name is an ordinary word here: in lower case, or at the start of a sentence."""
        if kind not in WORDY or key not in self.words.words:
            return False
        if not text[start].isupper() or kind not in self.entries.get(key, ()):
            return True
        return self.words[key][0] >= COMMON and begins_sentence(text, start)

    def _lookup(self, key: str) -> Entries:
        entries = self._looked_up.get(key)
        if entries is None:
            entries = self._search(key)
            if key in self.words.words:
                self._looked_up[key] = entries
        return entries

    def _search(self, key: str) -> Entries:
        entry = self.entries.get(key, NO_ENTRY)
        found: dict[str, float] | None = None
        for tail in self._tails.get(key[-1:], ()):
            if key.endswith(tail) and len(key) - len(tail) >= MIN_STEM:
                for kind, score in self.entries.get(key[: -len(tail)], NO_ENTRY).items():
                    found = dict(entry) if found is None else found
                    if kind not in found and tail in self.endings.get(kind, ()):
                        found[kind] = score
        if not entry and not found:
            if key[-MIN_TITLE:] in self._title_tails and self._is_compound_title(key):
                return TITLE_ENTRY
            return self._search_misspelled(key)
        return tuple((entry if found is None else found).items())

    def _search_misspelled(self, key: str) -> Entries:
        """The entries that an unknown word may be a misspelling of."""
        if len(key) < MIN_MISSPELLED or not key.isalpha() or self.words[key] != UNKNOWN:
            return ()
        if self._neighbours is None:
            words = (
                word
                for word, entry in self.entries.items()
                if word.isalpha() and not entry.keys().isdisjoint(MISSPELLED)
            )
            self._neighbours = Neighbours(words, shortest=MIN_MISSPELLED)
        near = self._neighbours.find(key)
        kinds = {kind for word in near for kind in MISSPELLED if kind in self.entries[word]}
        return tuple((kind, SLIP) for kind in sorted(kinds))

    def _is_compound_title(self, key: str) -> bool:
        """Whether the end of a word, at least two letters after its beginning, is a title."""
        first = max(2, len(key) - self._longest_title)
        return key.isalpha() and any(
            "title" in self.entries.get(key[i:], ()) for i in range(first, len(key) - MIN_TITLE + 1)
        )

    def add(self, term: str, kind: str, ambiguous: bool = False) -> None:
        """Add an entry of a kind ("first_name"), and whether it is an ordinary word, too."""
        if kind not in KINDS:
            raise ValueError(f"Unknown kind {kind!r}. Known: {', '.join(KINDS)}.")
        key = " ".join(_fold(term).split())
        if not key:
            return
        score = AMBIGUOUS if ambiguous else 1.0
        entry = self.entries.setdefault(key, {})
        entry[kind] = min(score, entry.get(kind, 1.0))
        self._joints = self._neighbours = None
        self._looked_up.clear()
        self._index(key, entry)

    def _index(self, key: str, kinds: Iterable[str]) -> None:
        if "title" in kinds:
            self._longest_title = max(self._longest_title, len(key))
            self._title_tails.add(key[-MIN_TITLE:])

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        lists: Lists | None = None,
    ) -> None:
        """Read the lists (`sv_deid_chat.lists.v1`), and learn ordinary words from the corpus."""
        self._clear()
        lists = lists or {}
        for (stem, column), (_, kind) in SOURCES.items():
            for row in lists.get(stem, []):
                if row[column]:
                    self.add(row[column], kind, bool(row.get("ambiguous")))
        if not self.entries:
            raise ValueError(
                f"'{self.name}' got no entries. Give the word lists in "
                "[initialize.components.gazetteer_matcher.lists]."
            )
        uncounted = [*lists.get("words_foreign", []), *lists.get("words_everyday", [])]
        self.words = CommonWords.from_rows(lists.get("words", []), uncounted)
        inside: Counter = Counter()
        outside: Counter = Counter()
        for example in get_examples():
            for token in example.reference:
                count = inside if token.ent_type_ else outside
                count[_fold(token.text)] += 1
        self.ordinary = {
            word
            for word, n in outside.items()
            if n >= MIN_ORDINARY and n > MIN_SHARE * inside[word] and self._lookup(word)
        }

    def get_parts(self) -> dict[str, Part]:
        return {"entries.msgpack": Part(self._get_state, self._set_state)}

    def _get_state(self) -> dict[str, Any]:
        entries = {key: self.entries[key] for key in sorted(self.entries)}
        words = {word: self.words.words[word] for word in sorted(self.words.words)}
        return {"entries": entries, "ordinary": sorted(self.ordinary), "words": words}

    def _set_state(self, state: dict[str, Any]) -> None:
        self._clear()
        self.entries = state["entries"]
        self.ordinary = set(state["ordinary"])
        self.words = CommonWords(state["words"])
        for key, kinds in self.entries.items():
            self._index(key, kinds)


def _read(doc: Doc) -> tuple[str, str, list[tuple[int, int]]]:
    """The folded text, the same in lower case, and where each token begins and ends in it."""
    folded = fold_doc(doc)
    starts, ends = folded.get_bounds(doc)
    # In lower case it is as long, since there is no `İ` in it.
    return folded.text, folded.text.lower(), [*zip(starts.tolist(), ends.tolist())]


def _fold(text: str) -> str:
    return fold_text(text).text.lower()
