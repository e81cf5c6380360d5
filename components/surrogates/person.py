"""Surrogates of people's names."""

import re
from collections.abc import Mapping, Sequence

from ..swedish.casing import fold, genitive, like_case
from .date_patterns import MONTHS
from .keyed import Mention, Pool, Pools, Scope
from .name_forms import SURNAME_ENDINGS, Name, Part
from .names import NameReader, Row
from .people import Person, is_variant
from .person_linker import PeopleLinker, guess_gender
from .replacer import Replacer

LETTERS = Pool("ABCDEFGHIJKLMNOPRSTUVWY")
DIGITS = re.compile(r"\d+")
# Origins whose names go together where one has too few of its own.
REGIONS: dict[str, str] = {
    origin: region
    for region, origins in (
        ("north", "sv no da is fi sami"),
        ("slavic", "pl ru uk bks cs bg mk bal"),
        ("west", "en de fr nl es pt it ro hu el"),
        ("near east", "ar fa ku tr af syr ur uz he hy sq ka"),
        ("africa", "so ti am eaf waf"),
        ("asia", "zh vi th ja ko hi bn lk tl id mn"),
    )
    for origin in origins.split()
}
# A name, who bears it where that matters, and its surrogate.
Chosen = dict[tuple[str, str], str]


class PersonSurrogates(Replacer):
    """Replaces names of people by common names of the same gender and origin.

    First names and surnames are chosen independently, each by its own form: so `Fadumo Warsame`,
    `Fadumo` and `Warsames` agree in any message, and people who share a surname still share one.
    Titles and kinship words in front of a name, particles, genitive, casing and hyphens stay.

    Where all messages are at hand, their mentions are linked first (`PeopleLinker`), and what one
    tells of a person holds for all: a kinship word or a title decides the gender, a pet name and
    initials follow the name, an unlisted first name has the origin of the surname.

    lists (Mapping[str, Sequence[Row]]): `first_names`, `surnames`, `nicknames`, `titles`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.reader = NameReader(lists)
        self.linker = PeopleLinker(self.reader)
        self.ascii = self.reader.ascii
        self.untelling = self.reader.titles
        self.first_pools = Pools(
            {
                row["name"]: self._like(row["gender"], row)
                for form, row in self.reader.first.items()
                # Nobody is to be called by a month: `Juni`.
                if form not in MONTHS
            },
            ambiguous=_get_ambiguous(self.reader.first),
        )
        self.surname_pools = Pools(
            {
                row["name"]: self._like(self._bows(form, row), row)
                for form, row in self.reader.surnames.items()
                if form not in self.reader.masculine
            },
            ambiguous=_get_ambiguous(self.reader.surnames),
        )

    @staticmethod
    def _like(first: str, row: Row) -> tuple[str, ...]:
        """The features of a name."""
        origin = row["origin"]
        return first, REGIONS.get(origin, origin), origin

    def _bows(self, form: str, row: Row) -> str:
        return "bows" if form in self.reader.feminine else row["gender"]

    def read(self, texts: Sequence[str]) -> list[Name]:
        """Read mentions of people (`NameReader.read`).

        texts (Sequence[str]): The mentions.
        RETURNS (list[Name]): The mentions, read.
        """
        return self.reader.read(texts)

    def link(self, mentions: Sequence[Mention]) -> tuple[list[Name], list[Person]]:
        """Read mentions of people and link them.

        mentions (Sequence[Mention]): The mentions.
        RETURNS (tuple[list[Name], list[Person]]): The mentions, read, and the people.
        """
        texts, before = [m.text for m in mentions], [m.before for m in mentions]
        names = self.reader.read(texts, before)
        return names, self.linker.link(names, mentions)

    # Choosing

    def choose(self, role: str, form: str, scope: Scope, gender: str = "", origin: str = "") -> str:
        """Choose the surrogate of one name.

        role (str): "first" or "surname".
        form (str): The folded name.
        scope (Scope): The conversation or message.
        gender (str): The gender of the person as far as the message tells, for unlisted names
            and those of the other gender.
        origin (str): The origin as far as the message tells, for unlisted names.
        RETURNS (str): A name, cased as in running text.
        """
        return scope.pick(role, form, self._pool(role, form, gender, origin), _Accept(form, scope))

    def get_name(self, role: str, form: str, scope: Scope) -> str:
        """Get the surrogate of one name, which somebody may have already.

        role (str): "first" or "surname".
        form (str): The folded name.
        scope (Scope): The conversation or message.
        RETURNS (str): A name, cased as in running text.
        """
        if (role, form) not in scope.names:
            new = (
                self._surname(form, scope, "")
                if role == "surname"
                else self._first(form, Person(), "", "", scope)
            )
            scope.names[role, form] = new
        return scope.names[role, form]

    def _pool(self, role: str, form: str, gender: str, origin: str) -> Pool:
        if role == "surname":
            form = self.reader.family(form)
            return self.surname_pools.of(form) or self._surnames_like(form, origin)
        row = self.reader.first.get(form)
        if row is not None and gender in ("", row["gender"]):
            return self.first_pools.of(form) or self.first_pools.like(
                *self._like(row["gender"], row)
            )
        if row is not None:
            return self.first_pools.like(gender, *self._like("", row)[1:])
        gender = gender or self.reader.guess_gender(form, origin)
        origin = origin or "sv"
        return self.first_pools.like(gender, REGIONS.get(origin, origin), origin)

    def _surnames_like(self, form: str, origin: str) -> Pool:
        for language, ending in SURNAME_ENDINGS:
            if ending.search(form):
                origin = origin or language
                break
        origin = origin or "sv"
        return self.surname_pools.like("", REGIONS.get(origin, origin), origin)

    def _choose_names(
        self,
        names: Sequence[Name],
        people: Sequence[Person],
        genders: Mapping[int, str],
        scope: Scope,
    ) -> list[Chosen]:
        """Choose the surrogates of each person's names."""
        wanted: list[tuple[bool, int, Part]] = []
        for number, person in enumerate(people):
            for i in person.names:
                for part in names[i].parts:
                    if part.role != "initial":
                        wanted.append((not self._known(part), number, part))
        # Listed names first: their surrogates are fixed, the others give way.
        wanted.sort(key=lambda item: item[0])
        chosen: list[Chosen] = [{} for _ in people]
        bearers: dict[str, str] = {}
        for _, number, part in wanted:
            key, person = (part.role, part.form), people[number]
            if key in chosen[number]:
                continue
            # What other messages tell of a person must not matter where they are not at hand.
            origin = part.origin or (self._origin(person) if scope.whole else "")
            if part.role == "surname":
                spelled = (form for role, form in chosen[number] if role == "surname")
                variant = next((form for form in spelled if is_variant(form, part.form)), None)
                chosen[number][key] = (
                    chosen[number]["surname", variant]
                    if variant and scope.whole
                    else self._surname(part.form, scope, origin)
                )
                continue
            gender = self._gender_that_matters(part, person, genders[number], scope)
            # Another of the same name and of another gender has a name of his own.
            first = bearers.setdefault(part.form, gender)
            if gender and gender != first:
                pool = self._pool("first", part.form, gender, origin)
                value = f"{part.form} {gender}"
                chosen[number][key] = scope.pick("first", value, pool, _Accept(part.form, scope))
            else:
                chosen[number][key] = self._first(part.form, person, gender, origin, scope)
        return chosen

    def _gender_that_matters(self, part: Part, person: Person, gender: str, scope: Scope) -> str:
        """The gender of a person, if a first name does not tell it or tells another one."""
        row = self.reader.first.get(part.form)
        if row is None:
            return gender
        contradicts = {row["gender"], gender} == {"f", "m"}
        return gender if contradicts and scope.whole and part.form not in person.pets else ""

    def _known(self, part: Part) -> bool:
        return part.form in (self.reader.surnames if part.role == "surname" else self.reader.first)

    def _origin(self, person: Person) -> str:
        """The origin of the listed names of a person."""
        for forms, rows in (
            (person.surnames, self.reader.surnames),
            (person.firsts, self.reader.first),
        ):
            for form in forms:
                row = rows.get(form)
                if row and row["origin"]:
                    return row["origin"]
        return ""

    def _surname(self, form: str, scope: Scope, origin: str) -> str:
        family = self.reader.family(form)
        new = self.choose("surname", family, scope, origin=origin)
        if family == form:
            return new
        female = self.reader.feminine.get(fold(new))
        return self.reader.surnames[female]["name"] if female else new

    def _first(self, form: str, person: Person, gender: str, origin: str, scope: Scope) -> str:
        names = self.reader.nicks.get(form, ())
        name = person.pets.get(form) if scope.whole else None
        if not name and form not in self.reader.first and names:
            name = next((name for name in names if name in person.firsts), names[0])
        if not name:
            return self.choose("first", form, scope, gender, origin)
        # A pet name follows the name that it stands for.
        surrogate = self.choose("first", name, scope, gender, origin)
        if not names:
            return surrogate
        taken = scope.taken("first")
        pets = [
            pet
            for pet in self.reader.nicks_of.get(fold(surrogate), ())
            if "-" not in pet
            and fold(pet) not in scope.originals
            and not (scope.whole and fold(pet) in taken)
        ]
        new = min(pets, default=surrogate)
        taken.add(fold(new))
        return new

    # Writing

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        if scope.known:
            for forms in (self.reader.masculine, self.reader.feminine):
                scope.forbid([forms[form] for form in forms if scope.is_forbidden(form)])
        names, people = self.link(mentions)
        genders = {
            number: self.linker.gender(person) or guess_gender(person, mentions)
            for number, person in enumerate(people)
        }
        chosen = self._choose_names(names, people, genders, scope)
        for own in chosen:
            for key, new in own.items():
                scope.names.setdefault(key, new)
        out = [""] * len(mentions)
        for person, own in zip(people, chosen):
            for i in person.names:
                out[i] = self._write(names[i], person, own, scope)
        return out

    def _get_pool(self) -> Pool:
        return self.first_pools.like("f", REGIONS["sv"], "sv")

    words = "name"

    def get_telling(self, text: str) -> str:
        """Get the names of a mention, without titles, kinship words and initials.

        text (str): A mention.
        RETURNS (str): Its names.
        """
        (name,) = self.reader.read([text])
        return " ".join(part.word for part in name.parts if part.role != "initial")

    def _get_pool_of(self, word: str) -> Pool | None:
        return self.first_pools.of(word) or self.surname_pools.of(word)

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A title or a kinship word without a name stays."""
        (name,) = self.reader.read([mention.text])
        return bool(name.kind) and not name.parts

    def _write(self, name: Name, person: Person, chosen: Chosen, scope: Scope) -> str:
        parts = name.parts
        if not parts:
            return self._digits(name.text, scope)
        initials = iter(self._initials(name, person, chosen, scope))
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
        return DIGITS.sub(lambda match: scope.digits(match[0], "person"), text)

    def _initials(self, name: Name, person: Person, chosen: Chosen, scope: Scope) -> list[str]:
        """The new initials of a mention: those of the person's new names, else letters by key."""
        letters = [letter for form in name.forms("initial") for letter in form]
        # `Oskar F`: the surname of Oskar. `Dr F` has one, too.
        has_first = bool(name.forms("first"))
        surname_only = has_first or name.kind in ("title", "role", "honorific")
        roles = ("surname", "first") if surname_only or len(letters) > 1 else ("first", "surname")
        new: list[str] = []
        for k, letter in enumerate(letters):
            if len(letters) > 1 and not has_first:
                roles = ("first", "surname") if k + 1 < len(letters) else ("surname", "first")
            fits = (
                chosen[role, form]
                for role in roles
                for other, form in chosen
                if other == role and form[0] == letter and (role, form)
            )
            letter_of = next(fits, "")[:1].upper()
            by_key = letter_of if letter_of and fold(letter_of) != letter else ""
            new.append(by_key or scope.pick("initial", letter, LETTERS))
        return new

    # Numbering

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same person.

        mentions (Sequence[Mention]): The mentions.
        conversation (bool): Whether the names are to hold for other messages, too, which are not
            at hand. Then a person goes by the first name, or else the surname, whatever else the
            message tells.
        RETURNS (list[str]): A name for each mention, the same for the same person.
        """
        out = [""] * len(mentions)
        if not conversation:
            _, people = self.link(mentions)
            for number, person in enumerate(people):
                for i in person.names:
                    out[i] = str(number)
            return out
        names = self.read([mention.text for mention in mentions])
        for i, name in enumerate(names):
            firsts = [self.reader.nicks.get(form, [form])[0] for form in name.forms("first")]
            rest = " ".join(name.forms("surname")) or "".join(name.forms("initial"))
            out[i] = " ".join(firsts) or rest or fold(name.text)
        return out


def _get_ambiguous(rows: Mapping[str, Row]) -> set[str]:
    return {row["name"] for row in rows.values() if row["ambiguous"]}


class _Accept:
    """Rejects, where all messages are at hand, names that are too much like the original: with
    its initial, which would stay where only that is written, or in another role already."""

    def __init__(self, form: str, scope: Scope) -> None:
        self.form = form
        self.letter = form[:1]
        self.whole = scope.whole
        self.taken = scope.taken

    def __call__(self, name: str) -> bool:
        folded = fold(name)
        if not self.whole:
            return folded != self.form
        return folded[:1] != self.letter and not (
            folded in self.taken("first") or folded in self.taken("surname")
        )
