"""Reading the names of people: which words of a mention are titles, first names, surnames."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

from ..swedish.casing import fold, to_ascii
from ..swedish.neighbours import FUZZY_MIN, Neighbours
from ..swedish.particles import ARABIC, PARTICLES
from .name_forms import (
    ARTICLE,
    BOWING,
    COMPOUND,
    FAMILY,
    HONORIFICS,
    NO_GENITIVE,
    SURNAME_ENDINGS,
    WORD,
    Name,
    Part,
)

Row = Mapping[str, str]

MIN_TITLE = 6  # letters of a title that may be misspelt: shorter ones are too close to names
LONG = 9  # letters of a name that may have two slips
ENDINGS = (4, 3, 2, 1)  # letters at the end of a name that tell a gender
LEAST, MOST = 4, 0.7  # of so many names so great a share


class NameReader:
    """Reads mentions of people.

    lists (Mapping[str, Sequence[Row]]): `first_names`, `surnames`, `nicknames`, `titles`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.first = self._index(lists.get("first_names", ()))
        self.surnames = self._index(lists.get("surnames", ()))
        self.nicks: dict[str, list[str]] = {}
        self.nicks_of: dict[str, list[str]] = {}
        for row in lists.get("nicknames", ()):
            self.nicks.setdefault(fold(row["nick"]), []).append(fold(row["name"]))
            if not row.get("ambiguous"):
                self.nicks_of.setdefault(fold(row["name"]), []).append(row["nick"])
        self.titles = {
            _join(WORD.findall(row["word"])): (row.get("kind", ""), row.get("gender", ""))
            for row in lists.get("titles", ())
        }
        self._longest_title = max((len(title.split()) for title in self.titles), default=1)
        plain = [title for title in self.titles if " " not in title]
        self.title_endings = tuple(word for word in plain if len(word) >= 5)
        self._near_names = Neighbours(dict.fromkeys([*self.first, *self.surnames]))
        self._near_titles = Neighbours(word for word in plain if len(word) >= MIN_TITLE)
        self.ascii: dict[str, tuple[str, str]] = {}
        for role, names in (("first", self.first), ("surname", self.surnames)):
            for form in names:
                self.ascii.setdefault(to_ascii(form), (role, form))
        # How many names of a gender end so: of one origin, and of all.
        self._endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, row in self.first.items():
            for length in ENDINGS:
                for origin in {row["origin"], ""}:
                    self._endings[origin, form[-length:]][row["gender"]] += 1
        # The man's form of each woman's surname, and the other way round.
        self.masculine: dict[str, str] = {}
        self.feminine: dict[str, str] = {}
        for form, row in self.surnames.items():
            if row["gender"] == "f":
                male = self._bow(form)
                if male and self.surnames[male]["gender"] == "m":
                    self.masculine[form] = male
                    self.feminine[male] = form

    @staticmethod
    def _index(rows: Sequence[Row]) -> dict[str, Row]:
        index: dict[str, Row] = {}
        for row in rows:
            name = ARTICLE.sub("", row["name"])
            if "-" not in name and " " not in name:
                features = {key: row.get(key) or "" for key in ("gender", "origin", "ambiguous")}
                index.setdefault(fold(name), {"name": name, **features})
        return index

    def _bow(self, form: str) -> str | None:
        """The surname of a man whose wife's or daughter's it is, if it is listed."""
        for ending, others in BOWING:
            if form.endswith(ending):
                for other in others:
                    male = form.removesuffix(ending) + other
                    if male in self.surnames and male != form:
                        return male
        return None

    def family(self, form: str) -> str:
        """The form of a surname that a family shares: of those that bow to the gender, the man's.

        form (str): A folded surname.
        RETURNS (str): The form.
        """
        if form in self.surnames:
            return self.masculine.get(form, form)
        return self._bow(form) or form

    def guess_gender(self, form: str, origin: str = "") -> str:
        """What the listed names tell of the gender of an unlisted one: those that differ in a
        letter, or most of those with the same ending, of one origin if there are enough.

        form (str): A folded first name.
        origin (str): Where it comes from, if that is known.
        RETURNS (str): "f" or "m".
        """
        near = {row["gender"] for row in map(self.first.get, self._near_names.find(form)) if row}
        if near in ({"f"}, {"m"}):
            return near.pop()
        for length, where in product(ENDINGS, (origin, "")):
            counts = self._endings.get((where, form[-length:]))
            if counts and counts.total() >= LEAST:
                gender, count = max((counts[gender], gender) for gender in "fm")[::-1]
                if count > MOST * counts.total():
                    return gender
        return "f" if form.endswith("a") else "m"

    def read(self, texts: Sequence[str], before: Sequence[str] = ()) -> list[Name]:
        """Read the mentions of people in a message or a conversation, all at once: a name that
        one mention makes plain helps to read the others.

        texts (Sequence[str]): The mentions.
        before (Sequence[str]): What stands in front of each.
        RETURNS (list[Name]): The mentions, read.
        """
        names = [self._split(text) for text in texts]
        for name, ahead in zip(names, before):
            name.gender = name.gender or self._gender_ahead(ahead)
        vocabulary = {part.form for name in names for part in name.parts}
        forms: dict[str, None] = {}
        for name in names:
            for part in name.parts:
                self._stem(part, vocabulary)
                forms.setdefault(part.form)
        canonical = self._merge_spellings(list(forms))
        for name in names:
            for part in name.parts:
                part.form = canonical[part.form]
        roles: dict[str, str] = {}
        for name in sorted(names, key=lambda name: (-len(name.units), not name.kind)):
            self._assign_roles(name, roles)
        return names

    def _gender_ahead(self, text: str) -> str:
        """The gender that the word in front of a mention tells, if it is a title."""
        if text[-1:].isspace():
            word = text.rsplit(maxsplit=1)[-1:]
            gender = self.titles.get(fold(word[0]).rstrip("."), ("", ""))[1] if word else ""
            return gender if gender in ("f", "m") else ""
        return ""

    def _split(self, text: str) -> Name:
        name = Name(text)
        words = list(WORD.finditer(text))
        # The s of Anna's and of LN:s.
        words = [
            w
            for w in words
            if not (w[0] in "sS" and text[w.start() - 1 : w.start()] in (":", "'", "’"))
        ]
        first = self._skip_titles(name, words)
        origin = ""
        for i in range(first, len(words)):
            word = words[i]
            form = fold(word[0])
            gap = text[words[i - 1].end() : word.start()] if i > first else ""
            if i + 1 < len(words) and form in PARTICLES:
                after = text[word.end() : words[i + 1].start()]
                if word[0].islower() or after == "-" or name.units:
                    origin = "ar" if form in ARABIC else origin
                    continue
            if "," in gap and name.comma is None:
                name.comma = len(name.units)
            part = Part(word.start(), word.end(), word[0], form, origin=origin)
            origin = ""
            if name.units and gap == "-" and name.units[-1][-1].end == words[i - 1].end():
                name.units[-1].append(part)
            else:
                name.units.append([part])
        return name

    def _skip_titles(self, name: Name, words: Sequence["re.Match[str]"]) -> int:
        """Step over titles and kinship words in front of a name."""
        i = 0
        while i < len(words):
            form = fold(words[i][0])
            following = words[i : i + self._longest_title]
            length, found = self._find_title([word[0] for word in following])
            last = i + length == len(words)
            if found is None and not last:
                found = self._title_like(form)
            if found is None or (last and self._may_be_name(words[i][0], found[0])):
                return i
            name.kind, gender = found
            if form in FAMILY:
                name.kind = "family"
            elif form in HONORIFICS and (name.kind != "kin" or words[i][0][0].isupper()):
                name.kind = "honorific"
            name.gender = gender if gender in ("f", "m") else name.gender
            i += length
        return len(words)

    def _find_title(self, words: Sequence[str]) -> tuple[int, tuple[str, str] | None]:
        """The longest title that some words begin with: how many words, its kind and gender."""
        for length in range(min(self._longest_title, len(words)), 0, -1):
            found = self.titles.get(_join(words[:length]))
            if found is not None:
                return length, found
        return 1, None

    def _may_be_name(self, word: str, kind: str) -> bool:
        """Whether a title with nothing behind it could be a name, too: `Kaplan`, but not `mamma`."""
        plain = kind == "kin" or word.islower()
        return len(word) < 3 or not plain or self.known(fold(word))

    def _title_like(self, word: str) -> tuple[str, str] | None:
        """A title that is not listed: a compound of a listed one, or a misspelling."""
        if word in FAMILY:
            return "family", ""
        if self.known(word):
            return None
        if len(word) > 7 and word.endswith(self.title_endings):
            ending = max((t for t in self.title_endings if word.endswith(t)), key=len)
            return self.titles[ending]
        near = self._near_titles.find(word)
        if not near or len(self._near_names.find(word)) == 1:
            return None
        return self.titles[min(near)]

    def known(self, form: str) -> bool:
        """Whether a folded name is listed."""
        return form in self.first or form in self.surnames or form in self.nicks

    def _stem(self, part: Part, vocabulary: set[str]) -> None:
        """Take a genitive ending off, or what a surname is put together with."""
        form = part.form
        if len(form) < 3 or self.known(form):
            return
        ending = ""
        compound = COMPOUND.search(form)
        if compound:
            # The longest name: `Lindgrens-sonen`, but `Lars-sonen`.
            bases = (form[:end] for end in (compound.start() + 1, compound.start()))
            base = next((b for b in bases if b in self.surnames or b in vocabulary), "")
            ending = form[len(base) :] if len(base) > 3 else ""
        if not ending and form.endswith("s"):
            base = form[:-1]
            known = len(base) > 2 and (self.known(base) or base in vocabulary)
            if known or (len(form) > 4 and not NO_GENITIVE.search(form)):
                ending = "s"
        if ending and len(form) == len(part.word):
            cut = len(ending)
            part.form, part.ending = form[:-cut], part.word[-cut:]
            part.word, part.end = part.word[:-cut], part.end - cut

    def _merge_spellings(self, forms: Sequence[str]) -> dict[str, str]:
        """Give the misspellings of a name its form: one wrong letter, two in a long name."""
        canonical: dict[str, str] = {}
        anchors = [form for form in forms if self.known(form)]
        near = Neighbours(anchors, shortest=FUZZY_MIN - 1)
        far = Neighbours(anchors, shortest=LONG - 2, slips=2)
        for form in forms:
            match = form
            if not self.known(form) and len(form) >= FUZZY_MIN:
                found = near.find(form) or (far.find(form) if len(form) >= LONG else [])
                match = found[0] if found else self._neighbour(form) or form
            canonical[form] = match
            if match == form and len(form) >= FUZZY_MIN:
                near.add(form)
                far.add(form)
        return canonical

    def _neighbour(self, form: str) -> str:
        """The one listed name that differs in a letter, but not the first, if there is just one."""
        found = {name for name in self._near_names.find(form) if name[0] == form[0]}
        return found.pop() if len(found) == 1 else ""

    # Roles

    def is_first(self, unit: Sequence[Part]) -> bool:
        """Whether a first name or nickname is listed."""
        return any(part.form in self.first or part.form in self.nicks for part in unit)

    def is_surname(self, unit: Sequence[Part]) -> bool:
        """Whether a surname is listed, or has a particle."""
        return any(part.form in self.surnames or part.origin for part in unit)

    def _looks_like_surname(self, unit: Sequence[Part]) -> bool:
        return any(ending.search(unit[-1].form) for _, ending in SURNAME_ENDINGS)

    def _assign_roles(self, name: Name, roles: dict[str, str]) -> None:
        units = name.units
        whole: list[str] = []
        for i, unit in enumerate(units):
            if self._is_initials(unit, name):
                whole.append("initial")
            elif name.comma is not None:
                whole.append("surname" if i < name.comma else "first")
            elif len(units) == 1:
                whole.append(self._role_alone(unit, name, roles))
            else:
                whole.append(self._role_among(i, units))
        if len(units) > 1 and self._is_reversed(units):
            whole = ["surname"] + ["first"] * (len(units) - 1)
        for unit, role in zip(units, whole):
            for part in unit:
                part.role = role
                if role != "initial":
                    roles.setdefault(part.form, role)

    def _is_initials(self, unit: Sequence[Part], name: Name) -> bool:
        if all(len(part.word) == 1 and not part.ending for part in unit):
            return True
        word = unit[0].word
        return (
            len(name.units) == len(unit) == 1
            and len(word) <= 3
            and word.isupper()
            and not self.known(unit[0].form)
        )

    def _is_reversed(self, units: Sequence[Sequence[Part]]) -> bool:
        first, last = units[0], units[-1]
        return (
            self.is_surname(first)
            and not self.is_first(first)
            and self.is_first(last)
            and not self.is_surname(last)
        )

    def _role_among(self, i: int, units: Sequence[Sequence[Part]]) -> str:
        unit = units[i]
        if i == 0:
            # `N. Eskandari`, but `J. Karin Berg`.
            return "first"
        if i + 1 == len(units):
            if self.is_first(unit) and not self.is_surname(unit):
                return "first"
            return "surname"
        surname = self.is_surname(unit) or self._looks_like_surname(unit)
        return "surname" if surname and not self.is_first(unit) else "first"

    def _role_alone(self, unit: Sequence[Part], name: Name, roles: Mapping[str, str]) -> str:
        if unit[0].form in roles:
            return roles[unit[0].form]
        first, surname = self.is_first(unit), self.is_surname(unit)
        formal = name.kind in ("honorific", "family")
        if unit[-1].ending not in ("", "s", "S"):
            return "surname"
        if first and surname:
            return "surname" if formal else "first"
        if first or surname:
            return "first" if first else "surname"
        if name.kind == "kin":
            return "first"
        formal = formal or name.kind == "title"
        return "surname" if formal or self._looks_like_surname(unit) else "first"


def _join(words: Sequence[str]) -> str:
    """Words as titles are looked up: `bitr. överläkare`, `ex-man`."""
    return " ".join(map(fold, words))
