"""Titles and kinship words in front of names."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...text.casing import fold
from .name_forms import FAMILY, HONORIFICS, Name, looks_like_surname
from .spellings import WORD, Word

MIN_ENDING = 5  # letters of a title that others are put together with
SHORT = 5  # characters of an abbreviation with its full stop
# What may stand between a kinship word and a name: `min dotter som heter Kim`.
BETWEEN = frozenset(
    ("som", "heter", "hette", "heta", "kallas", "kallad", "vid", "namn", "called", "named")
)
# In front of a kinship word more often than not.
OWNING = frozenset(("min", "mina", "mitt", "din", "vår", "vårt", "hans", "hennes", "deras", "my"))


class Titles:
    """Knows titles and kinship words.

    rows (Iterable[Mapping[str, str]]): `titles`.
    known (Callable[[str], bool]): Whether a folded name is listed.
    """

    def __init__(self, rows: Iterable[Mapping[str, str]], known: Callable[[str], bool]) -> None:
        self._known = known
        self._all = {
            _join(WORD.findall(row["word"])): (row.get("kind", ""), row.get("gender", ""))
            for row in rows
        }
        self._spelled = {row["word"].casefold() for row in rows}
        self._longest = max((len(title.split()) for title in self._all), default=1)
        plain = [title for title in self._all if " " not in title]
        self._endings = tuple(word for word in plain if len(word) >= MIN_ENDING)

    def __contains__(self, word: object) -> bool:
        return word in self._all

    def skip(self, name: Name, words: Sequence[Word]) -> int:
        """Step over titles and kinship words in front of a name."""
        i = 0
        while i < len(words):
            form = fold(words[i].text)
            following = words[i : i + self._longest]
            length, found = self._find([word.text for word in following])
            last = i + length == len(words)
            if found is None and not last:
                found = self._find_like(form)
            if found is None or (last and self._may_be_name(words[i].text, found[0], i > 0)):
                return i
            after = words[i + length - 1].end
            if not last and name.text[after] == "-" and words[i].text[0].isupper():
                # `Bo-Lennart`
                return i
            name.kind, gender = found
            if form in FAMILY:
                name.kind = "family"
            elif form in HONORIFICS and (name.kind != "kin" or words[i].text[0].isupper()):
                name.kind = "honorific"
            name.gender = gender if gender in ("f", "m") else name.gender
            i += length
        return len(words)

    def _find(self, words: Sequence[str]) -> tuple[int, tuple[str, str] | None]:
        """The longest title that some words begin with: how many words, its kind and gender."""
        for length in range(min(self._longest, len(words)), 0, -1):
            found = self._all.get(_join(words[:length]))
            if found is not None and not (length == 1 and self._is_name(words[0])):
                return length, found
        return 1, None

    def _is_name(self, word: str) -> bool:
        """Whether a title is one in another spelling only, and a name in this one: `Bo`, `bố`."""
        return word.casefold() not in self._spelled and self._known(fold(word))

    def _may_be_name(self, word: str, kind: str, is_led: bool) -> bool:
        """Whether a title with nothing behind it could be a name, too: `Kaplan`, `syskonen Brorsdotter`, but not
        `mamma`."""
        plain = kind == "kin" or word.islower()
        if len(word) < 3 or not plain or self._known(fold(word)):
            return True
        return is_led and word.istitle() and looks_like_surname(fold(word))

    def _find_like(self, word: str) -> tuple[str, str] | None:
        """A title that is not listed: a compound of a listed one."""
        if word in FAMILY:
            return "family", ""
        if self._known(word):
            return None
        if len(word) > 7 and word.endswith(self._endings):
            ending = max((t for t in self._endings if word.endswith(t)), key=len)
            return self._all[ending]
        return None

    def get_gender_ahead(self, text: str) -> str:
        """Get the gender that the word in front of a mention tells, if it is a title; "" if it tells none."""
        words = text.split() if text[-1:].isspace() else []
        is_named = False
        while words and words[-1].lower() in BETWEEN:
            words.pop()
            is_named = True
        # A longer word with a full stop ends a sentence: `Jag är dotter. Sten bor ensam.`
        if not words or (words[-1].endswith(".") and len(words[-1]) > SHORT):
            return ""
        word = fold(words[-1]).rstrip(",." if is_named else ".")
        found = self._all.get(word)
        return found[1] if found and found[1] in ("f", "m") else ""


def _join(words: Sequence[str]) -> str:
    """Words as titles are looked up: `bitr. överläkare`, `ex-man`."""
    return " ".join(map(fold, words))
