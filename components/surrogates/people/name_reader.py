"""Reading the names of people: which words of a mention are titles, first names, surnames."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property

from ...lists.neighbours import FUZZY_MIN, Neighbours
from ...text.casing import fold, to_ascii
from ...text.compounds import ARABIC, DOUBTFUL, PARTICLES
from ..core.scope import Mention
from .corrections import find_corrections, get_role
from .name_forms import (
    ARTICLE,
    BOWING,
    COMPOUND,
    HONORIFICS,
    NO_GENITIVE,
    WORDS,
    Name,
    Part,
    looks_like_surname,
)
from .name_genders import Genders
from .name_roles import Roles
from .spellings import get_sound, get_words, get_written
from .titles import OWNING, Titles

Row = Mapping[str, str]

LONG = 9  # letters of a name that may have two slips
RARE = "3"
OWNED = [[word] for word in OWNING]
# Who is pregnant, behind a name and in front of one.
PREGNANT = re.compile(
    r"\W*(?:(?:och|jag|som|är|e|nu|har|blev|blivit|snart)\W+){0,5}(?:hög)?gravid\b", re.IGNORECASE
)
PREGNANT_AHEAD = re.compile(
    r"\bjag\s+(?:är|e)\s+(?:nu\s+)?gravid\b[^?]*(?:\b(?:mvh|hälsn\w*|heter)|/)\W*$", re.IGNORECASE
)
# In front of a name these are hardly anything else.
SURE_PARTICLES = PARTICLES - DOUBTFUL
JOINING = frozenset(WORDS["joining"])
FEATURES = ("gender", "origin", "ambiguous", "common", "era")


class NameReader:
    """Reads mentions of people, by the lists that `PersonSurrogates` gets."""

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.first = self._index(lists.get("first_names", ()))
        self.surnames = self._index(lists.get("surnames", ()))
        self.doubles = {
            fold(row["name"]): {"name": row["name"], **_get_features(row)}
            for row in (*lists.get("first_names", ()), *lists.get("double_names", ()))
            if "-" in row["name"]
        }
        self.joined = {double.replace("-", ""): double for double in self.doubles}
        # The names that each nickname stands for, and the other way round.
        self.nicks: dict[str, list[str]] = {}
        self.pets: dict[str, list[str]] = {}
        self._common_nicks: set[str] = set()
        # The nicknames that a surrogate may have.
        self.nicks_of: dict[str, list[str]] = {}
        for row in lists.get("nicknames", ()):
            nick, name = fold(row["nick"]), fold(row["name"])
            self.nicks.setdefault(nick, []).append(name)
            self.pets.setdefault(name, []).append(nick)
            if row.get("common") != RARE:
                self._common_nicks.add(nick)
                if not row.get("ambiguous") and "-" not in nick:
                    self.nicks_of.setdefault(name, []).append(row["nick"])
        # The origins of names that people of several bear.
        self.shared = {
            fold(row["name"]): frozenset(row["origins"].split())
            for row in lists.get("shared_names", ())
        }
        self._near_names = Neighbours(dict.fromkeys([*self.first, *self.surnames]))
        self.titles = Titles(lists.get("titles", ()), self.known, self._near_names)
        self.ascii: dict[str, tuple[str, str]] = {}
        for role, names in (("first", self.first), ("surname", self.surnames)):
            for form in names:
                self.ascii.setdefault(to_ascii(form), (role, form))
        self.genders = Genders(self.first, self._near_names)
        # The man's form of each woman's surname, and the other way round.
        self.masculine: dict[str, str] = {}
        self.feminine: dict[str, str] = {}
        for form, row in self.surnames.items():
            if row["gender"] == "f":
                male = self._bow(form)
                if male and self.surnames[male]["gender"] == "m":
                    self.masculine[form] = male
                    self.feminine[male] = form
        self._roles = Roles(self.first, self.surnames, self.nicks)

    @staticmethod
    def _index(rows: Sequence[Row]) -> dict[str, Row]:
        index: dict[str, Row] = {}
        named = [(ARTICLE.sub("", row["name"]), row) for row in rows]
        # A name that is listed without an article is the one that is meant: `Sayed`, `El Sayed`.
        for name, row in sorted(named, key=lambda pair: pair[0] != pair[1]["name"]):
            if "-" not in name and " " not in name:
                index.setdefault(fold(name), {"name": name, **_get_features(row)})
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
        """The form of a surname that a family shares: of those that bow to the gender, the man's."""
        if form in self.surnames:
            return self.masculine.get(form, form)
        return self._bow(form) or form

    def is_pet(self, form: str) -> bool:
        """Whether a first name is only a short form of others, as names go."""
        row = self.first.get(form)
        return form in (self.nicks if row is None else self._common_nicks) and (
            row is None or row["common"] == RARE
        )

    def get_kin(self, form: str) -> tuple[str, ...]:
        """Get the names that are the same but shorter or longer."""
        whole = self.nicks.get(form, ())
        others = (pet for name in (form, *whole) for pet in self.pets.get(name, ()))
        return (form, *whole, *others)

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """The listed surnames by their sound."""
        found: dict[str, list[str]] = defaultdict(list)
        for form, row in self.surnames.items():
            if form not in self.masculine and form not in self.feminine:
                found[get_sound(form)].append(row["name"])
        return found

    def get_spellings(self, form: str) -> list[str]:
        return [name for name in self.spellings.get(get_sound(form), ()) if fold(name) != form]

    def read(self, mentions: Sequence[Mention]) -> list[Name]:
        """Read the mentions of people in a message or a conversation, all at once: a name that
        one mention makes plain helps to read the others."""
        get_named = cache(lambda: get_written(mention.text for mention in mentions))
        names = [self._split(mention.text, mention.before, get_named) for mention in mentions]
        for name, mention in zip(names, mentions):
            name.gender = name.gender or self.titles.get_gender_ahead(mention.before)
            if PREGNANT.match(mention.after) or PREGNANT_AHEAD.search(mention.before):
                name.gender = name.gender or "f"
            name.role = get_role(mention)
        parts = [part for name in names for part in name.parts]
        vocabulary = {part.form for part in parts}
        for part in parts:
            self._stem(part, vocabulary)
        canonical = self._merge_spellings([*dict.fromkeys(part.form for part in parts)])
        right = find_corrections(names, mentions, self.known)
        for part in parts:
            part.form = canonical[right.get(part.form, part.form)]
        self._roles.assign(names)
        for name in names:
            self._join_doubles(name)
        return names

    def _join_doubles(self, name: Name) -> None:
        """Make one name of two that are a double name: `Lars Erik`."""
        units: list[list[Part]] = []
        for unit in name.units:
            last = units[-1] if units else []
            singles = len(last) == len(unit) == 1 and last[0].role == unit[0].role == "first"
            if singles and f"{last[0].form}-{unit[0].form}" in self.doubles:
                last.append(unit[0])
            else:
                units.append(unit)
        name.units = units

    def _split(self, text: str, before: str, get_named: Callable[[], set[str]]) -> Name:
        name = Name(text)
        words = get_words(text, before, get_named, self.known)
        # Without the s of Anna's and of LN:s.
        signs = (":", "'", "’")
        words = [w for w in words if w.text not in "sS" or not text[: w.start].endswith(signs)]
        first = self.titles.skip(name, words)
        if name.kind == "kin" and first == 1 and fold(words[0].text) in HONORIFICS:
            # `fru Berg`, but `min fru Eva`.
            name.kind = "kin" if before.lower().split()[-1:] in OWNED else "honorific"
        origin, has_particle = "", False
        for i in range(first, len(words)):
            word = words[i]
            form = fold(word.text)
            gap = text[words[i - 1].end : word.start] if i > first else ""
            if i + 1 < len(words) and form in PARTICLES:
                after = text[word.end : words[i + 1].start]
                alone = form in SURE_PARTICLES and form not in self.first
                if word.text.islower() or after == "-" or name.units or alone:
                    origin = "ar" if form in ARABIC else origin
                    has_particle = True
                    continue
            is_within = name.units and i + 1 < len(words) and word.text.islower()
            if is_within and (form in self.titles or form in JOINING) and not self.known(form):
                # `Mattias mamma Gunnel`, `anna och bo`
                continue
            if "," in gap and name.comma is None and not word.gap:
                name.comma = len(name.units)
            where = word.start, word.end, word.text, form
            part = Part(*where, origin=origin, gap=word.gap, has_particle=has_particle)
            origin, has_particle = "", False
            last = name.units[-1] if name.units else []
            # In `Ulla-B` the letter stands for the surname.
            alike = last and (len(last[-1].word) > 1) == (len(word.text) > 1)
            if alike and gap == "-" and last[-1].end == words[i - 1].end:
                last.append(part)
            else:
                name.units.append([part])
        return name

    def known(self, form: str) -> bool:
        return form in self.first or form in self.surnames or form in self.nicks

    def _stem(self, part: Part, vocabulary: set[str]) -> None:
        """Take a genitive ending off, or what a surname is put together with."""
        form = part.form
        if len(form) < 3 or part.gap or self.known(form):
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
        canonical = {form: form for form in forms}
        unlisted = [form for form in forms if len(form) >= FUZZY_MIN and not self.known(form)]
        if not unlisted:
            return canonical
        anchors = [form for form in forms if self.known(form)]
        near = Neighbours(anchors, shortest=FUZZY_MIN - 1)
        far = Neighbours(anchors, shortest=LONG - 2, slips=2)
        # A surname that looks like one is rather spelled right.
        for form in sorted(unlisted, key=looks_like_surname, reverse=True):
            found = near.find(form) or (far.find(form) if len(form) >= LONG else [])
            canonical[form] = found[0] if found else self._neighbour(form) or form
            if canonical[form] == form:
                near.add(form)
                far.add(form)
        return canonical

    def _neighbour(self, form: str) -> str:
        """The one listed name that differs in a letter, but not the first, if there is just one."""
        found = {name for name in self._near_names.find(form) if name[0] == form[0]}
        return found.pop() if len(found) == 1 else ""


def _get_features(row: Row) -> dict[str, str]:
    return {key: row.get(key) or "" for key in FEATURES}
