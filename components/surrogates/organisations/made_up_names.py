"""Names of organisations that are nobody's, around the words that say what they are."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product

from ...text.casing import fold, genitive, like_case
from ..core.pools import MIN_POOL, Pool
from ..core.resemblance import shows
from ..core.scope import Scope
from ..words import read_words
from .organisation_reader import OrganisationReader, fold_name, is_definite
from .organisation_types import LOCAL, SEPARATORS, get_family

_PARTS = read_words("estates")
COMPOUNDS = {
    first["part"] + second["part"]: first["part"] + second["form"]
    for first, second in product(_PARTS, _PARTS)
    # `Tallunden` would be written with two of the three.
    if not first["form"] and second["form"] and first["part"][-2:] != 2 * second["part"][0]
}
BUSINESS, CARE = "business", "care"
# Types with names of their own.
MADE_UP = ("pharmacy", "preschool", "care_home", "sameby", "school")
GAPS = re.compile(f"({SEPARATORS.pattern})")
# Words that a name stands in front of in the genitive.
INDEFINITE = re.compile("(central|klinik|mottagning|skola|hem|hus|boende|vård|grupp|apotek|enhet)$")
SAYING = re.compile(r"\w")  # not so `&`
VOWELS = "aeiouyåäö"
SCHOOLS = ("school", "gymnasium")
ReplaceListed = Callable[[str, bool, Scope], str | None]


class GenericNames:
    """The names to choose from by type of organisation, and their forms within a compound.

    rows (Sequence[Mapping[str, str]]): The list `organisation_names`.
    names (Mapping[str, str] | None): Names with their forms within a compound, to take instead for
        all types.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, str]] = (), names: Mapping[str, str] | None = None
    ) -> None:
        self._rows = rows
        self._given = names
        self._pools: dict[str, Pool] = {}

    @cached_property
    def _forms(self) -> Mapping[str, str]:
        listed = {row["name"]: row["form"] for row in self._rows if row.get("form")}
        return self._given or COMPOUNDS | listed

    @cached_property
    def estates(self) -> Pool:
        """Names that go with anything."""
        return Pool(self._given or COMPOUNDS)

    def get_names(self, type_: str) -> Iterable[str]:
        """Get the names of a type in the list."""
        return [row["name"] for row in self._rows if row["type"] == type_]

    def get_pool(self, type_: str, business: bool = False) -> Pool:
        """Get the names for a type of organisation, or for a company that is called after somebody."""
        own = next((t for t in (type_, get_family(type_)) if t in MADE_UP), "")
        kind = own or (BUSINESS if business else CARE)
        if kind not in self._pools:
            names = () if self._given else self.get_names(kind)
            self._pools[kind] = Pool(names, self.estates) if names else self.estates
        return self._pools[kind]

    def get_ending(self, end: str) -> Pool | None:
        """Get the names of homes that end with a word; None if there are few."""
        if end not in self._pools:
            self._pools[end] = Pool(
                name for name in self.get_names("care_home") if name.endswith(end)
            )
        return self._pools[end] if len(self._pools[end].members) >= MIN_POOL else None

    def get_form(self, name: str) -> str:
        """Get the form of a name within a compound: `Björkbacks` of `Björkbacken`."""
        return self._forms.get(name) or name + ("" if name[-1] in "aeiouyåäösn" else "s")


