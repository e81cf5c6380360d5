"""Titles and kinship words in front of names."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...lists.neighbours import Neighbours
from ...text.casing import fold, to_ascii
from .name_forms import FAMILY, HONORIFICS, WORDS, Name, looks_like_surname
from .spellings import WORD, Word

Row = Mapping[str, str]

MIN_TITLE = 6  # letters of a title that may be misspelt: shorter ones are too close to names
# How words end that tell what somebody does, and names in lower case do not: what is taken for a role stays.
ROLE = re.compile(r"[^\W\d_A-ZÅÄÖ]{3,}(?:are|aren|ande|ören|isten|anten|ansvarig|chef)")
MIN_ENDING = 5  # letters of a title that others are put together with
SHORT = 5  # characters of an abbreviation with its full stop
MIN_KIN = 4  # letters of a kinship word that may be misspelt
DOUBLED = re.compile(r"(.)\1+")
BETWEEN, OWNING = frozenset(WORDS["between"]), frozenset(WORDS["owning"])
# Behind a name: `Kim, min dotter`.
BEHIND = re.compile(
    r"\W{0,3}(?:(?:är|som är)\s+)?(?:min|mitt|vår|hans|hennes|deras|my)\s+(?:\w+\s+)?(\w+)"
)


class Titles:
    """Knows titles and kinship words: those of the list `titles`, and others that look like them but like no
    name."""

    def __init__(
        self, rows: Iterable[Row], known: Callable[[str], bool], near_names: Neighbours
    ) -> None:
        self._known = known
        self._near_names = near_names
        self._all = {
            _join(WORD.findall(row["word"])): (row.get("kind", ""), row.get("gender", ""))
            for row in rows
        }
        self._spelled = {row["word"].casefold() for row in rows}
        self._longest = max((len(title.split()) for title in self._all), default=1)
        plain = [title for title in self._all if " " not in title]
        self._endings = tuple(word for word in plain if len(word) >= MIN_ENDING)
        # As they sound: `döter` is a `dotter`.
        self._sounds = {
            _get_sound(word): self._all[word]
            for word in reversed(plain)
            if len(word) >= (MIN_KIN if self._all[word][0] == "kin" else MIN_TITLE)
        }
        self._near = Neighbours(self._sounds)

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
            if found is None and self._is_joined(name.text, words[i : i + 3]):
                length, found = 2, self._all[fold(words[i + 1].text)]
            if found is None and self._is_role(name.text, words[i : i + 2]):
                found = "role", ""
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

    def _is_joined(self, text: str, words: Sequence[Word]) -> bool:
        """Whether two words with a hyphen are a title in front of a name: `bvc-tanten Monika`."""
        if len(words) < 3 or text[words[0].end] != "-" or self._known(fold(words[0].text)):
            return False
        return fold(words[1].text) in self._all and words[1].text.islower()

    def _is_role(self, text: str, words: Sequence[Word]) -> bool:
        """Whether a word in lower case in front of a capital tells what somebody does: `uthyrare Yngvesdotter`."""
        if len(words) < 2 or text[words[0].end : words[1].start].strip():
            return False
        word = words[0].text
        is_role = ROLE.fullmatch(word) is not None and not self._known(fold(word))
        return is_role and words[1].text[:1].isupper()

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
        """A title that is not listed: a compound of a listed one, or a misspelling."""
        if word in FAMILY:
            return "family", ""
        if self._known(word):
            return None
        if len(word) > 7 and word.endswith(self._endings):
            ending = max((t for t in self._endings if word.endswith(t)), key=len)
            return self._all[ending]
        found = self._find_sound(word)
        is_kin = found is not None and found[0] == "kin"
        return found if is_kin or len(self._near_names.find(word)) != 1 else None

    def _find_sound(self, word: str) -> tuple[str, str] | None:
        """The title or kinship word that another one misspells: `döter`, `syter`."""
        sound = _get_sound(word)
        if sound in self._sounds:
            return self._sounds[sound]
        near = {self._sounds[one] for one in self._near.find(sound) if one[0] == sound[0]}
        return near.pop() if len(near) == 1 else None

    def get_gender_ahead(self, text: str) -> str:
        """Get the gender that the word in front of a mention tells, if it is a title, or misspells a kinship
        word; else ""."""
        words = text.split() if text[-1:].isspace() else []
        is_named = False
        while words and words[-1].lower() in BETWEEN:
            words.pop()
            is_named = True
        # A longer word with a full stop ends a sentence: `Jag är dotter. Sten bor ensam.`
        if not words or (words[-1].endswith(".") and len(words[-1]) > SHORT):
            return ""
        word = fold(words[-1]).rstrip(",." if is_named else ".")
        return self._get_gender(word, len(words) > 1 and words[-2].lower() in OWNING)

    def get_gender_behind(self, text: str) -> str:
        """Get the gender that a kinship word behind a mention tells, else "": `Kim, min dotter`."""
        match = BEHIND.match(text.lower())
        return self._get_gender(fold(match[1]), True) if match else ""

    def _get_gender(self, word: str, is_owned: bool) -> str:
        found = self._all.get(word)
        if found is None and is_owned and word.isalpha() and not self._known(word):
            found = self._find_sound(word)
        return found[1] if found and found[1] in ("f", "m") else ""


def _get_sound(word: str) -> str:
    """A word without accents and double letters."""
    return DOUBLED.sub(r"\1", to_ascii(word))


def _join(words: Sequence[str]) -> str:
    """Words as titles are looked up: `bitr. överläkare`, `ex-man`."""
    return " ".join(map(fold, words))
