"""What in de-identified messages still tells who somebody is: rare things, found by the words of lists."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import srsly
from spacy.language import Language

from components.custom.custom_ruler import ALL, CustomRuler
from components.lists.lists import read_list
from components.runs.in_files import Sources
from components.runs.rows import read_row
from components.runs.run_settings import Settings
from components.shared.labels import CUSTOM_KEY, OPTIONAL_LABELS
from components.shared.words import read_words

ASSETS = Path("assets")
FOLDER = Path("lab/stories")
KEPT = "KEPT"
# A list of phrases each, `lab/stories/*.txt`, and patterns in `patterns.jsonl`.
KINDS = ("DIAGNOSIS", "JOB", "EVENT", "FAMILY", "PROTECTED", "ACHIEVEMENT", KEPT)
# What surrogates leave of places: a county stays a county.
KEPT_PLACES = ("county", "province", "continent")


class Find(NamedTuple):
    """Where something stands that may tell who somebody is, and of what kind it is."""

    start: int
    end: int
    kind: str


@dataclass
class Story:
    """What is left in a conversation.

    name (str): Its id; of a row without one, its file and number.
    rows (list[int]): The rows in which something was found.
    words (dict[str, list[str]]): By kind, in the order of the table.
    """

    name: str
    rows: list[int] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[int, int]:
        """RETURNS (tuple[int, int]): Rises with how much there is: several kinds before many words."""
        return len(self.words), sum(map(len, self.words.values()))


class StoryFinder:
    """Finds the words of the lists, with genitives and endings, and what patterns find."""

    def __init__(self, nlp: Language, folder: Path = FOLDER, assets: Path = ASSETS) -> None:
        """nlp (Language): For its tokenizer; no pipe is needed."""
        self._make_doc = nlp.make_doc
        words = read_words(str(folder / "words"), "words.txt")
        deny = {kind: [*_read_phrases(folder, kind, words)] for kind in KINDS}
        places = read_list(assets / "lists" / "places.tsv")
        deny[KEPT] += [row["name"] for row in places if row["kind"] in KEPT_PLACES]
        macros = [{"macro": name, "regex": "|".join(words[name])} for name in words if name.islower()]
        patterns: list[dict[str, Any]] = [*macros, *srsly.read_jsonl(folder / "patterns.jsonl")]
        # What is the same for all of the country tells nobody.
        nationwide = [row["name"] for row in read_list(assets / "lists" / "nationwide.tsv")]
        self._ruler = CustomRuler(nlp, patterns=patterns, deny=deny)
        self._ruler.initialize(list, patterns=srsly.read_jsonl(assets / "optional_patterns.jsonl"))
        self._ruler.classes = ALL
        self._nationwide = {name.lower() for name in nationwide}

    def find(self, text: str) -> list[Find]:
        """RETURNS (list[Find]): In order; of those of a kind that overlap the longest."""
        doc = self._ruler(self._make_doc(text))
        found = [
            Find(span.start_char, span.end_char, KEPT if span.label_ in OPTIONAL_LABELS else span.label_)
            for span in doc.spans[CUSTOM_KEY]
            if span.text.lower() not in self._nationwide
        ]
        kept: list[Find] = []
        for one in sorted(found, key=lambda find: find.start - find.end):
            if not any(one.kind == k.kind and one.start < k.end and k.start < one.end for k in kept):
                kept.append(one)
        return sorted(kept)


def _read_phrases(folder: Path, kind: str, words: dict[str, list[str]]) -> Iterator[str]:
    """Read a list: phrases with commas between them, each also with the endings of its kind."""
    lines = (folder / f"{kind.lower()}.txt").read_text(encoding="utf8").splitlines()
    phrases = ",".join(line for line in lines if not line.startswith("#")).split(",")
    for phrase in filter(None, map(str.strip, phrases)):
        yield phrase
        yield from (phrase + ending for ending in words[kind])


def read_stories(
    sources: Sources, settings: Settings, finder: StoryFinder
) -> tuple[list[Story], int, list[str]]:
    """Read tables, and gather by conversation what is left in them.

    RETURNS (tuple[list[Story], int, list[str]]): The conversations in which something was found, those with most
        kinds and words first; how many were read; the rows that could not be, and why.
    """
    stories: dict[str, Story] = {}
    rejects = []
    for file, source in zip(sources.files, sources):
        for number, record in enumerate(source.scan(), 1):
            row = read_row(record, number, settings)
            where = f"{file.name}, {source.counts} {record.line}"
            if row.reason:
                rejects.append(f"{where}: {row.reason}")
                continue
            story = stories.setdefault(row.conversation or where, Story(row.conversation or where))
            for text in row.texts.values():
                for start, end, kind in finder.find(text):
                    words = story.words.setdefault(kind, [])
                    if (word := " ".join(text[start:end].split())) not in words:
                        words.append(word)
                    if record.line not in story.rows:
                        story.rows.append(record.line)
    # Sorting keeps the order of the table where the rank is the same.
    found = sorted((story for story in stories.values() if story.words), key=_get_order)
    return found, len(stories), rejects


def _get_order(story: Story) -> tuple[int, int]:
    return -story.rank[0], -story.rank[1]


Marks = Sequence[Find]


def overlap(one: Find, others: Iterable[Find]) -> bool:
    """Whether something stands where one of the others does."""
    return any(one.start < other.end and other.start < one.end for other in others)


def count_marks(
    found: Sequence[Marks], first: Sequence[Marks], second: Sequence[Marks]
) -> dict[str, tuple[int, int]]:
    """Compare what was found in messages with the marks of two readers.

    RETURNS (dict[str, tuple[int, int]]): Of each measure the hits, and of how many. A mark is found if anything
        that was found overlaps it, of any kind. `recall, both` is of marks of the first reader that the
        second shares; `precision, either` of what was found.
    """
    counts: dict[str, tuple[int, int]] = {}

    def add(name: str, is_hit: bool) -> None:
        hits, units = counts.get(name, (0, 0))
        counts[name] = hits + is_hit, units + 1

    for own, one, other in zip(found, first, second):
        for reader, marks, others in (("first", one, other), ("second", other, one)):
            for mark in marks:
                is_found, is_shared = overlap(mark, own), overlap(mark, others)
                add(f"recall, {reader} reader", is_found)
                add("marks that the other reader shares", is_shared)
                if is_shared and reader == "first":
                    add("recall, both", is_found)
                    add(f"recall, both, {mark.kind}", is_found)
                    same = [other for other in others if overlap(mark, [other])]
                    add("shared marks of one kind", any(mark.kind == other.kind for other in same))
        for find in own:
            add("precision, either", overlap(find, (*one, *other)))
            add("precision, both", overlap(find, one) and overlap(find, other))
            add(f"precision, either, {find.kind}", overlap(find, (*one, *other)))
        if one and other:
            add("recall of messages, both", bool(own))
        if own:
            add("precision of messages, either", bool(one or other))
    return counts
