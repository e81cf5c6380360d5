"""The counts of a run. They hold nothing of any text, and those of parts add up to those of the
whole in any order.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from spacy.tokens import Doc

from ..merging.finds import SOURCES
from ..shared.labels import BUILT_IN, CUSTOM_KEY, SINGLE_CLASS
from ..text.message import get_length
from .copied_columns import find_copied

# Where the bins of lengths begin, in characters: ten a decade, each about a quarter longer than the
# one before (preferred numbers, ISO 3, R10), so that the bins of 1, 2, 5, 10 … are sums of them.
LENGTHS = (
    (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80)
    + tuple(ten * step for ten in (10, 100) for step in (10, 13, 16, 20, 25, 32, 40, 50, 63, 80))
    + tuple(1000 * step for step in (10, 20, 50, 100, 1000, 10000))
)  # fmt: skip
ENTITIES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100)
CONFIDENCES = tuple(tenth / 10 for tenth in range(10))
# Classes in the order in which they are shown; behind them those of a user's own.
ALL_LABELS = (*BUILT_IN, SINGLE_CLASS)
ALL_SOURCES = (*SOURCES, CUSTOM_KEY)
OTHER = "other"
UNKNOWN = "unknown"
LANGUAGE = re.compile(r"[a-z]{2,3}")  # ISO 639
# The place of another row in a reason, and of a text in its document. A line of the program stays: it shows what to fix.
PLACE = re.compile(r"(?<!\.py )\b((?:line|row) )\d+|(\[)\d+(?=\])")


@dataclass
class Summary:
    """The counts of a run, or of a part of one.

    messages (int): Their texts: one each, or one for each text column; who wrote them is none.
    empty (int): Messages with nothing but white space.
    touched (int): Messages in which something was replaced.
    characters (int): All characters of the messages.
    rejected (Counter[str]): Rows that did not come out, by reason.
    failed (Counter[str]): Messages that came out masked whole, by the pipe that failed.
    withheld (Counter[str]): Messages that came out masked whole though nothing failed, by the reason.
    replaced, kept (Counter[str]): Entities by class.
    found (dict[str, Counter[str]]): Entities by class, then by what found them (`span._.source`).
    confidence (dict[str, Counter[str]]): Entities by class, then by where their tenth begins.
    lengths, entities (Counter[str]): Messages by where their bin begins: of `LENGTHS`, of `ENTITIES`.
    languages (Counter[str]): Messages by language, those whose language was looked for.
    columns (dict[str, Counter[str]]): Cells of the columns beside the texts, by column: all that are not
        empty (`cells`), those that hold what is replaced in the texts (`found PERSON`), those that are
        of a form (`form PID`).
    """

    rows: int = 0
    alone: int = 0
    messages: int = 0
    empty: int = 0
    touched: int = 0
    characters: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    found: dict[str, Counter[str]] = field(default_factory=dict)
    confidence: dict[str, Counter[str]] = field(default_factory=dict)
    lengths: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    columns: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, doc: Doc, language: str | None = None) -> None:
        """Count a message of a row that comes out. The row is counted by `add_row`."""
        length = get_length(doc)
        self.messages += 1
        self.characters += length
        self.lengths[find_bin(LENGTHS, length)] += 1
        if all(token.is_space for token in doc):
            self.empty += 1
        elif language is not None:
            self.languages[language if LANGUAGE.fullmatch(language) else UNKNOWN] += 1
        is_masked = False
        for counter, reason in ((self.failed, doc._.failed), (self.withheld, doc._.withheld)):
            if reason is not None and not is_masked:
                counter[_generalise(reason)] += 1
                self.touched += bool(length)
                is_masked = True
        n_entities = self.add_entities(doc)
        if not is_masked:
            self.entities[find_bin(ENTITIES, n_entities)] += 1
            self.touched += any(not entry.get("kept") for entry in doc._.replacements)

    def add_entities(self, doc: Doc) -> int:
        if doc._.replacements is None:
            raise ValueError("A message cannot be counted before the surrogate_generator has run.")
        if doc._.failed is not None or doc._.withheld is not None:
            return 0
        labels = {entry["label"] for entry in doc._.replacements}
        entities = [ent for ent in doc.ents if ent.label_ in labels]
        for ent in entities:
            self.found.setdefault(ent.label_, Counter())[_get_source(ent._.source)] += 1
            tenth = find_bin(CONFIDENCES, ent._.score)
            self.confidence.setdefault(ent.label_, Counter())[tenth] += 1
        for entry in doc._.replacements:
            (self.kept if entry.get("kept") else self.replaced)[entry["label"]] += 1
        return len(entities)

    def add_row(self, docs: Iterable[Doc], languages: Sequence[str | None] = ()) -> None:
        self.rows += 1
        for place, doc in enumerate(docs):
            self.add(doc, languages[place] if place < len(languages) else None)

    def add_reject(self, reason: str) -> None:
        self.rejected[_generalise(reason)] += 1

    def merge(self, other: "Summary") -> None:
        """Add the counts of another part of the run."""
        for name in (each.name for each in fields(self)):
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, int):
                setattr(self, name, mine + theirs)
            elif isinstance(mine, Counter):
                mine.update(theirs)
            else:
                for key, counter in theirs.items():
                    mine.setdefault(key, Counter()).update(counter)

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The counts, for JSON: the same for the same counts."""
        return {each.name: _sort(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, counts: Mapping[str, Any]) -> "Summary":
        if counts.keys() != {each.name for each in fields(cls)}:
            raise ValueError("These counts were written by another version.")
        summary = cls()
        for name, value in counts.items():
            if isinstance(value, int):
                setattr(summary, name, value)
            elif isinstance(getattr(summary, name), Counter):
                getattr(summary, name).update(value)
            else:
                setattr(summary, name, {key: Counter(inner) for key, inner in value.items()})
        return summary

    def find_copied(self) -> dict[str, list[str]]:
        """RETURNS (dict[str, list[str]]): The columns that should not be copied, and what they hold."""
        return find_copied(self.columns, bool(self.replaced["DATE"]))

    def __str__(self) -> str:
        lists = [
            ", ".join(f"{label} {count}" for label, count in sorted(counter.items()))
            for counter in (self.replaced, self.kept)
        ]
        return f"Replaced: {lists[0] or 'nothing'}." + (f" Kept: {lists[1]}." if lists[1] else "")


def order_labels(labels: Iterable[str]) -> list[str]:
    """Put classes in the order in which they are shown."""
    places = {label: place for place, label in enumerate(ALL_LABELS)}
    return sorted(set(labels), key=lambda label: (places.get(label, len(places)), label))


def find_bin(bounds: Sequence[float], value: float) -> str:
    return str(bounds[bisect_right(bounds, value) - 1])


def _get_source(source: str) -> str:
    parts = source.split("+")
    return "+".join(name for name in ALL_SOURCES if name in parts) or OTHER


def _generalise(reason: str) -> str:
    return PLACE.sub(r"\1\2…", reason)


def _sort(value: Any) -> Any:
    if isinstance(value, int):
        return value
    return {key: _sort(value[key]) for key in sorted(value)}
