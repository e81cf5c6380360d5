"""Finding of given values in a text: names, numbers and addresses, however they are written."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
import phonenumbers
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist, extractOne

from .surrogates.casing import fold, to_ascii
from .validators import digits_of

# How sure a hit is. EXACT: the value itself, capitalised, as several words or where a name is
# expected. WORD: one word in lower case, which may be an ordinary word. TYPO: with typing errors.
EXACT, WORD, TYPO = "exact", "word", "typo"

# They belong to a name, but do not tell it: only next to another part of it are they a hit.
# fmt: off
PARTICLES = frozenset([
    "af", "av", "von", "de", "del", "la", "van", "der", "den", "al", "el", "bin", "ibn",
    "abu", "dr", "doktor", "fru", "herr",
])
# In front of them or alone on its line a lower-case word is a name.
CUES = frozenset([
    "hej", "hejsan", "tjena", "hallå", "heter", "hette", "kallas", "namn", "namnet", "mvh",
    "vh", "hälsar", "hälsning", "hälsningar", "hälsn", "vänligen", "kram",
])
# fmt: on
# Least length of a word with one typing error, with two; least number of digits with one.
ONE_ERROR, TWO_ERRORS, NUMBER_ERROR = 5, 8, 9

TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f]|['’´`](?=[^\W\d_]))*|[0-9]+")
DIGITS = re.compile(r"[0-9Oo]+")
ADDRESS = re.compile(r"[^\s<>()\[\],;:]+")
POSTAL_CODE = re.compile(r"(?<![0-9])[0-9]{3}\s?[0-9]{2}(?![0-9])")
SPACE = r"[ \t\u00a0]"
WITHIN = re.compile(rf"{SPACE}{{0,2}}[-‐-―]?{SPACE}?")
WITHIN_NUMBER = re.compile(r"[ \t\u00a0\-‐-―−/.()+]{0,4}")
COMMA = re.compile(rf"{SPACE}?,{SPACE}{{0,2}}")
STOP = re.compile(rf"\.{SPACE}?")


class Hit(NamedTuple):
    """A stretch of characters that is one of the values."""

    start: int
    end: int
    label: str
    kind: str


class Word(NamedTuple):
    """A word of the text, folded, and what it is without a genitive."""

    start: int
    end: int
    key: str
    base: str
    upper: bool


# Where a row of words ends, the words written together, and the same without a genitive.
Window = tuple[int, str, str]


class Phrase(NamedTuple):
    """A value made of words. Each key, words written together, says which parts it stands for and
    of how many words it is; weak words only count next to a key.
    """

    label: str
    keys: dict[str, tuple[frozenset[int], int]]
    weak: frozenset[str]
    typos: bool


class Match(NamedTuple):
    """Words from one index to another that are a key of a phrase."""

    start: int
    end: int
    parts: frozenset[int]
    kind: str


class ValueFinder:
    """Finds values in texts, regardless of casing, genitive, accents, hyphens and separators, and
    with typing errors: one in a word of five letters, two in one of eight, one in a number.
    """

    def __init__(self, values: Iterable[tuple[str, str]], *, errors: int = 2) -> None:
        """Prepare the values.

        values (Iterable[Tuple[str, str]]): Pairs of a label and a value.
        errors (int): The most typing errors in a value.
        """
        self.phrases: list[Phrase] = []
        self.numbers: dict[str, str] = {}
        self.emails: set[str] = set()
        self.errors = errors
        # By key: the phrases that have it, and how many typing errors it may have.
        self.owners: dict[str, set[int]] = {}
        self.limits: dict[str, int] = {}
        for label, value in dict.fromkeys(values):
            if label in ("PID", "PHONE"):
                self.numbers.update((key, label) for key in _get_number_keys(label, value))
            elif label == "EMAIL":
                self.emails.add(fold(value))
            elif label == "PERSON":
                self._add(label, *_get_name_keys(value), errors)
            elif label == "LOCATION":
                for piece in re.split(r"[,;\n]", value):
                    self._add(label, *_get_address_keys(piece), errors)
                    for code in POSTAL_CODE.findall(piece):
                        self.numbers[digits_of(code)] = label
            else:
                words = [word.key for word in get_words(value)]
                key = "".join(words)
                self._add(label, {key: (frozenset([0]), len(words))} if key else {}, set(), 0)
        self._most_words = max(
            (n for phrase in self.phrases for _, n in phrase.keys.values()), default=0
        )
        # The keys that may have typing errors, as the comparison takes them.
        self._near_keys = list(self.limits)
        self._near_limits = np.array([*self.limits.values()], dtype=np.uint8)
        lengths = [*map(len, self.limits)] or [0]
        self._near_lengths = range(min(lengths) - errors, max(lengths) + errors + 1)
        self._long_numbers = [number for number in self.numbers if len(number) >= NUMBER_ERROR]

    def _add(
        self, label: str, keys: dict[str, tuple[frozenset[int], int]], weak: set[str], errors: int
    ) -> None:
        for key in keys:
            self.owners.setdefault(key, set()).add(len(self.phrases))
            if limit := min(errors, (len(key) >= ONE_ERROR) + (len(key) >= TWO_ERRORS)):
                self.limits[key] = limit
        if keys:
            self.phrases.append(Phrase(label, keys, frozenset(weak), errors > 0))

    def find(self, text: str) -> list[Hit]:
        """Find the values.

        text (str): The text.
        RETURNS (List[Hit]): The hits in order of their start. They may overlap.
        """
        hits = [*self._find_numbers(text), *self._find_emails(text)]
        if self.phrases:
            words = get_words(text)
            starts = [word.start for word in words]
            outside: list[Word] = []
            last = 0
            for match in get_addresses(text):
                start, end = _strip(text, *match.span())
                first = bisect_left(starts, start)
                outside += words[last:first]
                last = bisect_left(starts, end)
                # A name in an e-mail address makes the address a hit.
                if any(hit.kind != TYPO for hit in self._find_phrases(text, words[first:last])):
                    hits.append(Hit(start, end, "EMAIL", EXACT))
            hits.extend(self._find_phrases(text, outside + words[last:]))
        return sorted(set(hits))

    def _find_phrases(self, text: str, words: Sequence[Word]) -> Iterator[Hit]:
        windows = self._get_windows(text, words)
        near = self._get_near_keys(windows)
        starts: dict[int, list[int]] = {}
        for i, row in enumerate(windows):
            keys = {
                key for _, *forms in row for form in forms for key in (form, *near.get(form, ()))
            }
            for owner in {owner for key in keys for owner in self.owners.get(key, ())}:
                starts.setdefault(owner, []).append(i)
        for owner, places in starts.items():
            phrase = self.phrases[owner]
            matches = _get_matches(phrase, text, words, [(i, windows[i]) for i in places], near)
            yield from _get_hits(phrase, text, words, matches)

    def _get_windows(self, text: str, words: Sequence[Word]) -> list[list[Window]]:
        """For each word the windows that begin with it, up to the length of the longest key."""
        windows = []
        for i in range(len(words)):
            key, row = "", []
            for j in range(i, min(i + self._most_words, len(words))):
                if j > i and not WITHIN.fullmatch(text, words[j - 1].end, words[j].start):
                    break
                row.append((j + 1, key + words[j].key, key + words[j].base))
                key += words[j].key
            windows.append(row[::-1])
        return windows

    def _get_near_keys(self, windows: Iterable[list[Window]]) -> dict[str, set[str]]:
        """For each form of a window the keys that it is with typing errors."""
        if not self.limits:
            return {}
        forms = {form for row in windows for _, *forms in row for form in forms}
        some = [form for form in sorted(forms) if len(form) in self._near_lengths]
        distances = cdist(
            some, self._near_keys, scorer=OSA.distance, score_cutoff=self.errors, dtype=np.uint8
        )
        near: dict[str, set[str]] = {}
        for i, j in np.argwhere(distances <= self._near_limits).tolist():
            near.setdefault(some[i], set()).add(self._near_keys[j])
        return near

    def _find_numbers(self, text: str) -> Iterator[Hit]:
        if not self.numbers:
            return
        groups = list(get_digit_groups(text))
        longest = max(map(len, self.numbers)) + 1
        windows = []
        for i, first in enumerate(groups):
            digits = ""
            for j in range(i, len(groups)):
                end = groups[j - 1].end()
                if j > i and not WITHIN_NUMBER.fullmatch(text, end, groups[j].start()):
                    break
                digits += digits_of(groups[j][0])
                if len(digits) > longest:
                    break
                windows.append((i, j, digits, (first.start(), groups[j].end())))
        used: set[int] = set()
        for near in (False, True) if self.errors else (False,):
            taken: set[int] = set()
            for i, j, digits, (start, end) in windows:
                label = self._get_near(digits) if near else self.numbers.get(digits)
                if label and used.isdisjoint(range(i, j + 1)):
                    taken.update(range(i, j + 1))
                    before = text[max(0, start - 1) : start]
                    if before == "+" or (before == "(" and ")" in text[start:end]):
                        start -= 1
                    yield Hit(start, end, label, TYPO if near else EXACT)
            used |= taken

    def _get_near(self, digits: str) -> str | None:
        if len(digits) < NUMBER_ERROR - 1:
            return None
        near = extractOne(digits, self._long_numbers, scorer=OSA.distance, score_cutoff=1)
        return self.numbers[near[0]] if near else None

    def _find_emails(self, text: str) -> Iterator[Hit]:
        if not self.emails or "@" not in text:
            return
        for email in self.emails:
            # Spaces around the signs, as people write them to keep machines from reading it.
            regex = r"\s*@\s*".join(
                r"\s?\.\s?".join(map(re.escape, part.split("."))) for part in email.split("@")
            )
            for match in re.finditer(rf"(?<![\w.+-]){regex}(?![\w-])", text, re.IGNORECASE):
                yield Hit(*match.span(), "EMAIL", EXACT)
        for match in get_addresses(text) if self.errors else ():
            start, end = _strip(text, *match.span())
            found = fold(text[start:end])
            if any(
                OSA.distance(found, email, score_cutoff=limit) <= limit
                for email in self.emails
                if (limit := min(self.errors, len(email) // ONE_ERROR))
            ):
                yield Hit(start, end, "EMAIL", EXACT)


def get_words(text: str) -> list[Word]:
    """Split a text into words and numbers.

    text (str): The text.
    RETURNS (List[Word]): The words.
    """
    words = []
    for match in TOKEN.finditer(text):
        key = fold(match[0])
        base = re.sub(r"'?s$", "", key) if len(key) > 2 else key
        words.append(Word(*match.span(), key, base, match[0][0].isupper()))
    return words


def get_addresses(text: str) -> Iterator[re.Match]:
    """Find what may be an e-mail address: an @ with something on both sides of it.

    text (str): The text.
    YIELDS (re.Match): The addresses.
    """
    return (match for match in ADDRESS.finditer(text) if "@" in match[0][1:-1])


def get_digit_groups(text: str) -> Iterator[re.Match]:
    """Find runs of digits, among which the letter O may stand for a zero.

    text (str): The text.
    YIELDS (re.Match): The runs.
    """
    return (match for match in DIGITS.finditer(text) if any(map(str.isdigit, match[0])))


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in ".,!?'\"":
        end -= 1
    while start < end and text[start] in ".,!?'\"/":
        start += 1
    return start, end


def _get_name_keys(name: str) -> tuple[dict[str, tuple[frozenset[int], int]], set[str]]:
    """The parts of a name alone, in a row and, from the last part on, with the surname first."""
    last, comma, first = name.partition(",")
    words = [word.key for word in get_words(f"{first} {last}" if comma else name)]
    parts = [word for word in words if len(word) > 1 and word not in PARTICLES]
    weak = {word[0] for word in parts} | (set(words) - set(parts))
    everything = range(len(parts))
    rows = [(i, j) for i in everything for j in range(i + 1, len(parts) + 1)]
    keys: dict[str, tuple[frozenset[int], int]] = {}
    for indices in [*([*range(i, j)] for i, j in rows), [*everything[-1:], *everything[:-1]]]:
        row = [parts[i] for i in indices]
        for key in ("".join(row), "".join(map(to_ascii, row))):
            if key:
                keys.setdefault(key, (frozenset(indices), len(row)))
    return keys, weak


def _get_address_keys(piece: str) -> tuple[dict[str, tuple[frozenset[int], int]], set[str]]:
    """The street in front of the number and the town behind it, each as a whole."""
    words = [word.key for word in get_words(piece)]
    rows: list[list[str]] = [[]]
    for word in words:
        if word.isdigit():
            rows.append([])
        elif len(word) > 2 or not rows[-1] and len(words) == 1:
            rows[-1].append(word)
    rows = [row for row in rows if row and "".join(row) != "lgh"]
    keys = {}
    for i, row in enumerate(rows):
        for key in ("".join(row), "".join(map(to_ascii, row))):
            if key:
                keys.setdefault(key, (frozenset([i]), len(row)))
    weak = set(words) - {word for row in rows for word in row}
    return keys, weak | {digits_of(code) for code in POSTAL_CODE.findall(piece)}


def _get_number_keys(label: str, value: str) -> set[str]:
    """The ways to write a number, without its separators."""
    digits = digits_of(value)
    if label == "PID":
        short = digits[-10:] if len(digits) in (10, 12) else digits
        centuries = ("", digits[:2]) if len(digits) == 12 else ("", "18", "19", "20")
        return {century + short for century in centuries if short}
    try:
        number = phonenumbers.parse(value, "SE")
    except phonenumbers.NumberParseException:
        return {digits} - {""}
    core, country = str(number.national_number), str(number.country_code)
    prefixes = ["0", country, f"{country}0", f"00{country}", f"00{country}0"]
    return {digits, *(prefix + core for prefix in prefixes), *([core] if len(core) > 7 else [])}


def _get_hits(
    phrase: Phrase, text: str, words: Sequence[Word], matches: Iterable[Match]
) -> Iterator[Hit]:
    runs: list[list[Match]] = []
    for match in matches:
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


def _get_matches(
    phrase: Phrase,
    text: str,
    words: Sequence[Word],
    windows: Iterable[tuple[int, list[Window]]],
    near: Mapping[str, set[str]],
) -> Iterator[Match]:
    end = 0
    for i, row in windows:
        if i < end:
            continue
        match = _match_exactly(phrase, text, words, i, row) or _match_nearly(phrase, i, row, near)
        if match is not None:
            yield match
            end = match.end


def _match_exactly(
    phrase: Phrase, text: str, words: Sequence[Word], i: int, row: Iterable[Window]
) -> Match | None:
    for end, *forms in row:
        for form in forms:
            if form in phrase.keys:
                parts, _ = phrase.keys[form]
                sure = words[i].upper or end - i > 1 or len(parts) > 1
                sure = sure or not form.isalpha() or _is_expected(text, words, i, end)
                return Match(i, end, parts, EXACT if sure else WORD)
    return None


def _match_nearly(
    phrase: Phrase, i: int, row: Iterable[Window], near: Mapping[str, set[str]]
) -> Match | None:
    for end, *forms in row:
        for key in sorted({key for form in forms for key in near.get(form, ())}):
            parts, n = phrase.keys.get(key, ((), 0))
            if n == end - i:
                return Match(i, end, parts, TYPO)
    return None


def _is_expected(text: str, words: Sequence[Word], i: int, end: int) -> bool:
    """Whether a name is expected here: after a greeting or `heter`, or alone on its line."""
    start, stop = words[i].start, words[end - 1].end
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", stop)
    before = text[line_start:start].strip(" \t,.!-–")
    after = text[stop : line_end if line_end >= 0 else len(text)].strip(" \t,.!-–")
    if not after and (not before or before.endswith("/")):
        return True
    return i > 0 and words[i - 1].key in CUES and words[i - 1].start >= line_start


def _is_joined(phrase: Phrase, text: str, left: Word, right: Word) -> bool:
    if WITHIN.fullmatch(text, left.end, right.start):
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
