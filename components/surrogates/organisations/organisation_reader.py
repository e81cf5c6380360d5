"""What the lists and the words of a name tell of an organisation."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...lists.neighbours import FUZZY_MIN, Neighbours
from ...text.casing import fold, like_case
from .organisation_types import LOCAL, OF_KIND, SEPARATORS, get_family
from .organisation_words import OrganisationWords

Row = Mapping[str, str]

# Kinds of the list of units whose words name nobody even if they are listed as organisations.
CARE = ("care_unit", "care_home", "hospital", "pharmacy")
CHAIN = "care_brand"
# Families whose words may stand in lower case without being a name.
PUBLIC = ("care", "hospital", "authority")
SAINT = re.compile(r"\b(?:s:t|s:ta|st\.?|sankta?)(?=\s)")
PARTS = re.compile(r"[\s,/-]+")  # also of `Karolinska-akuten`
DEFINITE = re.compile(r"[^\W\d_]{3,}(?:en|et|an)")
LONG = 6  # a shorter word is no slip in one that says what something is
MOST_WORDS = 8  # of a listed name, looked for within another one


class OrganisationReader:
    """Reads the names of organisations.

    lists (Mapping[str, Sequence[Row]]): `organisations`, `organisation_words`, `units`, `nationwide`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.words = OrganisationWords(lists.get("organisation_words", ()))
        listed, units = lists.get("organisations", ()), lists.get("units", ())
        # By folded name, one that is a slip under the right one; and by folded abbreviation.
        self.rows: dict[str, Row] = {}
        self.short: dict[str, Row] = {}
        for row in listed:
            self.rows.setdefault(fold_name(row["name"]), row)
        for row in listed:
            folded = fold_name(row["name"])
            if row.get("of"):
                self.rows[folded] = self.rows.get(fold_name(row["of"]), self.rows[folded])
            if row.get("abbreviation"):
                right = self.rows[folded] if row.get("of") else row
                self.short.setdefault(fold_name(row["abbreviation"]), right)
        self.longest = max(map(len, (*self.rows, *self.short)), default=0)
        # What there is one of for the whole country.
        self.nationwide = frozenset(fold_name(row["name"]) for row in lists.get("nationwide", ()))
        offices = (row["word"] for row in units if row.get("kind") == "authority")
        self._near_nationwide = Neighbours((*self.nationwide, *map(fold_name, offices)))
        # Institutions as any town has one. What is listed as an authority, perhaps with a slip, is none.
        kinds = {fold_name(row["word"]): row.get("kind", "") for row in units}
        near = Neighbours(name for name, row in self.rows.items() if row.get("kind") == "authority")
        self.units = frozenset(
            word
            for word, kind in kinds.items()
            if kind in CARE or not self.find(word) and not near.find(word)
        )
        self._near_heads = Neighbours(self.words.heads, shortest=LONG)
        # Of listed names, which are looked at again and again.
        self._identifying: dict[str, str] = {}

    def find(self, folded: str) -> Row | None:
        return self.rows.get(folded) or self.short.get(folded)

    def get_short(self, name: str) -> str:
        """Get the abbreviation of a listed organisation, "" if it has none."""
        return self.rows[fold_name(name)].get("abbreviation", "")

    def get_groups(self, text: str) -> set[str]:
        """Get the groups of the organisations that a name is of: an alias, a site, a former name is of the same
        group. That of a listed name, else those of all that stand in it."""
        folded = fold_name(text)
        row, _ = self.find_form(folded)
        rows = [row] if row else map(self._find_within, _get_parts(folded))
        return {get_group(row) for row in rows if row}

    def is_kin(self, text: str, new: str) -> bool:
        """Whether two names may be of one organisation, or one of a part or a site of the other."""
        one, other = f" {fold_name(text).strip()} ", f" {fold_name(new)} "
        if one in other or other in one:
            return True
        return not self.get_groups(text).isdisjoint(self.get_groups(new))

    def _find_within(self, part: str) -> Row | None:
        """Find a listed organisation that is a part of a name."""
        return None if self.names_nobody(part) else self.find_form(part)[0]

    def find_form(self, folded: str) -> tuple[Row | None, str]:
        """Find a listed organisation, perhaps in the genitive, and its ending."""
        for ending in ("", ":s", "s"):
            base = folded.removesuffix(ending)
            if (base != folded or not ending) and (row := self.find(base)):
                return row, ending
        return None, ""

    def get_type(self, row: Row) -> str:
        kind = row.get("kind", "")
        return row.get("type") or OF_KIND.get(kind, kind)

    def guess_type(self, words: Sequence[str]) -> str:
        """Guess the type of an organisation that is not listed by all its words, "" if they do not tell."""
        row = next(filter(None, map(self.find, words)), None)
        return self.words.read_type(words) or (self.get_type(row) if row else "")

    def is_unit(self, folded: str) -> bool:
        """Whether a word is an institution as any town has one."""
        return _is_in(folded, self.units) or folded in self.words.having("department")

    def is_nationwide(self, folded: str) -> bool:
        """Whether there is one of a folded name, perhaps in the genitive or with a slip, for the whole country."""
        if _is_in(folded, self.nationwide):
            return True
        if len(folded) < FUZZY_MIN or not self.nationwide or self.find(folded):
            return False
        return bool(self._near_nationwide.find(folded))

    def stays(self, folded: str) -> bool:
        """Whether a name points at nobody."""
        if self.is_unit(folded) or self.is_nationwide(folded):
            return True
        # Of an institution: `bup-tiden`.
        unit, _, rest = folded.partition("-")
        if DEFINITE.fullmatch(rest.removesuffix("s")) and self.is_unit(unit):
            return self.find(rest) is None
        # An office as any town has one: `stadsdelsförvaltningen`.
        head = self.words.find_head(folded)
        is_office = head and head.text == folded and get_family(head.type) == "authority"
        return bool(is_office and len(folded) >= LONG and DEFINITE.fullmatch(folded))

    def names_nobody(self, folded: str) -> bool:
        """Whether a word within a name points at nobody."""
        is_common = folded in self.words.having("common") or self.is_unit(folded)
        return is_common or _is_in(folded, self.nationwide)

    def is_kind(self, word: str) -> bool:
        """Whether a word of a name says nothing but what the organisation is."""
        folded = fold_name(word)
        # `Asyl- och migranthälsan`
        if self.names_nobody(folded) or folded.endswith("-"):
            return True
        head = self.words.find_head(folded)
        if head is None or head.text.removesuffix("s") in self.words.having("name"):
            return False
        stem = folded[: len(folded) - len(head.text)]
        # Also a listed unit in the indefinite: `psykologmottagning`.
        if not stem or any(folded + ending in self.units for ending in ("en", "n", "et", "t")):
            return True
        # `Närhälsan` and others like it are chains.
        if head.text == "hälsan" and not word.islower():
            return False
        is_public = get_family(head.type) in PUBLIC and is_definite(word)
        return is_public or stem in self.words.having("stem")

    def is_local(self, row: Row) -> bool:
        """Whether a listed organisation is one of many in one place."""
        return self.get_type(row) in LOCAL and row.get("kind") != CHAIN

    def correct(self, word: str) -> str:
        """Correct a slip in a word that says what an organisation is."""
        folded = fold_name(word)
        is_right = self.is_kind(word) or self.find(folded) or self.words.find_head(folded)
        if len(folded) < LONG or is_right:
            return word
        right = self._near_heads.find(folded)
        return like_case(word, right[0]) if len(right) == 1 else word

    def get_identifying(self, name: str) -> str:
        """Get what tells which organisation is meant."""
        if name not in self._identifying:
            identifying = " ".join(self._cut_kinds(name))
            if fold_name(name) not in self.rows:
                return identifying
            self._identifying[name] = identifying
        return self._identifying[name]

    def _cut_kinds(self, name: str) -> Iterator[str]:
        for word in SEPARATORS.split(name):
            if word and not self.is_kind(word):
                folded = fold_name(word)
                head = self.words.find_head(folded)
                yield folded[: len(folded) - len(head.text)] if head else folded


