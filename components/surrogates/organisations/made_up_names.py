"""Names of organisations that are nobody's, around the words that say what they are."""

import re
from collections.abc import Callable, Sequence

from ...text.casing import fold, genitive, like_case
from ..core.pools import Pool
from ..core.resemblance import shows
from ..core.scope import Scope
from .generic_names import GenericNames
from .organisation_reader import OrganisationReader, fold_name, is_definite
from .organisation_types import LOCAL, SEPARATORS

GAPS = re.compile(f"({SEPARATORS.pattern})")
# Words that a name stands in front of in the genitive.
INDEFINITE = re.compile("(central|klinik|mottagning|skola|hem|hus|boende|vård|grupp|apotek|enhet)$")
SAYING = re.compile(r"\w")  # not so `&`
VOWELS = "aeiouyåäö"
SCHOOLS = ("school", "gymnasium")
ReplaceListed = Callable[[str, bool, Scope], str | None]


class NameMaker:
    """Makes names up: the words that say what an organisation is stay in their places, those that
    tell which one it is become a name that is nobody's. The same name in another form, or of
    another unit, becomes the same: `BVC Björken`, `Björkens vårdcentral`.

    replace_listed (ReplaceListed): Replaces a word that is listed, given whether it is the first.
    """

    def __init__(
        self, reader: OrganisationReader, generic: GenericNames, replace_listed: ReplaceListed
    ) -> None:
        self.reader = reader
        self.generic = generic
        self.replace_listed = replace_listed

    def make_up(self, text: str, type_: str, scope: Scope) -> str | None:
        """Make another name of the same form, None if nothing in it is a name."""
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
        if not own and "".join(map(str, out)) == text:
            own = [i for i in range(0, len(words), 2) if self._may_name(words[i])]
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

    def _may_name(self, word: str) -> bool:
        """Whether a word that says nothing, such as `Söder`, may be all there is of a name."""
        folded = fold_name(word)
        common = folded in self.reader.words.having("common")
        return common and not word.islower() and not self.reader.words.find_head(folded)

    def _replace_run(
        self,
        words: Sequence[str],
        out: list[str | None],
        own: Sequence[int],
        text: str,
        type_: str,
        scope: Scope,
    ) -> None:
        """Put one name in the place of the first words that tell which one is meant; drop the others."""
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
        if stem <= 0:
            return f"{text} {like_all(text, name)}"
        new = self.generic.get_form(name) + (head.text if head else "")
        return new.upper() if text.isupper() else like_case(text, new)

    def choose(self, key: str, text: str, pool: Pool, scope: Scope, end: str = "") -> str:
        """Choose a name that is nobody's for a name within a text: none such as `Smedgården` for what ends in
        `gården` itself."""
        identifying = self.reader.get_identifying(text) or text

        def accept(name: str) -> bool:
            return not shows(identifying, name) and not (end and end in name.lower())

        return scope.ledger.pick("generic", fold_name(key), pool, accept)


def like_all(original: str, name: str) -> str:
    """Case a name like a whole text."""
    if original.islower():
        return name.lower()
    return name.upper() if original.isupper() else name
