"""Surrogates of people's names."""

import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from ...lists.neighbours import FUZZY_MIN
from ...text.casing import fold, like_case, to_ascii
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from .corrections import get_letters
from .name_chooser import ANYBODY, Bearer, NameChooser
from .name_forms import Name
from .name_origins import ToldOrigins
from .name_reader import NameReader, Row
from .name_writer import LETTERS, Chosen, MentionWriter
from .people_linker import PeopleLinker, get_words
from .profiles import PROFESSIONAL, Person, is_variant
from .spellings import get_sound

__all__ = ["LETTERS", "PersonSurrogates"]

# A handle, a web address or a password with a name in it; the site of a web address.
FORM = re.compile(
    r"(?=\S*[@_\d]|\S*\w\.\w\S*/|\S*[^\W\d_]{2}\.[^\W\d_]{2})(?=\S*[^\W\d_]{2})\S{3,400}"
)
SITE = re.compile(
    r"(?:(?:https?|ftp)://|www\.)[^/\s]+|[^/@\s]+\.[^/@\s]+(?=/)|[^/@\s]+\.(?:se|com|nu|org|net|eu)\Z",
    re.IGNORECASE,
)
PIECE = re.compile(r"[^\W\d_]+|\d+")
LONGEST_WORD = 40
# So long is a name that is looked for within a word, too: `annasblogg`.
SHORTEST_WITHIN = 4
MOST_NAMES = 12  # names of those who share one that its surrogate must not show
Known = tuple[str, str]  # "first" or "surname", and the folded name


