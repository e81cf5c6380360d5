"""Finding of given values in a text: names, numbers and addresses, however they are written."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
import phonenumbers
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from .folding import fold_text
from .surrogates.casing import fold, to_ascii
from .surrogates.neighbours import Neighbours
from .surrogates.phone import read
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
# No name has more parts in a row, no other value more words, no number more digits: what is longer
# was taken for one by mistake, and is not looked for as a whole.
MOST_PARTS, MOST_WORDS, MOST_DIGITS = 8, 16, 32
# A key that so many values share, as a first name, is a hit of one of them where it stands alone.
MANY = 64
# A word is compared with so many values one by one, so many words at once; more are indexed, but
# those with two errors, which are only looked for in what is known of the participants.
FEW, BLOCK = 200, 256

# Least length of a value that tells something, by label: digits, letters.
MIN_PHONE, MIN_NAME, MIN_OTHER = 5, 2, 2
PID_LENGTHS = frozenset((4, 10, 12))
# What is written where nothing is known.
# fmt: off
PLACEHOLDERS = frozenset([
    "na", "nan", "nil", "nej", "inget", "ingen", "null", "none", "okänd", "okänt", "okända",
    "saknas", "ejkänd", "ejkänt", "ejangivet", "ejangiven", "ejaktuellt", "uppgiftsaknas",
    "vetej", "vetinte", "unknown", "undefined", "missing",
])
# fmt: on

# They read folded text.
TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|['’´`](?=[^\W\d_]))*|[0-9]+")
DIGITS = re.compile(r"[0-9Oo]+")
ADDRESS = re.compile(r"[^\s<>()\[\],;:]+")
POSTAL_CODE = re.compile(r"(?<![0-9])[0-9]{3}\s?[0-9]{2}(?![0-9])")
WITHIN = re.compile(r" {0,2}-? ?")
WITHIN_NUMBER = re.compile(r"[ \-/.()+]{0,4}")
COMMA = re.compile(r" ?, {0,2}")
STOP = re.compile(r"\. ?")
# The rest of a line without words.
LINE_END = re.compile(r"[ ,.!\-]*(?:\n|$)")
# People put spaces around the signs of an address, to keep machines from reading it.
SIGN = re.compile(r"\s?\.\s?|@\s*")
IN_ADDRESS, IN_DOMAIN = re.compile(r"[\w.+-]"), re.compile(r"[\w-]")


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


class Emails:
    """Addresses, found where they stand, also with spaces around their signs.

    addresses (Iterable[str]): The addresses.
    errors (int): The most typing errors.
    """

    def __init__(self, addresses: Iterable[str], errors: int) -> None:
        self.addresses = dict.fromkeys(_squeeze(fold(address))[0] for address in addresses)
        # How long the parts in front of the sign are, and by each of them, how long those behind.
        self._domains: dict[str, set[int]] = {}
        for address in self.addresses:
            local, at, domain = address.rpartition("@")
            if at:
                self._domains.setdefault(local, set()).add(len(domain))
        self._lengths = sorted({len(local) for local in self._domains})
        limits = {address: min(errors, len(address) // ONE_ERROR) for address in self.addresses}
        self._near = Near(limits)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the addresses.

        text (str): Folded text.
        YIELDS (Tuple[int, int]): Where one starts and ends. The same may come twice.
        """
        if not self.addresses or "@" not in text:
            return
        plain, places = _squeeze(text)
        lower = plain.lower()
        for match in re.finditer("@", lower):
            at = match.start()
            for length in self._lengths[: bisect_left(self._lengths, at + 1)]:
                first = at - length
                before = places[first] - 1
                if before >= 0 and IN_ADDRESS.match(text, before):
                    continue
                for behind in self._domains.get(lower[first:at], ()):
                    last = at + behind
                    if lower[first : last + 1] not in self.addresses:
                        continue
                    if not IN_DOMAIN.match(text, places[last] + 1):
                        yield places[first], places[last] + 1
        if self._near:
            for match in get_addresses(text):
                start, end = _strip(text, *match.span())
                if self._near.find([fold(text[start:end])]):
                    yield start, end


