"""Telling which mentions of people are the same person."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ...lists.neighbours import FUZZY_MIN, HALF
from ..core.scope import Mention
from .corrections import find_aliases
from .name_forms import Name
from .name_reader import NameReader
from .profiles import (
    PROFESSIONAL,
    People,
    Person,
    best_of,
    has_variant,
    share_surname,
    surnames_agree,
)
from .spellings import get_sound

# Endings of pet names that are made from the beginning of a name: `Mille` of `Milena`.
PET_ENDING = re.compile(r"(?:e|an|is|is|ca|ka|y|ie|i|o|s|u)$")
STEM = 3  # letters that a pet name shares with its name
LONGEST_STEM = 12  # by so many letters somebody is found at most
# Pronouns behind a name that are about its bearer more often than not.
PRONOUN = re.compile(r"\b(?:(?P<f>hon|henne|hennes|she|her)|(?P<m>han|honom|hans|he|him|his))\b")


class PeopleLinker:
    """Links the mentions of people in a message or a conversation.

    Full names come first, then first names, pet names, surnames and last initials: each joins
    the person that fits it, and of several the one that most speaks for: whom kinship word or
    title agree with, who is in the same message, who is mentioned most. A kinship word and a
    professional title make two people of one first name. Nobody is linked by a title alone."""

    def __init__(self, reader: NameReader) -> None:
        self.reader = reader

    def link(self, names: Sequence[Name], mentions: Sequence[Mention]) -> list[Person]:
        """Link the mentions: every one belongs to one of the people."""
        people = People((), _names, _names_sought)
        groups: dict[str, list[Person]] = {}
        for i, (name, mention) in enumerate(zip(names, mentions)):
            person, kind = self._read(i, name, mention)
            groups.setdefault(kind, []).append(person)
        for person in groups.get("full", ()):
            people.join(person, _fits_first, _fits_variant)
        for person in groups.get("initial surname", ()):
            people.join(person, _fits_letter)
        for person in groups.get("first", ()):
            people.join(person, _fits_first)
        people = People(self._join_pet_names(people.all, mentions), _names, _names_sought)
        for person in groups.get("surname", ()):
            if person.stated_gender:
                gender = person.stated_gender
                people.join(person, self._fits_surname(gender), self._fits_surname("", "n"))
            else:
                people.join(person, _fits_here, share_surname, has_variant)
        families = People((), _names, _names_sought)
        for person in groups.get("family", ()):
            families.join(person, share_surname)
        people = People(people.all, _initials)
        for person in groups.get("initials", ()):
            people.join(person, _fits_initials, _fits_letters_of_title)
        return people.all + families.all + groups.get("nobody", [])

    def _read(self, i: int, name: Name, mention: Mention) -> tuple[Person, str]:
        person = Person([i], messages={mention.message})
        letters = ""
        for unit in name.units:
            role = unit[0].role
            if role == "first":
                person.firsts["-".join(part.form for part in unit)] = 1
            elif role == "surname":
                for part in unit:
                    family = self.reader.family(part.form)
                    person.surnames[family] = None
                    person.bows |= family != part.form
            else:
                letters += "".join(part.form for part in unit)
        if name.gender:
            person.genders[name.gender] += 1
        if name.kind:
            person.kinds.add(name.kind)
        if name.kind == "family" or any(p.ending not in ("", "s", "S") for p in name.parts):
            return person, "family"
        if person.firsts and not person.surnames and letters:
            person.initials[letters[-1]] = None
        if person.firsts:
            return person, "full" if person.surnames or letters else "first"
        if person.surnames and letters:
            person.initials[letters[0]] = None
            return person, "initial surname"
        if person.surnames:
            return person, "surname"
        if letters:
            person.initials[letters] = None
            return person, "initials"
        return person, "nobody"

    def _fits_surname(self, *genders: str) -> Callable[[Person, Person], bool]:
        return lambda other, person: share_surname(other, person) and self.gender(other) in genders

    # Pet names

    def _join_pet_names(self, people: list[Person], mentions: Sequence[Mention]) -> list[Person]:
        """Join people who go by a pet name only to the one person whose it may be."""
        short = [p for p in people if not p.surnames and len(p.firsts) == 1]
        kept = People((p for p in people if p.surnames or len(p.firsts) != 1), _stems)
        aliases = find_aliases(mentions)
        owners = {i: person for person in kept.all for i in person.names}
        # The longest first: the shorter rather is the pet name.
        for person in sorted(short, key=lambda p: -len(next(iter(p.firsts)))):
            pet = next(iter(person.firsts))
            names = self.reader.nicks.get(pet, ())
            found = [p for p in kept.find(person, names) if surnames_agree(p, person)]
            if not found:
                found = [
                    p
                    for p in kept.find(person, _get_beginnings(pet))
                    if surnames_agree(p, person) and self._shortens(pet, person, p)
                ]
                named = [owners[i] for j in person.names if (i := aliases.get(j)) in owners]
                found = found or [p for p in named if surnames_agree(p, person)]
                found = found if len({*map(id, found)}) == 1 else []
            best = best_of(found, person) if found else None
            if best:
                words = get_words(best.firsts)
                whole = [word for word in words if word in names]
                begun = [word for word in words if self._begins(pet, word)]
                best.pets[pet] = [*whole, *begun, *words, pet][0]
                kept.take(best, person)
            else:
                kept.add(person)
            owners |= dict.fromkeys(person.names, best or person)
        return kept.all

    def _shortens(self, pet: str, person: Person, other: Person) -> bool:
        # A pet name may be of men and women.
        own = person.stated_gender if pet in self.reader.nicks else self.gender(person)
        # In one message `Abdi` and `Abdirahman` are two.
        if {own, self.gender(other)} >= {"f", "m"} or (
            pet in self.reader.first and person.messages & other.messages
        ):
            return False
        return any(self._begins(pet, name) for name in get_words(other.firsts))

    def _begins(self, pet: str, name: str) -> bool:
        """Whether a word is the beginning of a name, perhaps with an ending of pet names."""
        listed = pet in self.reader.first and pet not in self.reader.nicks
        if name.startswith(pet):
            return len(pet) >= STEM and name != pet
        if listed or len(pet) > len(name) + 2:
            return False
        return any(name.startswith(stem) for stem in _get_stems(pet))

    # Gender

    def gender(self, person: Person) -> str:
        """The gender of a person: "f", "m", "n" for a neutral name, "" if nothing tells."""
        if person.stated_gender:
            return person.stated_gender
        for first in get_words(person.firsts):
            row = self.reader.first.get(first)
            if row:
                return row["gender"]
            whole = map(self.reader.first.get, self.reader.nicks.get(first, ()))
            genders = {row["gender"] for row in whole if row}
            if genders:
                # Pet names that men and women have.
                return genders.pop() if len(genders) == 1 else "n"
        return "f" if person.bows else ""

    def guess_gender(self, person: Person, mentions: Sequence[Mention]) -> str:
        """The gender that a kinship word right behind a mention tells, else the first pronoun there; "" if none."""
        votes: Counter[str | None] = Counter()
        for after in (mentions[i].after for i in person.names):
            match = PRONOUN.search(after.lower())
            votes[self.reader.titles.get_gender_behind(after) or match and match.lastgroup] += 1
        return "" if votes["f"] == votes["m"] else "f" if votes["f"] > votes["m"] else "m"


def _fits_first(other: Person, person: Person) -> bool:
    return _share_first(other, person) and surnames_agree(other, person)


def _fits_variant(other: Person, person: Person) -> bool:
    return _share_first(other, person) and has_variant(other, person)


def _fits_here(other: Person, person: Person) -> bool:
    """A surname alone that the same message names, or corrects: `Gebremedhin with a gh`."""
    here = bool(other.messages & person.messages)
    return here and (share_surname(other, person) or has_variant(other, person))


def _fits_letter(other: Person, person: Person) -> bool:
    """`N. Eskandari`."""
    letter = next(iter(person.initials))
    return share_surname(other, person) and any(first[0] == letter for first in other.firsts)


def _fits_initials(other: Person, person: Person) -> bool:
    letters = next(iter(person.initials))
    if len(letters) == 1 and person.kinds & PROFESSIONAL:
        return any(surname[0] == letters for surname in other.surnames)
    return letters in get_ways(other)


def _fits_letters_of_title(other: Person, person: Person) -> bool:
    letters = next(iter(person.initials))
    return any(letters == name[0] for name in (*other.surnames, *other.firsts))


def _names(person: Person) -> Iterable[str]:
    """What somebody is found by: all names."""
    yield from _surnames(person)
    yield from (f"{first}{'+' if person.surnames else '-'}" for first in _joined_firsts(person))


def _names_sought(person: Person) -> Iterable[str]:
    """What is looked up to find somebody. People of one first name who have surnames have one of
    them in common, too."""
    yield from _surnames(person)
    for first in _joined_firsts(person):
        yield f"{first}-"
        if not person.surnames:
            yield f"{first}+"


def _surnames(person: Person) -> Iterable[str]:
    for surname in person.surnames:
        yield surname
        if len(surname) >= FUZZY_MIN:
            # A variant has one of its ends.
            yield f"{surname[:HALF]}…"
            yield f"{surname[0]}…{surname[-HALF:]}"
            yield f"~{get_sound(surname)}"


def _joined_firsts(person: Person) -> Iterable[str]:
    """First names, also written as one."""
    yield from person.firsts
    if len(person.firsts) > 1 or any("-" in first for first in person.firsts):
        yield "".join(person.firsts).replace("-", "")


def _stems(person: Person) -> Iterable[str]:
    """What somebody is found by: all first names, and their beginnings."""
    for word in get_words(person.firsts):
        yield word
        yield from (f"{word[:end]}…" for end in range(STEM, min(len(word), LONGEST_STEM) + 1))


def _get_stems(pet: str) -> list[str]:
    """What a pet name may be made from: `mill`, `mil` of `mille`."""
    stem = PET_ENDING.sub("", pet)
    double = stem[-1:] == stem[-2:-1]
    return [part for part in (stem, stem[:-1] if double else stem) if len(part) >= STEM]


def _get_beginnings(pet: str) -> list[str]:
    return [f"{part[:LONGEST_STEM]}…" for part in {pet, *_get_stems(pet)} if len(part) >= STEM]


def get_words(firsts: dict[str, int]) -> list[str]:
    """Get first names, and the parts of the hyphenated ones."""
    return [*firsts, *(part for first in firsts if "-" in first for part in first.split("-"))]


def _share_first(other: Person, person: Person) -> bool:
    one, two = other.firsts.keys(), person.firsts.keys()
    if one and two and (one <= two or two <= one):
        return True
    return "".join(one).replace("-", "") == "".join(two).replace("-", "")


def get_ways(person: Person) -> set[str]:
    """Get all ways to write the initials of a person."""
    last = "".join(name[0] for name in person.surnames) or "".join(person.initials)
    ways = {"".join(part[0] for first in person.firsts for part in first.split("-")) + last}
    for first in person.firsts:
        for ahead in ("".join(part[0] for part in first.split("-")), first[0]):
            ways |= {ahead, ahead + last, ahead + last[-1:]}
    return ways


def _initials(person: Person) -> Iterable[str]:
    """What somebody is found by: initials, also that of a surname alone."""
    return get_ways(person) | {name[0] for name in person.surnames}