class NameMaker:
    """Makes names up: the words that say what an organisation is stay in their places, those that
    tell which one it is become a name that is nobody's. The same name in another form, or of
    another unit, becomes the same: `BVC Björken`, `Björkens vårdcentral`.

    reader (OrganisationReader): Tells the words apart.
    generic (GenericNames): The names.
    replace_listed (ReplaceListed): Replaces a word that is listed, given whether it is the first.
    """

    def __init__(
        self, reader: OrganisationReader, generic: GenericNames, replace_listed: ReplaceListed
    ) -> None:
        self.reader = reader
        self.generic = generic
        self.replace_listed = replace_listed

    def make_up(self, text: str, type_: str, scope: Scope) -> str | None:
        """Make another name of the same form; None if nothing in it is a name."""
        words = GAPS.split(text)
        if len(words) == 1:
            return self._make_word(text, type_, scope)
        out: list[str | None] = [*words]
        own: list[int] = []
        for i in range(0, len(words), 2):
            new = self.replace_listed(words[i], i == 0, scope)
            if new is None and (self.reader.is_kind(words[i]) or not SAYING.search(words[i])):
                continue
            if new is None and self._ends_like(words[i], type_):
                new = self._make_word(words[i], type_, scope)
            out[i] = new
            # What is in lower case where names are not only says more of what it is.
            if new is None and (not words[i].islower() or text.islower()):
                own.append(i)
        # `Berg & Kvist Bygg` is one name.
        own = [i for i in range(0, len(words), 2) if i in own or self._joins(words, i, own)]
        if own:
            self._replace_run(words, out, own, text, type_, scope)
        left = [i for i in range(0, len(words), 2) if out[i] is not None]
        new = "".join(f"{words[i - 1] if i and i != left[0] else ''}{out[i]}" for i in left)
        return new if own or fold(new) != fold(text) and None not in out else None

    @staticmethod
    def _joins(words: Sequence[str], i: int, own: Sequence[int]) -> bool:
        """Whether a word such as `&` joins something to a name."""
        return not SAYING.search(words[i]) and (i - 2 in own or i + 2 in own)

    def _ends_like(self, word: str, type_: str) -> bool:
        """Whether a word is a compound that says its type: `Hagamottagningen`."""
        head = self.reader.words.find_head(fold_name(word))
        return head is not None and head.type == type_

    def _replace_run(
        self,
        words: Sequence[str],
        out: list[str | None],
        own: Sequence[int],
        text: str,
        type_: str,
        scope: Scope,
    ) -> None:
        """Put one name in the place of the first words that tell which one is meant, and nothing in
        that of the others."""
        first = own[0]
        last = next((i for i in own if i + 2 not in own), first)
        key = "".join(words[first : last + 1])
        following = words[last + 2] if last + 2 < len(words) else ""
        possessive = (
            bool(following)
            and self.reader.is_kind(following)
            and (key[-1:].casefold() == "s" or bool(INDEFINITE.search(fold(following))))
        )
        if possessive:
            key = key.removesuffix("s").removesuffix("S")
        in_front = type_ not in LOCAL and bool(following)
        name = self.choose(key, text, self.generic.get_pool(type_, in_front), scope)
        whole = text.isupper() or text.islower()
        written = like_all(text, name) if whole else like_case(key, name)
        for i in own:
            out[i] = None
        # `Backa skola`, but `Kronans skola`
        owned = possessive and written[-1].lower() not in VOWELS
        out[first] = genitive(written, "s", written) if owned else written
        head = self.reader.words.find_head(fold(following))
        if type_ in SCHOOLS and head and head.text == fold(following) and is_definite(head.text):
            # `Engelska Skolan`
            out[first] = like_case(key, self.generic.get_form(name) + following.lower())
            out[last + 2] = None

    def _make_word(self, text: str, type_: str, scope: Scope) -> str:
        """`Stagneliusskolan`, `Apoteket`, `Hemgården`"""
        head = self.reader.words.find_head(fold_name(text))
        stem = len(text) - len(head.text) if head else 0
        end = head.text[:4] if head else ""
        at_home = stem and (type_ == "care_home" or type_ not in LOCAL)
        wholes = self.generic.get_ending(head.text) if head and at_home else None
        if wholes:
            return like_case(text, self.choose(text, text, wholes, scope))
        pool = self.generic.get_pool(type_) if type_ in SCHOOLS else self.generic.estates
        name = self.choose(text[:stem] or text, text, pool, scope, end)
        new = self.generic.get_form(name) + (head.text if head else "")
        return new.upper() if text.isupper() else like_case(text, new)

    def choose(self, key: str, text: str, pool: Pool, scope: Scope, end: str = "") -> str:
        """Choose a name that is nobody's, without `end`: no `Smedgården` for what ends in `gården` itself."""
        identifying = self.reader.get_identifying(text) or text

        def accept(name: str) -> bool:
            return not shows(identifying, name) and not (end and end in name.lower())

        return scope.ledger.pick("generic", fold_name(key), pool, accept)


def like_all(original: str, name: str) -> str:
    """Case a name like a whole text."""
    if original.islower():
        return name.lower()
    return name.upper() if original.isupper() else name