def _get_parts(folded: str) -> Iterator[str]:
    """The words of a name in a row, as many as listed names have; with hyphens and without."""
    for separators in (SEPARATORS, PARTS):
        words = separators.split(folded)
        for i in range(len(words)):
            for j in range(i + 1, min(i + MOST_WORDS, len(words)) + 1):
                yield " ".join(words[i:j])


def _is_in(folded: str, names: frozenset[str]) -> bool:
    return folded in names or (folded.endswith("s") and folded[:-1].rstrip(":") in names)


def get_group(row: Row) -> str:
    """Get what the names, sites and parts of a listed organisation share; its own name where it has no other."""
    return fold_name(row.get("group") or row["name"])


def fold_name(text: str) -> str:
    """Fold a name, with saints in one writing."""
    return SAINT.sub("sankt", fold(text))


def is_definite(word: str) -> bool:
    """Whether a word stands for one particular unit: `könsmottagningen`."""
    return word.islower() and DEFINITE.fullmatch(word) is not None


def get_last(words: Iterable[str]) -> str:
    """Get the last of several words, "" of a single one."""
    *rest, last = words
    return last if rest else ""


def link(texts: Iterable[str], reader: OrganisationReader) -> dict[str, tuple[str, str]]:
    """Find unlisted names that are the genitive or a misspelling of another one: of each the other one and
    the ending."""
    # A name in lower case may look like an ordinary word.
    ordered = sorted(texts, key=lambda text: (text.isupper() or text.islower(), text))
    folded = {text: fold_name(text) for text in ordered}
    spelled: dict[str, list[str]] = {}
    for text, name in folded.items():
        spelled.setdefault(name, []).append(text)
    order = {text: i for i, text in enumerate(ordered)}
    neighbours = Neighbours(spelled)
    same: dict[str, tuple[str, str]] = {}
    for text, name in folded.items():
        if reader.stays(name) or reader.find(name) or reader.find(name.removesuffix("s")):
            continue
        first = spelled[name][0]
        if first != text:
            same[text] = (first, "")
            continue
        if name.endswith("s") and name[:-1] in spelled:
            same[text] = (spelled[name[:-1]][0], text[-1])
            continue
        near = (
            other
            for other_name in (neighbours.find(name) if len(name) >= FUZZY_MIN else ())
            if other_name != name
            and (reader.find(other_name) or other_name < name)
            and not reader.stays(other_name)
            for other in spelled[other_name]
            if other not in same
        )
        found = min(near, key=order.__getitem__, default=None)
        if found:
            same[text] = (found, "")
    return same
