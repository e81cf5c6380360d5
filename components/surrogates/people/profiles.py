"""People as their mentions tell of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from ...lists.neighbours import FUZZY_MIN
from .spellings import get_sound

PROFESSIONAL = frozenset(("title", "role"))


@dataclass
class Person:
    """A person as the mentions tell."""

    names: list[int] = field(default_factory=list)  # the indices of the mentions
    firsts: Counter[str] = field(default_factory=Counter)  # and how often each is used
    surnames: dict[str, None] = field(default_factory=dict)  # in the form that a family shares
    initials: dict[str, None] = field(default_factory=dict)  # of surnames that are not written out
    genders: Counter[str] = field(default_factory=Counter)  # that kinship words and titles tell
    kinds: set[str] = field(default_factory=set)  # of titles
    messages: set[int] = field(default_factory=set)
    pets: dict[str, str] = field(default_factory=dict)  # the name that each pet name stands for
    bows: bool = False  # a surname is one of women
    guessed: set[int] = field(default_factory=set)  # mentions by initials that others have, too

    @property
    def stated_gender(self) -> str:
        """The gender that kinship words and titles tell ("" if none does)."""
        return max(self.genders, key=self.genders.__getitem__, default="")

    def take(self, other: "Person") -> None:
        self.names += other.names
        self.firsts += other.firsts
        self.genders += other.genders
        self.surnames |= other.surnames
        self.initials |= other.initials
        self.kinds |= other.kinds
        self.messages |= other.messages
        self.pets |= other.pets
        self.bows |= other.bows
        self.guessed |= other.guessed


class People:
    """People, found by what they have in common.

    people (Iterable[Person]): The first of them.
    keys (Callable[[Person], Iterable[str]]): What somebody is found by.
    sought (Callable[[Person], Iterable[str]] | None): Which keys are looked up to find who somebody
        may be; by default the same.
    """

    def __init__(
        self,
        people: Iterable[Person],
        keys: Callable[[Person], Iterable[str]],
        sought: Callable[[Person], Iterable[str]] | None = None,
    ) -> None:
        self.all: list[Person] = []
        self._keys = keys
        self._sought = sought or keys
        self._by_key: dict[str, dict[int, Person]] = defaultdict(dict)
        for person in people:
            self.add(person)

    def add(self, person: Person) -> None:
        self.all.append(person)
        self._enter(person, person)

    def _enter(self, person: Person, named: Person) -> None:
        for key in self._keys(named):
            self._by_key[key][id(person)] = person

    def find(self, person: Person, keys: Iterable[str]) -> list[Person]:
        near = {i: other for key in keys for i, other in self._by_key.get(key, {}).items()}
        return [other for other in near.values() if _agree(other, person)]

    def take(self, other: Person, person: Person) -> None:
        other.take(person)
        self._enter(other, person)

    def join(self, person: Person, *tests: Callable[[Person, Person], bool]) -> None:
        """Add somebody, who may be the same as somebody else with a key in common: as the best of those that the
        first test with any finds."""
        near = self.find(person, self._sought(person))
        for fits in tests:
            found = [other for other in near if fits(other, person)]
            best = best_of(found, person) if found else None
            if best:
                if is_initials(person) and len(found) > 1:
                    person.guessed.update(person.names)
                self.take(best, person)
                return
        self.add(person)


def is_initials(person: Person) -> bool:
    """Whether nothing but initials is known of somebody."""
    return not person.firsts and not person.surnames


def share_surname(other: Person, person: Person) -> bool:
    return not other.surnames.keys().isdisjoint(person.surnames)


def has_variant(other: Person, person: Person) -> bool:
    return any(is_variant(one, two) for one in other.surnames for two in person.surnames)


def is_variant(one: str, other: str) -> bool:
    """Whether two names, both of which may be listed, are spellings of one: they sound the same
    (`Carlsson` and `Karlsson`), or differ in a letter that the one has too many, but not in the
    first (`Gebremedhin` and `Ghebremedhin`)."""
    if one == other or min(len(one), len(other)) < FUZZY_MIN:
        return False
    is_longer = one[:1] == other[:1] and abs(len(one) - len(other)) == 1
    is_near = is_longer and OSA.distance(one, other, score_cutoff=1) == 1
    return is_near or get_sound(one) == get_sound(other)


def surnames_agree(other: Person, person: Person) -> bool:
    """Whether surnames, or what is known of them, allow that two are one."""
    if other.surnames and person.surnames:
        return share_surname(other, person)
    for one, two in ((other, person), (person, other)):
        if one.initials and two.surnames:
            return any(name[0] in one.initials for name in two.surnames)
    return True


def _agree(other: Person, person: Person) -> bool:
    """Whether titles and kinship words allow that two are one."""
    if other.stated_gender and person.stated_gender and other.stated_gender != person.stated_gender:
        return False
    if person.firsts and share_surname(other, person):
        return True
    kinds = other.kinds, person.kinds
    return not any(
        "kin" in a and a.isdisjoint(PROFESSIONAL) and b & PROFESSIONAL and "kin" not in b
        for a, b in (kinds, kinds[::-1])
    )


def best_of(people: Sequence[Person], person: Person) -> Person | None:
    """Choose the one of several that most speaks for; None for a name that may as well be another's."""
    initials_only = is_initials(person)
    letters = next(iter(person.initials), "") if initials_only else ""

    def rank(other: Person) -> tuple[bool, bool, bool, bool, int]:
        same = bool(other.messages & person.messages)
        called = max(other.firsts, key=other.firsts.__getitem__, default="")
        return (
            bool(person.stated_gender and other.stated_gender == person.stated_gender),
            bool(other.kinds & person.kinds),
            bool(letters) and called[:1] == letters,
            # Who has just been named needs no initials.
            same != initials_only,
            len(other.names),
        )

    best = max(people, key=rank)
    tied = not initials_only and sum(rank(other) == rank(best) for other in people) > 1
    return None if tied else best