class PersonSurrogates(Replacer):
    """Replaces names of people by names that others of their age and origin bear.

    First names and surnames are chosen independently, each by its own form: so `Fadumo Warsame`,
    `Fadumo` and `Warsames` agree in any message, and people who share a surname still share one.
    A double name is one name. Titles and kinship words in front of a name, particles, genitive,
    casing and hyphens stay, and what is spelled out is spelled out again. A handle, a web address or a password
    with a name in it follows the names, its numbers change.

    Where all messages are at hand, their mentions are linked first (`PeopleLinker`), and what one
    tells of a person holds for all: a kinship word or a title decides the gender, pet names and
    initials follow the name, two spellings of a surname are those of one surrogate, an unlisted
    first name has the origin of the surname.

    lists (Mapping[str, Sequence[Row]]): `first_names`, `surnames`, `nicknames`, `double_names`,
        `shared_names`, `languages`, `titles`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.reader = NameReader(lists)
        self.linker = PeopleLinker(self.reader)
        self.chooser = NameChooser(self.reader, lists.get("double_names", ()))
        self.told_origins = ToldOrigins(lists.get("languages", ()))
        self.ascii = self.reader.ascii

    def read(self, texts: Sequence[str]) -> list[Name]:
        return self.reader.read([*map(Mention, texts)])

    def link(self, mentions: Sequence[Mention]) -> tuple[list[Name], list[Person]]:
        names = self.reader.read(mentions)
        return names, self.linker.link(names, mentions)

    # Choosing

    def get_name(self, role: str, form: str, scope: Scope) -> str:
        """Get the surrogate of one name, "first" or "surname", which somebody may have already."""
        if (role, form) not in scope.ledger.names:
            scope.ledger.names[role, form] = (
                self._choose_surname(form, scope, ANYBODY)
                if role == "surname"
                else self._choose_first(form, Person(), {}, ANYBODY, scope)
            )
        return scope.ledger.names[role, form]

    def _choose_names(
        self,
        names: Sequence[Name],
        people: Sequence[Person],
        genders: Sequence[str],
        mentions: Sequence[Mention],
        scope: Scope,
    ) -> list[Chosen]:
        # What other messages tell of a person must not matter where they are not at hand.
        bearers = [ANYBODY] * len(people)
        letters: dict[str, str] = {}
        firsts: set[str] = set()
        if scope.whole:
            bearers = self._get_bearers(names, people, scope)
            letters = _get_letters(names, mentions)
            firsts = {form for person in people for form in person.firsts}
        shared = _get_shared(bearers)
        # By person, the names that come first.
        leading: set[tuple[int, str]] = set()
        wanted: list[tuple[int, int, str, str, str]] = []
        for number, person in enumerate(people):
            for i in person.names:
                leading.update((number, form) for form in names[i].forms("first")[:1])
                for unit in names[i].units:
                    role = unit[0].role
                    if role == "first" and len(unit) > 1:
                        double = "-".join(part.form for part in unit)
                        wanted.append((0, number, "double", double, unit[0].origin))
                    elif role != "initial":
                        listed = self.reader.surnames if role == "surname" else self.reader.first
                        ranked = ((1 + (part.form not in listed), part) for part in unit)
                        wanted += [(r, number, role, part.form, part.origin) for r, part in ranked]
        # Listed names first: their surrogates are fixed, the others give way.
        wanted.sort(key=lambda item: item[0])
        chosen: list[Chosen] = [{} for _ in people]
        known_as: dict[str, str] = {}
        for _, number, role, form, origin in wanted:
            own, person = chosen[number], people[number]
            if ("first" if role == "double" else role, form) in own:
                continue
            bearer = bearers[number]
            bearer = bearer._replace(
                near=(origin,) if origin else bearer.near,
                names=tuple(shared.get(form, bearer.names)),
                letters=letters.get(form, ""),
            )
            # The names behind it may be those of a father.
            gender = genders[number] if (number, form) in leading else ""
            gender = self._get_gender_that_matters(form, person, gender, scope)
            if role == "double":
                self._choose_double(form, own, bearer._replace(gender=genders[number]), scope)
            elif role == "surname" and form in firsts and form in self.reader.surnames:
                # `Hussein Ali`, the son of `Ali Hussein`.
                own[role, form] = self._choose_first(form, person, own, bearer, scope)
            elif role == "surname":
                own[role, form] = self._choose_spelling(form, own, bearer, scope)
            elif gender and gender != known_as.setdefault(form, gender):
                # Another of the same name and of another gender has a name of his own.
                other = bearer._replace(gender=gender)
                own[role, form] = self.chooser.choose_first(form, scope, other, f"{form} {gender}")
            else:
                known_as.setdefault(form, gender)
                bearer = bearer._replace(gender=gender)
                own[role, form] = self._choose_first(form, person, own, bearer, scope)
        return chosen

    def _get_bearers(
        self, names: Sequence[Name], people: Sequence[Person], scope: Scope
    ) -> list[Bearer]:
        listed = [self._get_origins(person) for person in people]
        relatives: dict[str, list[str]] = defaultdict(list)
        for person, own in zip(people, listed):
            for surname in person.surnames:
                relatives[surname] += own
        origins = [
            own or self._guess_origins(person, relatives[next(iter(person.surnames), "")])
            for person, own in zip(people, listed)
        ]
        lay = [own for person, own in zip(people, origins) if not person.kinds & PROFESSIONAL]
        told = () if all(lay) else self.told_origins.read(scope.texts)
        family = [*dict.fromkeys(chain(told, *lay))]
        return [
            self._get_bearer(names, person, own or ([] if person.kinds & PROFESSIONAL else family))
            for person, own in zip(people, origins)
        ]

    def _get_bearer(self, names: Sequence[Name], person: Person, near: Sequence[str]) -> Bearer:
        parts = [part for i in person.names for part in names[i].parts if part.role != "initial"]
        pets = [*person.pets, *filter(self.reader.is_pet, person.firsts)]
        eras = (row["era"] for pet in pets if (row := self.reader.first.get(pet)))
        whole = {name for pet in pets for name in self.reader.nicks.get(pet, ())}
        sounds = [get_sound(name) for name in person.surnames if len(name) >= FUZZY_MIN]
        return Bearer(
            near=tuple(near),
            names=tuple(dict.fromkeys(part.form for part in parts))[:MOST_NAMES],
            has_pet_name=bool(pets),
            pet_era=next(filter(None, eras), "") if whole.isdisjoint(person.firsts) else "",
            has_spellings=len({*sounds}) < len(sounds),
        )

    def _get_gender_that_matters(self, form: str, person: Person, gender: str, scope: Scope) -> str:
        """The gender of a person, if a first name does not tell it or tells another one."""
        row = self.reader.first.get(form)
        if row is None:
            return gender
        contradicts = {row["gender"], gender} == {"f", "m"}
        return gender if contradicts and scope.whole and form not in person.pets else ""

    def _get_origins(self, person: Person) -> list[str]:
        """The origins of a person's listed names that one origin has."""
        first = map(self.reader.first.get, get_words(person.firsts))
        rows = filter(None, (*map(self.reader.surnames.get, person.surnames), *first))
        own = (row for row in rows if fold(row["name"]) not in self.reader.shared)
        return [*dict.fromkeys(row["origin"] for row in own)]

    def _guess_origins(self, person: Person, near: Sequence[str]) -> list[str]:
        """What the letters tell of a first name and a surname without a listed origin, if they may be of one that
        others who have the surname are of."""
        if not (person.surnames and person.firsts):
            return []
        guess = self.chooser.get_origin("surname", next(iter(person.surnames)), near)
        shared = filter(None, map(self.reader.shared.get, (*person.firsts, *person.surnames)))
        return [guess] if guess and all(guess in origins for origins in shared) else []

    def _choose_surname(self, form: str, scope: Scope, bearer: Bearer) -> str:
        family = self.reader.family(form)
        new = self.chooser.choose_surname(family, scope, bearer)
        if family == form:
            return new
        female = self.reader.feminine.get(fold(new))
        return self.reader.surnames[female]["name"] if female else new

    def _choose_spelling(self, form: str, own: Chosen, bearer: Bearer, scope: Scope) -> str:
        """Choose a surname; of one in another spelling another spelling of its surrogate."""
        spelled = (other for role, other in own if role == "surname")
        variant = next((other for other in spelled if is_variant(other, form)), None)
        if variant is None or not scope.whole:
            return self._choose_surname(form, scope, bearer)
        return self.chooser.respell(own["surname", variant], scope)

    def _choose_double(self, form: str, own: Chosen, bearer: Bearer, scope: Scope) -> None:
        new = self.chooser.choose_double(form, scope, bearer)
        own["first", form] = new
        for old, part in zip(form.split("-"), new.split("-")):
            own.setdefault(("first", old), part)

    def _choose_first(
        self, form: str, person: Person, own: Chosen, bearer: Bearer, scope: Scope
    ) -> str:
        double = self.reader.joined.get(form)
        if double and form not in self.reader.first:
            new = own.get(("first", double)) or self.chooser.choose_double(double, scope, bearer)
            return new.replace("-", "").capitalize()
        name = person.pets.get(form) if scope.whole else None
        if not name and self.reader.is_pet(form):
            name = self._get_long_name(form, person, bearer)
        if not name:
            return self.chooser.choose_first(form, scope, bearer)
        # A pet name follows the name that it stands for.
        choose = self.chooser.choose_double if "-" in name else self.chooser.choose_first
        first = (own.get(("first", name)) or choose(name, scope, bearer)).split("-")[0]
        pet = self.chooser.choose_pet(form, first, scope, bearer)
        in_double = any("-" in other and name in other.split("-") for _, other in own)
        if pet == first and scope.whole and name in scope.ledger.originals and not in_double:
            # Two names stay two, but `Olle` is a part of `Sven-Olof`.
            return self.chooser.choose_first(form, scope, bearer._replace(has_pet_name=False))
        return pet

    def _get_long_name(self, form: str, person: Person, bearer: Bearer) -> str:
        """The name that a pet name stands for: one of the person, one of the gender, any."""
        names, first = self.reader.nicks[form], self.reader.first
        own = [name for name in names if name in person.firsts]
        known = (name for name in names if name in first)
        of_gender = (name for name in known if first[name]["gender"] == bearer.gender)
        return [*own, *of_gender, *names][0]

    # Writing

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        is_form = [FORM.fullmatch(m.text) or self._is_handle(m) for m in mentions]
        people = [mention for mention, form in zip(mentions, is_form) if not form]
        # What other names have become is known then.
        new = iter(self._replace_people(people, scope))
        return [
            self._write_form(mention.text, scope) if form else next(new)
            for mention, form in zip(mentions, is_form)
        ]

    def _is_handle(self, mention: Mention) -> bool:
        """Whether a mention is a user name, and no name behind an @: `@annaek`, but `@Anna`, `@Anna Ek`."""
        one = not any(map(str.isspace, mention.text))
        return mention.before.endswith("@") and one and to_ascii(mention.text) not in self.ascii

    def _write_form(self, text: str, scope: Scope) -> str:
        """Replace the names in a handle, a web address or a password, and its numbers. Of a web address the
        words that are no names stay, and of its site all that nobody in the messages is called.
        """
        site = SITE.match(text)
        start = site.end() if site else 0
        named = {to_ascii(form): (role, form) for role, form in reversed(scope.ledger.names)}

        def write(match: "re.Match[str]") -> str:
            word, in_site = match[0], match.start() < start
            if word.isdecimal():
                return word if in_site else scope.digits(word, "handle")
            key = to_ascii(word)
            known = _cut_names(key, named if in_site else ChainMap(named, self.ascii))
            if not known and not site:
                known = [("surname", key)]
            if known:
                new = "".join(to_ascii(self.get_name(*name, scope)) for name in known)
                return like_case(word, new)
            # What somebody in the messages is called: `annasblogg`.
            within = (part for part in named if len(part) >= SHORTEST_WITHIN and part in key)
            part = next(within, "") if len(key) == len(word) else ""
            if not part:
                return word
            begin, new = key.find(part), to_ascii(self.get_name(*named[part], scope))
            old = word[begin : begin + len(part)]
            return word[:begin] + like_case(old, new) + word[begin + len(part) :]

        return PIECE.sub(write, text)

    def _replace_people(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        if scope.ledger.known:
            is_forbidden = scope.ledger.is_forbidden
            for forms in (self.reader.masculine, self.reader.feminine):
                scope.ledger.forbid([forms[form] for form in forms if is_forbidden(form)])
        names, people = self.link(mentions)
        guess = self.linker.guess_gender
        genders = [self.linker.gender(p) or guess(p, mentions) for p in people]
        chosen = self._choose_names(names, people, genders, mentions, scope)
        for own in chosen:
            for key, new in own.items():
                scope.ledger.names.setdefault(key, new)
        writer = MentionWriter(people, names, scope)
        out = [""] * len(mentions)
        owners = _get_owners(names, mentions)
        for person, own in zip(people, chosen):
            for i in person.names:
                out[i] = writer.write(names[i], mentions[i].after, own, i in owners)
        return out

    def _get_pool(self) -> Pool:
        return self.chooser.first_pools.like("f", "north", "sv")

    words = "name"

    def get_identifying(self, text: str) -> str:
        """Get the names of a mention, without titles, kinship words and initials."""
        (name,) = self.read([text])
        return " ".join(part.word for part in name.parts if part.role != "initial")

    def _get_pool_of(self, word: str) -> Pool | None:
        return self.chooser.first_pools.of(word) or self.chooser.surname_pools.of(word)

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A title or a kinship word without a name stays."""
        (name,) = self.read([mention.text])
        return bool(name.kind) and not name.parts

    # Numbering

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        _, people = self.link(mentions)
        out = [""] * len(mentions)
        called: Counter[str] = Counter()
        for person in people:
            whole = [person.pets.get(form, form) for form in person.firsts]
            firsts = {self.reader.nicks.get(form, [form])[0] for form in whole}
            known = *sorted(firsts), *sorted(person.surnames or person.initials)
            name = " ".join(known) or fold(mentions[person.names[0]].text)
            # Of those of one name, such as `mamma Eva` and `dr Eva`, each is another.
            called[name] += 1
            for i in person.names:
                out[i] = f"{name} {called[name]}"
            for i in person.guessed:
                out[i] = fold(mentions[i].text)
        return out


def _get_owners(names: Sequence[Name], mentions: Sequence[Mention]) -> set[int]:
    """Those with somebody right behind them who is theirs: `Jonas Elin`, but not a row of names."""
    places = {(mention.message, mention.start): i for i, mention in enumerate(mentions)}
    behind = {}
    for i, (text, _, after, message, start) in enumerate(mentions):
        following = places.get((message, start + len(text) + 1))
        if following is not None and after[:1] == " ":
            behind[i] = following
    return {
        i
        for i, j in behind.items()
        if j not in behind and i not in behind.values()
        if names[j].kind == "kin" or names[j].forms("first")
    }


def _cut_names(key: str, names: Mapping[str, Known]) -> list[Known]:
    """The names that a word in a handle is made of: one, or a first name and a surname."""
    cuts = (len(key), *range(len(key) - 2, 1, -1)) if 1 < len(key) <= LONGEST_WORD else ()
    for cut in cuts:
        parts = key[:cut], key[cut:]
        if all(part in names for part in parts if part):
            return [names[part] for part in parts if part]
    return []


def _get_letters(names: Sequence[Name], mentions: Sequence[Mention]) -> dict[str, str]:
    """The letters that the messages say a name has, by that name."""
    told: dict[str, str] = {}
    for name, mention in zip(names, mentions):
        letters = get_letters(mention.after)
        for part in name.parts if letters else ():
            if letters in fold(part.word):
                told[part.form] = letters
    return told


def _get_shared(bearers: Sequence[Bearer]) -> dict[str, dict[str, None]]:
    """The names of all who share one, by that name."""
    shared: dict[str, dict[str, None]] = {}
    for bearer in bearers:
        for form in bearer.names:
            names = shared.setdefault(form, {})
            if len(names) < MOST_NAMES:
                names.update(dict.fromkeys(bearer.names))
    return shared
