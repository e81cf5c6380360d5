"""Finds given values in a text: names, numbers and addresses, however they are written."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from ..text.folding import Folded, fold_text
from ..text.numbers import POSTAL_CODE
from ..text.validators import digits_of
from .email_finder import EmailFinder, get_addresses, strip_address
from .number_finder import NumberFinder, get_number_keys
from .phrase_finder import (
    Keys,
    Phrase,
    Window,
    find_phrase,
    get_address_keys,
    get_name_keys,
    is_within,
)
from .typo_finder import ONE_ERROR, TWO_ERRORS, TypoFinder
from .words import EXACT, TYPO, Hit, Word, get_words

# A longer value is not looked for as a whole.
MOST_WORDS = 16
# Letters of first name and surname that are looked for within a word, of a part of them, and of such
# a word.
MIN_WHOLE, MIN_PART, LONGEST = 8, 5, 60
# Handles, hash tags, web addresses, files.
STRETCH, ADDRESSED = re.compile(r"\S+"), re.compile(r"^[(\"]?[@#]|https?://|www\.|\w[._]\w")
# If more values share a key, such as a first name, only an example of them is looked for where the
# key stands alone.
MANY = 64


class ValueFinder:
    """Finds values regardless of case, genitive, accents and separators, with a slip or two."""

    def __init__(self, values: Iterable[tuple[str, str]], *, errors: int = 2) -> None:
        """Prepare pairs of a label and a value, with the most typing errors in a value."""
        self.phrases: list[Phrase] = []
        numbers: dict[str, str] = {}
        # By key: the phrases that have it, and the most typing errors.
        self.owners: dict[str, set[int]] = {}
        self.limits: dict[str, int] = {}
        emails: list[str] = []
        for label, value in dict.fromkeys(
            (label, fold_text(value).text) for label, value in values
        ):
            if label in ("PID", "PHONE"):
                numbers.update((key, label) for key in get_number_keys(label, value))
            elif label == "EMAIL":
                emails.append(value)
            elif label == "PERSON":
                self._add(label, *get_name_keys(value), errors)
            elif label == "LOCATION":
                for piece in re.split(r"[,;\n]", value):
                    self._add(label, *get_address_keys(piece), errors)
                    for code in POSTAL_CODE.findall(piece):
                        numbers[digits_of(code)] = label
            else:
                words = [word.key for word in get_words(value)]
                key = "".join(words)
                self._add(label, {key: (frozenset([0]), len(words))} if key else {}, set(), 0)
        self.emails = EmailFinder(emails, errors)
        self.numbers = NumberFinder(numbers, errors)
        self._most_words = max(
            (n for phrase in self.phrases for _, n in phrase.keys.values()), default=0
        )
        names = [
            (key, len(parts))
            for phrase in self.phrases
            for key, (parts, _) in phrase.keys.items()
            if phrase.label == "PERSON"
        ]
        self._whole = {key for key, n in names if n > 1 and len(key) >= MIN_WHOLE}
        self._parts = {key for key, n in names if n == 1 and len(key) >= MIN_PART}
        self._lengths = sorted({*map(len, self._whole)})
        self._near = TypoFinder(self.limits)
        self._shared = {
            key: self._get_examples(key) for key, own in self.owners.items() if len(own) > MANY
        }

    def _add(self, label: str, keys: Keys, weak: set[str], errors: int) -> None:
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

    def find(self, text: str | Folded) -> list[Hit]:
        """Find the values, in order of their start. They may overlap."""
        folded = text if isinstance(text, Folded) else fold_text(text)
        text = folded.text
        hits = [*self.numbers.find(text)]
        hits += (Hit(*span, "EMAIL", EXACT) for span in self.emails.find(text))
        if self.phrases:
            words = get_words(text)
            starts = [word.start for word in words]
            outside: list[Word] = []
            last = 0
            for match in get_addresses(text):
                start, end = strip_address(text, *match.span())
                first = bisect_left(starts, start)
                outside += words[last:first]
                last = bisect_left(starts, end)
                # An e-mail address with a name in it is a hit as a whole.
                if any(hit.kind != TYPO for hit in self._find_phrases(text, words[first:last])):
                    hits.append(Hit(start, end, "EMAIL", EXACT))
            hits.extend(self._find_phrases(text, outside + words[last:]))
        return sorted({Hit(*folded.to_original(start, end), *rest) for start, end, *rest in hits})

    def _find_phrases(self, text: str, words: Sequence[Word]) -> Iterator[Hit]:
        windows = self._get_windows(text, words)
        forms = {form: None for row in windows for _, forms in row for form in forms}
        near = self._near.find(forms)
        keys = [
            {
                key
                for _, forms in row
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
            yield from find_phrase(phrase, text, words, [(i, windows[i]) for i in places], near)

    def _get_owners(self, own: set[str], around: Iterable[set[str]]) -> set[int]:
        """The phrases with some keys; of those that share one with many, only fitting ones."""
        owners = {owner for key in own - self._shared.keys() for owner in self.owners[key]}
        for key in own & self._shared.keys():
            owners |= self._shared[key]
            for other in {key for keys in around for key in keys} - self._shared.keys():
                owners |= self.owners[key] & self.owners[other]
        return owners

    def _get_windows(self, text: str, words: Sequence[Word]) -> list[list[Window]]:
        """For each word the windows that begin with it, up to the length of the longest key."""
        windows: list[list[tuple[int, Sequence[str]]]] = []
        ends = (words[0].start, words[-1].end) if words else (0, 0)
        stretches = (m.span() for m in STRETCH.finditer(text, *ends) if ADDRESSED.search(m[0]))
        starts = [word.start for word in words]
        addressed = {
            start
            for a, b in stretches
            for start in starts[bisect_left(starts, a) : bisect_left(starts, b)]
        }
        for i in range(len(words)):
            key = ""
            row: list[tuple[int, Sequence[str]]] = []
            inside = self._get_inside(words[i].key, words[i].start in addressed)
            for j in range(i, min(i + self._most_words, len(words))):
                if j > i and not is_within(text, words[j - 1], words[j]):
                    break
                row.append((j + 1, [key + words[j].key, key + words[j].base, *inside]))
                key, inside = key + words[j].key, iter(())
            windows.append(row[::-1])
        return windows

    def _get_inside(self, word: str, addressed: bool) -> Iterator[str]:
        """The whole names within a longer word; in an address or a handle a part at its edge."""
        for n in range(MIN_PART, min(len(word), LONGEST)) if addressed else ():
            yield from {word[:n], word[-n:]} & self._parts
        for n in self._lengths if len(word) <= LONGEST else ():
            for start in range(len(word) - n + 1):
                if word[start : start + n] in self._whole:
                    yield word[start : start + n]
