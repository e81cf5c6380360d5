"""What in de-identified messages still tells who somebody is: rare things, by lists and patterns."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import srsly

from components.custom.custom_ruler import ALL, CustomRuler
from components.lists.lists import read_list
from components.measures.formats.registry import chat_language
from components.rules.regex import RunawayRegexError
from components.runs.in_files import Sources
from components.runs.rows import read_row
from components.runs.run_settings import Settings
from components.shared.labels import CUSTOM_KEY, OPTIONAL_LABELS
from components.shared.words import read_words

ASSETS = Path("assets")
FOLDER = Path("lab/stories")
# A list of phrases each, in a file of this name in small letters.
KINDS = ("DIAGNOSIS", "JOB", "EVENT", "FAMILY", "PROTECTED", "ACHIEVEMENT", "KEPT")
KEPT = KINDS[-1]
# What surrogates leave of places: a county stays a county.
KEPT_PLACES = ("county", "province", "continent")
# Letters of a phrase that takes endings; a shorter one would become another word.
LEAST = 5

# The words of a conversation, by kind.
Story = dict[str, list[str]]


class Find(NamedTuple):
    """Where something stands that may tell who somebody is, and of what kind it is."""

    start: int
    end: int
    kind: str


class StoryFinder:
    """Finds the phrases of lists, in the genitive and with endings, and what patterns find."""

    def __init__(self) -> None:
        words = read_words(str(FOLDER / "words"), "words.txt")
        lists = {
            name: read_list(ASSETS / "lists" / f"{name}.tsv") for name in ("places", "nationwide")
        }
        deny = {kind: [*_read_phrases(kind, words[kind])] for kind in KINDS}
        deny[KEPT] += [row["name"] for row in lists["places"] if row["kind"] in KEPT_PLACES]
        macros = ({"macro": name, "regex": "|".join(words[name])} for name in words.keys() - KINDS)
        patterns = [*macros, *srsly.read_jsonl(FOLDER / "patterns.jsonl")]
        self._nlp = chat_language()
        self._ruler = CustomRuler(self._nlp, patterns=patterns, deny=deny)
        self._ruler.initialize(list, patterns=srsly.read_jsonl(ASSETS / "optional_patterns.jsonl"))
        self._ruler.classes = ALL
        # What there is one of for all of the country tells nobody.
        self._nationwide = {row["name"].lower() for row in lists["nationwide"]}

    def find(self, text: str) -> list[Find]:
        """RETURNS (list[Find]): In order; of those of a kind that overlap the longest."""
        doc = self._ruler(self._nlp.make_doc(text))
        kept: list[Find] = []
        for span in sorted(doc.spans[CUSTOM_KEY], key=len, reverse=True):
            kind = KEPT if span.label_ in OPTIONAL_LABELS else span.label_
            find = Find(span.start_char, span.end_char, kind)
            is_new = not overlap(find, (other for other in kept if other.kind == kind))
            if is_new and span.text.lower() not in self._nationwide:
                kept.append(find)
        return sorted(kept)


def _read_phrases(kind: str, endings: Sequence[str]) -> Iterator[str]:
    """Read a list: phrases with commas between them, each also with the endings of its kind."""
    lines = (FOLDER / f"{kind.lower()}.txt").read_text(encoding="utf8").splitlines()
    for phrase in ", ".join(line for line in lines if not line.startswith("#")).split(", "):
        yield phrase
        if len(phrase) >= LEAST:
            yield from (phrase + ending for ending in endings)


def read_stories(
    sources: Sources, settings: Settings, finder: StoryFinder
) -> tuple[dict[str, Story], list[str]]:
    """Read tables, and gather what is left in each conversation. A row of none is one of its own.

    RETURNS (tuple[dict[str, Story], list[str]]): The conversations, those with most kinds first, then those with
        most words; which rows could not be read, and why.
    """
    stories: dict[str, Story] = {}
    rejects: list[str] = []
    for file, source in zip(sources.files, sources):
        for record in source.scan():
            row = read_row(record, record.line, settings)
            where = f"{file.name}, {source.counts} {record.line}"
            if row.reason:
                rejects.append(f"{where}: {row.reason}")
                continue
            story = stories.setdefault(row.conversation or where, {})
            for text in row.texts.values():
                try:
                    found = finder.find(text)
                except RunawayRegexError:
                    rejects.append(f"{where}: a pattern takes too long on it")
                    continue
                for start, end, kind in found:
                    # Each word once, in the order of the table.
                    word = " ".join(text[start:end].split())
                    story[kind] = [*dict.fromkeys([*story.get(kind, ()), word])]
    order = {name: (-len(own), -sum(map(len, own.values()))) for name, own in stories.items()}
    return {name: stories[name] for name in sorted(order, key=order.__getitem__)}, rejects


def overlap(find: Find, others: Iterable[Find]) -> bool:
    """Whether something stands where one of the others does."""
    return any(find.start < other.end and other.start < find.end for other in others)


def count_marks(
    found: Sequence[Find], first: Sequence[Find], second: Sequence[Find]
) -> Counter[tuple[str, bool]]:
    """Compare what was found in a message with the marks of two readers. A mark is found if anything that
    was found overlaps it, and what was found is right if either reader's mark does.

    RETURNS (Counter): How often it is so, and how often not, by measure.
    """
    counts: Counter[tuple[str, bool]] = Counter()
    for reader, marks, others in (("first", first, second), ("second", second, first)):
        for mark in marks:
            is_shared = overlap(mark, others)
            names = [f"recall of the {reader} reader", f"recall, {mark.kind}"]
            # Once, by the marks of the first.
            names += ["recall of both readers"] if is_shared and reader == "first" else []
            counts.update((name, overlap(mark, found)) for name in names)
            counts[f"the {reader} reader's marks that the other shares", is_shared] += 1
    for find in found:
        names = ["precision", f"precision, {find.kind}"]
        counts.update((name, overlap(find, [*first, *second])) for name in names)
    if first and second:
        counts["recall of messages", bool(found)] += 1
    return counts
