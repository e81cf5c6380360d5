"""Surrogates of people's names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import process
from rapidfuzz.distance import OSA

from .casing import fold, genitive, like_case, to_ascii
from .keyed import Mention, Pool, Pools, Scope

Row = Mapping[str, str]

WORD = re.compile(r"[^\W\d_]+(?:['’´][^\W\d_]{2,})*")
PARTICLES = frozenset(
    [
        "af",
        "al",
        "von",
        "van",
        "der",
        "den",
        "de",
        "da",
        "di",
        "du",
        "dos",
        "del",
        "la",
        "le",
        "el",
        "ul",
        "bin",
        "bint",
        "ibn",
    ]
)
ARTICLE = re.compile(r"^(?:al|el|ul)[- ]", re.IGNORECASE)
FAMILY = frozenset(("familjen", "fam", "familj"))
LETTERS = Pool("ABCDEFGHIJKLMNOPRSTUVWY")
FUZZY_MIN = 5  # shorter names are too close to one another
MAX_ANCHORS = 1000  # names of a message that misspellings are looked up in

# What the ending of an unlisted name tells of where it comes from, and that it is a surname.
SURNAME_ENDINGS: tuple[tuple[str, "re.Pattern[str]"], ...] = (
    ("bks", re.compile(r"ic$")),
    ("pl", re.compile(r"(?:[sc]ki|[sc]ka|wicz|czyk|wska)$")),
    ("fi", re.compile(r"(?:nen|l[aä]inen|m[aä]ki|niemi)$")),
    ("uk", re.compile(r"(?:enko|chuk|tsenko)$")),
    ("ru", re.compile(r"(?:ov|ova|ev|eva)$")),
    ("tr", re.compile(r"(?:oglu|gil)$")),
    ("el", re.compile(r"(?:opoulos|akis|idis|adis)$")),
    (
        "sv",
        re.compile(
            r"(?:son|berg|str[oö]m|gren|[kq]vist|lund|dahl|dal|man|stedt|sten|holm|hjelm|borg|"
            r"blad|ling|strand|skog|g[aå]rd|feldt|ius|fors|mark|by|qvarn|stierna|krona|torp)$"
        ),
    ),
)
# Unlisted names in -s that are rather no genitives.
NO_GENITIVE = re.compile(r"(?:[aeiouyäö]s|ss|fors)$")


@dataclass
class Part:
    """A name within a mention.

    start (int), end (int): Where it stands in the mention, the ending left out.
    word (str): The text of the mention there.
    form (str): The folded name without its ending, the same for all spellings of it.
    role (str): "first", "surname" or "initial".
    ending (str): The genitive ending.
    origin (str): What a particle tells of the origin.
    """

    start: int
    end: int
    word: str
    form: str
    role: str = ""
    ending: str = ""
    origin: str = ""


@dataclass
class Name:
    """A mention of a person, read.

    text (str): The mention.
    units (list[list[Part]]): Its names; several parts in one make a hyphenated name.
    comma (int | None): The index of the first unit after a comma.
    kind (str): The kind of the last title in front ("" if there is none).
    gender (str): The gender that titles and kinship words tell ("" if none does).
    """

    text: str
    units: list[list[Part]] = field(default_factory=list)
    comma: int | None = None
    kind: str = ""
    gender: str = ""

    def forms(self, role: str) -> list[str]:
        """The names of one role.

        role (str): "first", "surname" or "initial".
        RETURNS (list[str]): Their forms, in order.
        """
        return [part.form for unit in self.units for part in unit if part.role == role]


class PersonSurrogates:
    """Replaces names of people by common names of the same gender and origin.

    First names and surnames are chosen independently, each by its own form: so `Fadumo Warsame`,
    `Fadumo` and `Warsames` agree in any message, and people who share a surname still share one.
    Titles and kinship words in front of a name, particles, genitive, casing and hyphens stay.

    lists (Mapping[str, Sequence[Row]]): `first_names`, `surnames`, `nicknames`, `titles`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.first = self._index(lists.get("first_names", ()))
        self.surnames = self._index(lists.get("surnames", ()))
        self.first_pools = Pools({name: key for name, key in self.first.values() if key[0] != "?"})
        self.surname_pools = Pools(dict(self.surnames.values()))
        self.nicks: dict[str, list[str]] = {}
        self.nicks_of: dict[str, list[str]] = {}
        for row in lists.get("nicknames", ()):
            self.nicks.setdefault(fold(row["nick"]), []).append(fold(row["name"]))
            self.nicks_of.setdefault(fold(row["name"]), []).append(row["nick"])
        self.titles = {
            fold(row["word"]).rstrip("."): (row.get("kind", ""), row.get("gender", ""))
            for row in lists.get("titles", ())
        }
        self.title_endings = tuple(word for word in self.titles if len(word) >= 5)
        self._choices = {
            "first": list(self.first),
            "surname": list(self.surnames),
            "title": [word for word in self.titles if len(word) >= FUZZY_MIN],
        }
        self.ascii: dict[str, tuple[str, str]] = {}
        for role, names in (("first", self.first), ("surname", self.surnames)):
            for form in names:
                self.ascii.setdefault(to_ascii(form), (role, form))

    @staticmethod
    def _index(rows: Sequence[Row]) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Names with their features: gender, then origin. Names that are ordinary words, too,
        only stand for one another: nobody is called by a word who was not before."""
        index: dict[str, tuple[str, tuple[str, ...]]] = {}
        for row in rows:
            name = ARTICLE.sub("", row["name"])
            if "-" not in name and " " not in name:
                origin = "ambiguous" if row.get("ambiguous") else row.get("origin", "")
                index.setdefault(fold(name), (name, (row.get("gender") or "", origin)))
        return index

    # Reading

    def read(self, texts: Sequence[str]) -> list[Name]:
        """Read the mentions of people in a message, all at once: a name that one mention makes
        plain helps to read the others.

        texts (Sequence[str]): The mentions.
        RETURNS (list[Name]): The mentions, read.
        """
        names = [self._split(text) for text in texts]
        vocabulary = {part.form: None for name in names for unit in name.units for part in unit}
        forms: dict[str, str] = {}
        for name in names:
            for unit in name.units:
                for part in unit:
                    self._stem(part, vocabulary)
                    forms.setdefault(part.form, part.form)
        canonical = self._merge_spellings(list(forms))
        for name in names:
            for unit in name.units:
                for part in unit:
                    part.form = canonical[part.form]
        roles: dict[str, str] = {}
        for name in sorted(names, key=lambda name: -len(name.units)):
            self._assign_roles(name, roles)
        return names

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
            gap = text[words[i - 1].end() : word.start()] if i > first else ""
            if i + 1 < len(words) and fold(word[0]) in PARTICLES:
                after = text[word.end() : words[i + 1].start()]
                if word[0].islower() or after == "-" or name.units:
                    origin = "ar" if fold(word[0]) in ("al", "el", "ul", "bin", "ibn") else origin
                    continue
            if "," in gap and name.comma is None:
                name.comma = len(name.units)
            part = Part(word.start(), word.end(), word[0], fold(word[0]), origin=origin)
            origin = ""
            if name.units and gap == "-" and name.units[-1][-1].end == words[i - 1].end():
                name.units[-1].append(part)
            else:
                name.units.append([part])
        return name

    def _skip_titles(self, name: Name, words: Sequence["re.Match[str]"]) -> int:
        """Step over titles and kinship words in front of a name."""
        for i, word in enumerate(words):
            found = self.titles.get(fold(word[0]))
            last = i + 1 == len(words)
            if found is None and not last:
                found = self._title_like(fold(word[0]))
            if found is None or (last and self._may_be_name(word[0], found[0])):
                return i
            name.kind, gender = found
            name.gender = gender if gender in ("f", "m") else name.gender
        return len(words)

    def _may_be_name(self, word: str, kind: str) -> bool:
        """Whether a title with nothing behind it could be a name, too: `Kaplan`, but not `mamma`."""
        plain = kind == "kin" or word.islower()
        return len(word) < 3 or not plain or self._known(fold(word))

    def _title_like(self, word: str) -> tuple[str, str] | None:
        """A title that is not listed: a compound of a listed one, or a misspelling."""
        if word in FAMILY:
            return "family", ""
        if word in self.first or word in self.surnames or word in self.nicks:
            return None
        if len(word) > 7 and word.endswith(self.title_endings):
            ending = max((t for t in self.title_endings if word.endswith(t)), key=len)
            return self.titles[ending]
        if len(word) < FUZZY_MIN or self._neighbour(word, "first", "surname"):
            return None
        titles = self._choices["title"]
        near = process.extractOne(word, titles, scorer=OSA.distance, score_cutoff=1)
        return self.titles[near[0]] if near else None

    def _known(self, form: str) -> bool:
        return form in self.first or form in self.surnames or form in self.nicks

    def _stem(self, part: Part, vocabulary: Mapping[str, None]) -> None:
        """Take the genitive ending off."""
        form = part.form
        if not form.endswith("s") or len(form) < 3 or self._known(form):
            return
        base = form[:-1]
        known = len(base) > 2 and (self._known(base) or base in vocabulary)
        if known or (len(form) > 4 and not NO_GENITIVE.search(form)):
            part.form, part.ending = base, "s"
            part.word, part.end = part.word[:-1], part.end - 1

    def _merge_spellings(self, forms: Sequence[str]) -> dict[str, str]:
        """Give the misspellings of a name its form: one wrong letter, two in a long name."""
        canonical: dict[str, str] = {}
        anchors = [form for form in forms if self._known(form)]
        for form in forms:
            match = form
            if not self._known(form) and len(form) >= FUZZY_MIN:
                limit = 1 if len(form) < 9 else 2
                found = process.extractOne(form, anchors, scorer=OSA.distance, score_cutoff=limit)
                if found:
                    match = found[0]
                else:
                    match = self._neighbour(form, "first", "surname") or form
            canonical[form] = match
            if match == form and FUZZY_MIN <= len(form) and len(anchors) < MAX_ANCHORS:
                anchors.append(form)
        return canonical

    def _neighbour(self, form: str, *roles: str) -> str:
        """The one listed name that differs in a letter, if there is just one."""
        found: set[str] = set()
        if len(form) < FUZZY_MIN:
            return ""
        for role in roles:
            near = process.extract(
                form, self._choices[role], scorer=OSA.distance, score_cutoff=1, limit=2
            )
            found.update(word for word, _, _ in near)
        return found.pop() if len(found) == 1 else ""

    def _is_first(self, unit: Sequence[Part]) -> bool:
        return any(part.form in self.first or part.form in self.nicks for part in unit)

    def _is_surname(self, unit: Sequence[Part]) -> bool:
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
            and not self._known(unit[0].form)
        )

    def _is_reversed(self, units: Sequence[Sequence[Part]]) -> bool:
        first, last = units[0], units[-1]
        return (
            self._is_surname(first)
            and not self._is_first(first)
            and self._is_first(last)
            and not self._is_surname(last)
        )

    def _role_among(self, i: int, units: Sequence[Sequence[Part]]) -> str:
        unit = units[i]
        surname = self._is_surname(unit) or self._looks_like_surname(unit)
        if i == 0:
            return "first"
        if i + 1 == len(units):
            if self._is_first(unit) and not self._is_surname(unit):
                return "first"
            return "surname"
        return "surname" if surname and not self._is_first(unit) else "first"

    def _role_alone(self, unit: Sequence[Part], name: Name, roles: Mapping[str, str]) -> str:
        if unit[0].form in roles:
            return roles[unit[0].form]
        first, surname = self._is_first(unit), self._is_surname(unit)
        formal = name.kind in ("honorific", "family")
        if first and surname:
            return "surname" if formal else "first"
        if first or surname:
            return "first" if first else "surname"
        if name.kind == "kin":
            return "first"
        formal = formal or name.kind == "title"
        return "surname" if formal or self._looks_like_surname(unit) else "first"

    # Choosing

    def choose(self, role: str, form: str, scope: Scope, gender: str = "", origin: str = "") -> str:
        """Choose the surrogate of one name.

        role (str): "first" or "surname".
        form (str): The folded name.
        scope (Scope): The conversation or message.
        gender (str): The gender of the person as far as the message tells, for unlisted names.
        origin (str): The origin as far as the message tells, for unlisted names.
        RETURNS (str): A name, cased as in running text.
        """
        if role == "surname":
            pool = self.surname_pools.of(form)
            if pool is None:
                for language, ending in SURNAME_ENDINGS:
                    if not origin and ending.search(form):
                        origin = language
                pool = self.surname_pools.like("", origin or "sv")
        else:
            pool = self.first_pools.of(form)
            if pool is None:
                gender = gender or ("f" if form.endswith("a") else "m")
                pool = self.first_pools.like(gender, origin or "sv")
        return scope.pick(role, form, pool)

    def _choose_part(self, part: Part, scope: Scope, genders: Mapping[str, str]) -> str:
        names = self.nicks.get(part.form) if part.role == "first" else None
        if not names or part.form in self.first:
            return self.choose(part.role, part.form, scope, genders.get(part.form, ""), part.origin)
        # A nickname follows the name that it stands for.
        name = next((name for name in names if name in genders), names[0])
        surrogate = self.choose("first", name, scope, genders.get(name, ""))
        return min(self.nicks_of.get(fold(surrogate), [surrogate]))

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        names = self.read([mention.text for mention in mentions])
        genders: dict[str, str] = {}
        for name in names:
            for form in name.forms("first"):
                genders[form] = genders.get(form) or name.gender
        parts = [part for name in names for unit in name.units for part in unit]
        named = [part for part in parts if part.role != "initial"]
        # Listed names first: their surrogates are fixed, the others give way.
        named.sort(key=lambda part: not self._known(part.form))
        chosen = {(p.role, p.form): self._choose_part(p, scope, genders) for p in named}
        return [self._write(name, names, chosen, scope) for name in names]

    def _write(
        self,
        name: Name,
        names: Sequence[Name],
        chosen: Mapping[tuple[str, str], str],
        scope: Scope,
    ) -> str:
        parts = [part for unit in name.units for part in unit]
        if not parts:
            return re.sub(r"\d+", lambda match: scope.digits(match[0], "person"), name.text)
        initials = iter(self._initials(name, names, chosen, scope))
        out, position = [], 0
        for part in parts:
            if part.role == "initial":
                surrogate = "".join(next(initials) for _ in part.form)
                surrogate = surrogate.lower() if part.word.islower() else surrogate
            else:
                surrogate = like_case(part.word, chosen[part.role, part.form])
                surrogate = genitive(part.word, part.ending, surrogate)
            out.append(self._digits(name.text[position : part.start], scope) + surrogate)
            position = part.end + len(part.ending)
        return "".join(out) + self._digits(name.text[position:], scope)

    @staticmethod
    def _digits(text: str, scope: Scope) -> str:
        return re.sub(r"\d+", lambda match: scope.digits(match[0], "person"), text)

    def _initials(
        self,
        name: Name,
        names: Sequence[Name],
        chosen: Mapping[tuple[str, str], str],
        scope: Scope,
    ) -> list[str]:
        """The new initials of a mention: those of the person in the message whom they fit, else
        letters by key."""
        letters = [letter for form in name.forms("initial") for letter in form]
        if not letters:
            return []
        by_key = [scope.pick("initial", letter, LETTERS) for letter in letters]
        known = {form[0]: chosen[role, form][0].upper() for role, form in reversed(list(chosen))}
        firsts = name.forms("first")
        for other in names:
            parts = [(r, f) for r in ("first", "surname") for f in other.forms(r)]
            if firsts:
                # `Oskar F`: the surname of an Oskar.
                fits = other.forms("first")[:1] == firsts[:1]
                parts = [part for part in parts if part[0] == "surname"]
            else:
                fits = True
            if fits and [form[0] for _, form in parts] == letters:
                new = [chosen[part][0].upper() for part in parts]
                break
        else:
            new = [known.get(letter, other) for letter, other in zip(letters, by_key)]
        # A surrogate with the same initial must not leave it standing.
        return by_key if [letter.lower() for letter in new] == letters else new

    # Numbering

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same person.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too. Then a
            person goes by the first name, or else the surname, whatever else the message tells.
        RETURNS (list[str]): A name for each mention, the same for the same person.
        """
        names = self.read([mention.text for mention in mentions])
        keys = []
        for name in names:
            firsts = [self.nicks.get(form, [form])[0] for form in name.forms("first")]
            surnames, initials = name.forms("surname"), "".join(name.forms("initial"))
            keys.append((" ".join(firsts), " ".join(surnames), initials))
        if conversation:
            return [
                first or last or initials or fold(n.text)
                for n, (first, last, initials) in zip(names, keys)
            ]
        people = list(dict.fromkeys(key for key in keys if key[0] and key[1]))
        out = []
        for name, (first, last, initials) in zip(names, keys):
            fits = [
                person
                for person in people
                if (not first or self._starts(person[0], first))
                and (not last or last in (person[1], person[1].split()[-1]))
                and (not initials or self._initials_fit(initials, first, person))
            ]
            key = (
                fits[0] if len(fits) == 1 or (first and last and fits) else (first, last, initials)
            )
            out.append("|".join(key) if any(key) else fold(name.text))
        return out

    @staticmethod
    def _starts(whole: str, beginning: str) -> bool:
        return whole == beginning or whole.startswith(beginning + " ")

    @staticmethod
    def _initials_fit(initials: str, first: str, person: tuple[str, str, str]) -> bool:
        letters = "".join(word[0] for word in person[1].split())
        if not first:
            letters = "".join(word[0] for word in person[0].split()) + letters
        return initials == letters
