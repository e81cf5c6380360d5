"""Somebody who reads nothing but surrogates, and has no more to go by than the word lists."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import OSA

from components.text.casing import fold
from lab.measures.surrogate_mentions import WORD, Mention, get_digits, get_words

Lists = Mapping[str, Sequence[Mapping[str, str]]]

NUMBERS = ("PID", "PHONE")
MIN_STEM = 3  # `lovis` and `Lovisa` share one


class Stranger:
    """Reads the names of a conversation with nothing to go by but the names and the word lists.

    lists (Lists): `first_names`, `surnames`, `nicknames`, `titles`.
    """

    def __init__(self, lists: Lists) -> None:
        self.nicks: dict[str, set[str]] = defaultdict(set)
        for row in lists.get("nicknames", ()):
            self.nicks[fold(row["nick"])].add(fold(row["name"]))
        self.genders: dict[str, set[str]] = defaultdict(set)
        for row in lists.get("first_names", ()):
            self.genders[fold(row["name"])].add(row["gender"])
        for row in lists.get("surnames", ()):
            # It might be either.
            self.genders.pop(fold(row["name"]), None)
        self.titles = {fold(row["word"]): row["gender"] for row in lists.get("titles", ())}

    def get_gender(self, words: Iterable[str]) -> str:
        """Tell the gender of a name.

        words (Iterable[str]): Its folded words.
        RETURNS (str): "f" or "m", "" where no word tells.
        """
        for word in words:
            genders = self.genders.get(word) or self.genders.get(word.removesuffix("s")) or set()
            if genders in ({"f"}, {"m"}):
                return min(genders)
        return ""

    def get_title_gender(self, mention: Mention) -> str:
        """Tell what gender the titles and kinship words in and in front of a mention demand.

        mention (Mention): A mention of a person.
        RETURNS (str): "f" or "m", "" where none tells.
        """
        words = WORD.findall(fold(mention.original))
        ahead = re.search(r"([^\W\d_]+)\s+$", mention.before)
        own = words[: len(words) - len(get_words(mention)[0])]
        genders = [self.titles.get(w) for w in [*([fold(ahead[1])] if ahead else []), *own]]
        return next((gender for gender in reversed(genders) if gender in ("f", "m")), "")

    def read_as_one(self, one: Mention, other: Mention) -> tuple[bool, bool]:
        """Whether a stranger would take two mentions of a class for the same: all words of the
        shorter are in the longer, if only as initial, nickname, stem or slip of the pen.

        one (Mention): The one.
        other (Mention): The other.
        RETURNS (tuple[bool, bool]): Whether the originals go for the same, whether the
            surrogates do.
        """
        if one.label in NUMBERS:
            before = _compare_digits(one.original, other.original)
            after = _compare_digits(one.surrogate, other.surrogate)
            # A slip in an original may be kept.
            return before <= 1, after <= min(before, 1)
        (a, x), (b, y) = get_words(one), get_words(other)
        return self._same(one.label, a, b), self._same(one.label, x, y)

    def _same(self, label: str, one: list[str], other: list[str]) -> bool:
        if label not in ("PERSON", "LOCATION"):
            return one == other
        short, long = sorted((one, other), key=lambda words: (len(words), sum(map(len, words))))
        if len(short) == 1 < len(long) and "".join(w[0] for w in long).startswith(short[0]):
            return True
        return all(any(self._same_word(label, a, b) for b in long) for a in short)

    def _same_word(self, label: str, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        if one == other or one.isdecimal() or other.isdecimal():
            return one == other
        if label == "PERSON":
            if len(short) == 1:
                return long.startswith(short)
            if self._names_of(one) & self._names_of(other):
                return True
        if len(short) >= MIN_STEM and long.startswith(short):
            return True
        return len(short) > 4 and OSA.distance(short, long) <= 1

    def _names_of(self, word: str) -> set[str]:
        return {word, word.removesuffix("s")}.union(
            *(self.nicks.get(form, ()) for form in (word, word.removesuffix("s")))
        )


def _compare_digits(one: str, other: str) -> int:
    short, long = sorted((get_digits(one), get_digits(other)), key=len)
    return OSA.distance(short, long[-4:] if len(short) == 4 else long)
