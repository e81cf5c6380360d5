"""Telling which mentions of people are the same person."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..core.scope import Mention
from .name_forms import Name
from .name_reader import NameReader
from .profiles import (
    PROFESSIONAL,
    People,
    Person,
    best_of,
    share_surname,
    surnames_agree,
)

# Endings of pet names that are made from the beginning of a name: `Mille` of `Milena`.
PET_ENDING = re.compile(r"(?:e|an|is|ca|ka|y|ie|i|o|s|u)$")
STEM = 3  # letters that a pet name shares with its name
# Pronouns behind a name that are about its bearer more often than not.
PRONOUN = re.compile(r"\b(?:(?P<f>hon|henne|hennes|she|her)|(?P<m>han|honom|hans|he|him|his))\b")


class PeopleLinker:
    """Links the mentions of people in a message or a conversation.

    Full names come first, then first names, pet names, surnames and last initials: each joins
    the person that fits it, and of several the one that most speaks for: whom kinship word or
    title agree with, who is in the same message, who is mentioned most. A kinship word and a
    professional title make two people of one first name. Nobody is linked by a title alone.

    reader (NameReader): Knows names.
    """

    def __init__(self, reader: NameReader) -> None:
        self.reader = reader

    def link(self, names: Sequence[Name], mentions: Sequence[Mention]) -> list[Person]:
        """Link the mentions: every mention belongs to one of the people."""
        people = People((), _names, _names_sought)
        groups: dict[str, list[Person]] = {}
        for i, (name, mention) in enumerate(zip(names, mentions)):
            person, kind = self._read(i, name, mention)
            groups.setdefault(kind, []).append(person)
        for person in groups.get("full", ()):
            people.join(person, _fits_first)
        for person in groups.get("initial surname", ()):
            people.join(person, _fits_letter)
        for person in groups.get("first", ()):
            people.join(person, _fits_first)
        people = People(self._join_pet_names(people.all), _names, _names_sought)
        for person in groups.get("surname", ()):
            if person.stated_gender:
                people.join(person, self._fits_surname_and_gender, self._fits_surname)
            else:
                people.join(person, _fits_here, share_surname)
        families = People((), _names, _names_sought)
        for person in groups.get("family", ()):
            families.join(person, share_surname)
        people = People(people.all, _initials)
        for person in groups.get("initials", ()):
            people.join(person, _fits_initials)
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
        if name.kind == "family":
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

    def _fits_surname_and_gender(self, other: Person, person: Person) -> bool:
        return share_surname(other, person) and self.gender(other) == person.stated_gender

    def _fits_surname(self, other: Person, person: Person) -> bool:
        return share_surname(other, person) and self.gender(other) in ("", "n")

    # Pet names

    def _join_pet_names(self, people: list[Person]) -> list[Person]:
        """Join people who go by a pet name only to the one person whose it may be."""
        short = [p for p in people if not p.surnames and len(p.firsts) == 1]
        full = (p for p in people if p.surnames or len(p.firsts) != 1)
        kept = People(full, _stems)
        # The longest first: the shorter rather is the pet name.
        for person in sorted(short, key=lambda p: -len(next(iter(p.firsts)))):
            pet = next(iter(person.firsts))
            names = self.reader.nicks.get(pet, ())
            found = [p for p in kept.find(person, names) if surnames_agree(p, person)]
            if not found:
                near = kept.find(person, [f"{pet[:STEM]}…"])
                found = [p for p in near if surnames_agree(p, person) and self._shortens(person, p)]
                found = found if len(found) == 1 else []
            best = best_of(found, person) if found else None
            if best:
                words = get_words(best.firsts)
                named = (word for word in words if word in names)
                begun = (word for word in words if _begins(pet, word))
                best.pets[pet] = next(named, next(begun, words[0]))
                kept.take(best, person)
            else:
                kept.add(person)
        return kept.all

    def _shortens(self, person: Person, other: Person) -> bool:
        """Whether an only name may be a pet name that is made from a name of somebody else."""
        pet = next(iter(person.firsts))
        is_pet, is_listed = pet in self.reader.nicks, pet in self.reader.first
        if is_listed and person.messages & other.messages:
            return False
        # A pet name may be of men and women.
        genders = {person.stated_gender if is_pet else self.gender(person), self.gender(other)}
        return not {"f", "m"} <= genders and any(
            name.startswith(pet) if is_listed and not is_pet else _begins(pet, name)
            for name in get_words(other.firsts)
            if name != pet
        )

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
        """What is left to tell the gender of a person: the first pronoun behind each mention."""
        found = (PRONOUN.search(mentions[i].after.lower()) for i in person.names)
        votes = Counter(match.lastgroup for match in found if match)
        return "" if votes["f"] == votes["m"] else "f" if votes["f"] > votes["m"] else "m"


def _fits_first(other: Person, person: Person) -> bool:
    return _share_first(other, person) and surnames_agree(other, person)


def _fits_here(other: Person, person: Person) -> bool:
    """A surname alone that the same message names."""
    here = bool(other.messages & person.messages)
    return here and share_surname(other, person)


def _fits_letter(other: Person, person: Person) -> bool:
    """`N. Eskandari`."""
    letter = next(iter(person.initials))
    return share_surname(other, person) and any(first[0] == letter for first in other.firsts)


def _fits_initials(other: Person, person: Person) -> bool:
    letters = next(iter(person.initials))
    if len(letters) == 1 and person.kinds & PROFESSIONAL:
        return any(surname[0] == letters for surname in other.surnames)
    return letters in get_ways(other)


def _names(person: Person) -> Iterable[str]:
    """What somebody is found by: all names."""
    yield from person.surnames
    yield from (f"{first}{'+' if person.surnames else '-'}" for first in _joined_firsts(person))


def _names_sought(person: Person) -> Iterable[str]:
    """What is looked up to find somebody. People of one first name who have surnames have one of
    them in common, too."""
    yield from person.surnames
    for first in _joined_firsts(person):
        yield f"{first}-"
        if not person.surnames:
            yield f"{first}+"


def _joined_firsts(person: Person) -> Iterable[str]:
    """First names, also written as one."""
    yield from person.firsts
    if len(person.firsts) > 1 or any("-" in first for first in person.firsts):
        yield "".join(person.firsts).replace("-", "")


def _stems(person: Person) -> Iterable[str]:
    """What somebody is found by: first names, and their beginnings."""
    for word in get_words(person.firsts):
        yield from (word, f"{word[:STEM]}…")


def _begins(pet: str, name: str) -> bool:
    """Whether a pet name is the beginning of a name, perhaps with an ending of pet names."""
    stem = PET_ENDING.sub("", pet)
    stem = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
    return len(stem) >= STEM and pet != name and name.startswith((pet, stem))


def get_words(firsts: dict[str, int]) -> list[str]:
    """Get first names, and the parts of the hyphenated ones."""
    return [*firsts, *(part for first in firsts if "-" in first for part in first.split("-"))]


def _share_first(other: Person, person: Person) -> bool:
    one, two = other.firsts.keys(), person.firsts.keys()
    return bool(
        (one and two and (one <= two or two <= one))
        or "".join(other.firsts).replace("-", "") == "".join(person.firsts).replace("-", "")
    )


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