class Near:
    """Finds the keys that words are with typing errors.

    limits (Mapping[str, int]): How many errors each key may have.
    """

    def __init__(self, limits: Mapping[str, int]) -> None:
        one = [key for key, n in limits.items() if n == 1]
        self._one = Neighbours(one if len(one) > FEW else (), shortest=1)
        self._others = [key for key, n in limits.items() if n > 1 or (n and len(one) <= FEW)]
        self._limits = np.array([limits[key] for key in self._others], dtype=np.uint8)
        lengths = [len(key) for key, n in limits.items() if n] or [0]
        most = max(limits.values(), default=0)
        self._lengths = range(min(lengths) - most, max(lengths) + most + 1)

    def __bool__(self) -> bool:
        return bool(len(self._one) or self._others)

    def find(self, words: Iterable[str]) -> dict[str, list[str]]:
        """Find the keys.

        words (Iterable[str]): The words.
        RETURNS (Dict[str, List[str]]): The keys of those that have any, in their order.
        """
        if not self:
            return {}
        near: dict[str, list[str]] = {}
        some = [word for word in words if len(word) in self._lengths]
        for word in some:
            if found := self._one.find(word):
                near[word] = found
        for i in range(0, len(some) if self._others else 0, BLOCK):
            block = some[i : i + BLOCK]
            distances = cdist(
                block,
                self._others,
                scorer=OSA.distance,
                score_cutoff=int(self._limits.max()),
                dtype=np.uint8,
            )
            for row, column in np.argwhere(distances <= self._limits).tolist():
                near.setdefault(block[row], []).append(self._others[column])
        return near


class ValueFinder:
    """Finds values in texts, regardless of casing, genitive, accents, hyphens and separators, and
    with typing errors: one in a word of five letters, two in one of eight, one in a number. It
    reads the folded text.
    """

    def __init__(self, values: Iterable[tuple[str, str]], *, errors: int = 2) -> None:
        """Prepare the values.

        values (Iterable[Tuple[str, str]]): Pairs of a label and a value.
        errors (int): The most typing errors in a value.
        """
        self.phrases: list[Phrase] = []
        self.numbers: dict[str, str] = {}
        self.errors = errors
        # By key: the phrases that have it, and how many typing errors it may have.
        self.owners: dict[str, set[int]] = {}
        self.limits: dict[str, int] = {}
        emails: list[str] = []
        for label, value in dict.fromkeys(
            (label, fold_text(value).text) for label, value in values
        ):
            if label in ("PID", "PHONE"):
                self.numbers.update((key, label) for key in _get_number_keys(label, value))
            elif label == "EMAIL":
                emails.append(value)
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
        self.emails = Emails(emails, errors)
        self._most_words = max(
            (n for phrase in self.phrases for _, n in phrase.keys.values()), default=0
        )
        self._near = Near(self.limits)
        self._most_digits = max(map(len, self.numbers), default=0) + 1
        long = [number for number in self.numbers if errors and len(number) >= NUMBER_ERROR]
        self._near_numbers = Near(dict.fromkeys(long, 1))
        self._shared = {
            key: self._get_examples(key) for key, own in self.owners.items() if len(own) > MANY
        }

    def _add(
        self, label: str, keys: dict[str, tuple[frozenset[int], int]], weak: set[str], errors: int
    ) -> None:
        keys = {key: found for key, found in keys.items() if found[1] <= MOST_WORDS}
        for key in keys:
            self.owners.setdefault(key, set()).add(len(self.phrases))
            if limit := min(errors, (len(key) >= ONE_ERROR) + (len(key) >= TWO_ERRORS)):
                self.limits[key] = limit
        if keys:
            self.phrases.append(Phrase(label, keys, frozenset(weak), errors > 0))

    def _get_examples(self, key: str) -> set[int]:
        """One of each sort of the phrases that share a key."""
        sorts: dict[tuple[str, int, bool], int] = {}
        for owner in sorted(self.owners[key]):
            parts, n = self.phrases[owner].keys[key]
            sorts.setdefault((self.phrases[owner].label, n, len(parts) > 1), owner)
        return {*sorts.values()}

    def find(self, text: str) -> list[Hit]:
        """Find the values.

        text (str): The text.
        RETURNS (List[Hit]): The hits in order of their start. They may overlap.
        """
        folded = fold_text(text)
        text = folded.text
        hits = [*self._find_numbers(text)]
        hits += (Hit(*span, "EMAIL", EXACT) for span in self.emails.find(text))
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
        return sorted({Hit(*folded.to_original(start, end), *rest) for start, end, *rest in hits})

    def _find_phrases(self, text: str, words: Sequence[Word]) -> Iterator[Hit]:
        windows = self._get_windows(text, words)
        forms = {form: None for row in windows for _, *forms in row for form in forms}
        near = self._near.find(forms)
        keys = [
            {
                key
                for _, *forms in row
                for form in forms
                for key in (form, *near.get(form, ()))
                if key in self.owners
            }
            for row in windows
        ]
        starts: dict[int, list[int]] = {}
        for i, own in enumerate(keys):
            for owner in self._get_owners(own, keys[max(0, i - 1) : i + 2]) if own else ():
                starts.setdefault(owner, []).append(i)
        for owner, places in starts.items():
            phrase = self.phrases[owner]
            matches = _get_matches(phrase, text, words, [(i, windows[i]) for i in places], near)
            yield from _get_hits(phrase, text, words, matches)

    def _get_owners(self, own: set[str], around: Iterable[set[str]]) -> set[int]:
        """The phrases that have one of some keys. Of those that share one with many others, only
        those that have more of what is around it, and an example.
        """
        owners = {owner for key in own - self._shared.keys() for owner in self.owners[key]}
        for key in own & self._shared.keys():
            owners |= self._shared[key]
            for other in {key for keys in around for key in keys} - self._shared.keys():
                owners |= self.owners[key] & self.owners[other]
        return owners

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

    def _find_numbers(self, text: str) -> Iterator[Hit]:
        if not self.numbers:
            return
        groups = list(get_digit_groups(text))
        windows = []
        for i, first in enumerate(groups):
            digits = ""
            for j in range(i, len(groups)):
                end = groups[j - 1].end()
                if j > i and not WITHIN_NUMBER.fullmatch(text, end, groups[j].start()):
                    break
                if len(digits) + groups[j].end() - groups[j].start() > self._most_digits:
                    break
                digits += digits_of(groups[j][0])
                windows.append((i, j, digits, (first.start(), groups[j].end())))
        used: set[int] = set()
        near = self._near_numbers.find(dict.fromkeys(digits for _, _, digits, _ in windows))
        for kind in (EXACT, TYPO) if self.errors else (EXACT,):
            taken: set[int] = set()
            for i, j, digits, (start, end) in windows:
                number = digits if kind == EXACT else near.get(digits, ("",))[0]
                label = self.numbers.get(number)
                if label and used.isdisjoint(range(i, j + 1)):
                    taken.update(range(i, j + 1))
                    before = text[max(0, start - 1) : start]
                    if before == "+" or (before == "(" and ")" in text[start:end]):
                        start -= 1
                    yield Hit(start, end, label, kind)
            used |= taken


