"""Finds known values that are made of words: names, addresses, places."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from rapidfuzz.distance import OSA

from ..text.casing import to_ascii
from ..text.compounds import PARTICLES
from ..text.numbers import POSTAL_CODE
from ..text.validators import digits_of
from .typo_finder import ONE_ERROR
from .words import EXACT, TYPO, WORD, WORDS, Hit, Word, get_words

# These words are a hit only next to another part of the name. `Du` and `Le` are names of their own.
SILENT = PARTICLES - {"du", "le"} | {"dr", "doktor", "fru", "herr"}
# A lower-case word after one of these is a name.
CUES = frozenset(WORDS["cues"])
# A longer row of parts is no name, and is not looked for as a whole.
MOST_PARTS = 8

WITHIN = re.compile(r" {0,2}-? ?|_")
COMMA = re.compile(r" ?, {0,2}")
STOP = re.compile(r"\. ?")
# The rest of a line without words.
LINE_END = re.compile(r"[ ,.!\-]*(?:\n|$)")

# The end of a row of words, the words written together, the same without a genitive, and whole names
# within a word.
Window = tuple[int, Sequence[str]]
# Words written together: which parts they stand for, and of how many words they are.
Keys = dict[str, tuple[frozenset[int], int]]


class Phrase(NamedTuple):
    """A value made of words. Weak words only count next to a key."""

    label: str
    keys: Keys
    weak: frozenset[str]
    typos: bool


class Match(NamedTuple):
    """Words from one index to another that are a key of a phrase."""

    start: int
    end: int
    parts: frozenset[int]
    kind: str


def get_name_keys(name: str) -> tuple[Keys, set[str]]:
    """The keys of a name: its parts alone and in rows; and its weak words and initials."""
    last, comma, first = name.partition(",")
    words = [word.key for word in get_words(f"{first} {last}" if comma else name)]
    parts = [word for word in words if len(word) > 1 and word not in SILENT]
    weak = {word[0] for word in parts} | (set(words) - set(parts))
    everything = range(len(parts))
    ends = [everything[i : i + MOST_PARTS] for i in everything]
    rows: list[Sequence[int]] = [everything[own[0] : end + 1] for own in ends for end in own]
    if len(parts) <= MOST_PARTS:
        rows.append([*everything[-1:], *everything[:-1]])
    if len(parts) > 2:
        # Without the names between.
        rows += [0, everything[-1]], [everything[-1], 0]
    return _make_keys((indices, [parts[i] for i in indices]) for indices in rows), weak


def get_address_keys(piece: str) -> tuple[Keys, set[str]]:
    """Get the street in front of the number and the town behind it, each as a whole."""
    words = [word.key for word in get_words(piece)]
    rows: list[list[str]] = [[]]
    for word in words:
        if word.isdigit():
            rows.append([])
        elif len(word) > 2 or not rows[-1] and len(words) == 1:
            rows[-1].append(word)
    rows = [row for row in rows if row and "".join(row) != "lgh"]
    weak = set(words) - {word for row in rows for word in row}
    weak |= {digits_of(code) for code in POSTAL_CODE.findall(piece)}
    return _make_keys(([i], row) for i, row in enumerate(rows)), weak


def _make_keys(rows: Iterable[tuple[Iterable[int], Sequence[str]]]) -> Keys:
    """The words of rows written together, also in the letters of addresses, by the parts that they are."""
    keys: Keys = {}
    for indices, row in rows:
        for key in ("".join(row), "".join(map(to_ascii, row))):
            if key:
                keys.setdefault(key, (frozenset(indices), len(row)))
    return keys


def find_phrase(
    phrase: Phrase,
    text: str,
    words: Sequence[Word],
    windows: Iterable[tuple[int, list[Window]]],
    near: Mapping[str, Sequence[str]],
) -> Iterator[Hit]:
    """Find a phrase."""
    runs: list[list[Match]] = []
    end = 0
    for i, row in windows:
        if i < end:
            continue
        match = _match_exactly(phrase, text, words, i, row) or _match_nearly(phrase, i, row, near)
        if match is None:
            continue
        end = match.end
        if runs and _may_follow(phrase, text, words, runs[-1], match):
            runs[-1].append(match)
        else:
            runs.append([match])
    end = 0
    for run, following in zip_longest(runs, runs[1:]):
        stop = following[0].start if following else len(words)
        start, end = _grow(phrase, text, words, (run[0].start, run[-1].end), (end, stop))
        kinds = [match.kind for match in run]
        kind = EXACT if len(run) > 1 or EXACT in kinds else kinds[0]
        yield Hit(words[start].start, words[end - 1].end, phrase.label, kind)


def _match_exactly(
    phrase: Phrase, text: str, words: Sequence[Word], i: int, row: Iterable[Window]
) -> Match | None:
    for end, forms in row:
        for form in forms:
            if form in phrase.keys:
                parts, _ = phrase.keys[form]
                sure = words[i].upper or end - i > 1 or len(parts) > 1
                sure = sure or not form.isalpha() or _is_expected(text, words, i, end)
                return Match(i, end, parts, EXACT if sure else WORD)
    return None


def _match_nearly(
    phrase: Phrase, i: int, row: Iterable[Window], near: Mapping[str, Sequence[str]]
) -> Match | None:
    for end, forms in row:
        for key in sorted({key for form in forms for key in near.get(form, ())}):
            parts, n = phrase.keys.get(key, (frozenset(), 0))
            if n == end - i:
                return Match(i, end, parts, TYPO)
    return None


def _is_expected(text: str, words: Sequence[Word], i: int, end: int) -> bool:
    """Whether a name is expected here: after a greeting or `heter`, or alone on its line."""
    before = text[words[i - 1].end if i else 0 : words[i].start]
    line = before.rpartition("\n")[2]
    begins = i == 0 or "\n" in before
    if text[: words[i].start].endswith(("@", "#")):
        return True
    slash = line.rstrip(" ,.!-").endswith("/")
    if (slash or begins and not line.strip(" ,.!-")) and LINE_END.match(text, words[end - 1].end):
        return True
    return i > 0 and not begins and words[i - 1].key in CUES


def is_within(text: str, left: Word, right: Word) -> bool:
    """Whether words may be of one name. A dot joins in `anna.ek`, and ends a sentence in `Anna.Nu`."""
    between = WITHIN.fullmatch(text, left.end, right.start)
    return bool(between) or (not right.upper and text[left.end : right.start] == ".")


def _is_joined(phrase: Phrase, text: str, left: Word, right: Word) -> bool:
    if is_within(text, left, right):
        return True
    initial = phrase.label == "PERSON" and len(left.key) == 1
    return initial and bool(STOP.fullmatch(text, left.end, right.start))


def _may_follow(
    phrase: Phrase, text: str, words: Sequence[Word], run: Sequence[Match], match: Match
) -> bool:
    """Whether a match goes on with the name that a run of matches began."""
    taken = frozenset[int]().union(*(earlier.parts for earlier in run))
    end = run[-1].end
    between = words[end : match.start]
    if not taken.isdisjoint(match.parts) or any(not _is_weak(phrase, word) for word in between):
        return False
    surname_first = phrase.label == "PERSON" and not between and min(taken) > max(match.parts)
    if surname_first and COMMA.fullmatch(text, words[end - 1].end, words[end].start):
        return True
    row = [words[end - 1], *between, words[match.start]]
    return all(_is_joined(phrase, text, a, b) for a, b in pairwise(row))


def _is_weak(phrase: Phrase, word: Word) -> bool:
    if phrase.label != "PERSON":
        return word.key in phrase.weak
    if not word.upper:
        return len(word.key) > 1 and word.key in phrase.weak
    # A short name with a typing error.
    return word.key in phrase.weak or any(
        n == 1 and len(key) == ONE_ERROR - 1 and OSA.distance(word.key, key, score_cutoff=1) <= 1
        for key, (_, n) in phrase.keys.items()
        if phrase.typos
    )


def _grow(
    phrase: Phrase,
    text: str,
    words: Sequence[Word],
    ends: tuple[int, int],
    limits: tuple[int, int],
) -> tuple[int, int]:
    """Add the weak words on both sides, up to the words of other hits."""
    start, end = ends
    while start > limits[0] and _is_weak(phrase, words[start - 1]):
        if not _is_joined(phrase, text, words[start - 1], words[start]):
            break
        start -= 1
    while end < limits[1] and _is_weak(phrase, words[end]):
        if not _is_joined(phrase, text, words[end - 1], words[end]):
            break
        end += 1
    return start, end