def tells(label: str, value: str) -> bool:
    """Whether a value tells anything: not `+46`, `-`, `okänd`. What is so short stands for many.

    label (str): One of the eight labels.
    value (str): The value.
    RETURNS (bool): Whether to look for it.
    """
    value = fold_text(value).text.strip()
    signs = [char for char in value.lower() if char.isalnum()]
    if len({*signs}) < 2 or "".join(signs) in PLACEHOLDERS:
        return False
    if label == "PHONE":
        return len(read(value).digits) >= MIN_PHONE
    if label == "PID":
        return len(digits_of(value)) in PID_LENGTHS
    if label == "EMAIL":
        return bool(next(get_addresses(re.sub(r"\s*@\s*", "@", value)), None))
    if label == "PERSON":
        return sum(map(str.isalpha, value)) >= MIN_NAME
    if label == "LOCATION":
        return bool(re.search(r"[^\W\d_]{3}", value) or POSTAL_CODE.search(value))
    return len(signs) >= MIN_OTHER


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


def _squeeze(text: str) -> tuple[str, list[int]]:
    """Leave out the spaces around the signs of addresses.

    RETURNS (Tuple[str, List[int]]): What is left, and where its characters stand in the text.
    """
    out: list[str] = []
    places: list[int] = []
    last = 0
    for match in SIGN.finditer(text):
        sign = "@" if match[0][0] == "@" else "."
        before = text[last : match.start()]
        before = before.rstrip() if sign == "@" else before
        out += (before, sign)
        places += range(last, last + len(before))
        places.append(match.start() + match[0].index(sign))
        last = match.end()
    return "".join(out) + text[last:], [*places, *range(last, len(text))]


def _get_name_keys(name: str) -> tuple[dict[str, tuple[frozenset[int], int]], set[str]]:
    """The parts of a name alone, in a row and, from the last part on, with the surname first."""
    last, comma, first = name.partition(",")
    words = [word.key for word in get_words(f"{first} {last}" if comma else name)]
    parts = [word for word in words if len(word) > 1 and word not in PARTICLES]
    weak = {word[0] for word in parts} | (set(words) - set(parts))
    everything = range(len(parts))
    ends = [everything[i : i + MOST_PARTS] for i in everything]
    rows = [everything[own[0] : end + 1] for own in ends for end in own]
    if len(parts) <= MOST_PARTS:
        rows.append([*everything[-1:], *everything[:-1]])
    keys: dict[str, tuple[frozenset[int], int]] = {}
    for indices in rows:
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
    if not 0 < len(digits) <= MOST_DIGITS:
        return set()
    if label == "PID":
        short = digits[-10:] if len(digits) in (10, 12) else digits
        centuries = ("", digits[:2]) if len(digits) == 12 else ("", "18", "19", "20")
        return {century + short for century in centuries}
    try:
        number = phonenumbers.parse(value, "SE")
    except phonenumbers.NumberParseException:
        return {digits}
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
    before = text[words[i - 1].end if i else 0 : words[i].start]
    line = before.rpartition("\n")[2]
    begins = i == 0 or "\n" in before
    slash = line.rstrip(" ,.!-").endswith("/")
    if (slash or begins and not line.strip(" ,.!-")) and LINE_END.match(text, words[end - 1].end):
        return True
    return i > 0 and not begins and words[i - 1].key in CUES


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
