"""People: names of one origin, a birth date, and the number, phone and address that go with it."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from random import Random

from components.lists.lists import Lists
from training_tools.generator import dates, numbers, words
from training_tools.generator.skeletons import Wishes
from training_tools.generator.tables import Weighted, read_tables, weighted

_TABLES = read_tables("people")
ORIGINS: Weighted = _TABLES["origins"]
DOMAINS: Weighted = _TABLES["domains"]
GROUPS = {"child": 12, "baby": 3, "teen": 8, "adult": 60, "old": 17}

OFFICES = ("kommun", "regionen", "bygg", "vard", "konsult", "akeri", "skola", "el", "data", "stad")
TRANSLITERATED = str.maketrans("åäöéèüøæçğışñčćžšđłńęąóíáúý", "aaoeeuoacgisncczsdlneaoiauy")


def split_of(text: str) -> str:
    """Say to which split a surname or a skeleton belongs: eight in ten to `train`, always the same."""
    bucket = int(hashlib.sha256(text.casefold().encode("utf8")).hexdigest()[:8], 16) % 10
    return "test" if bucket == 0 else "dev" if bucket == 1 else "train"


@dataclass
class Person:
    """A made-up person."""

    first: str
    second: str
    last: str
    gender: str
    origin: str
    born: date
    nick: str
    pid: numbers.Pid
    email: str

    def name(self, form: str, rng: Random) -> str:
        """Write the name in a form of the skeletons: `full`, `first`, `lastfirst` …"""
        first, last = _initial(self.first), _initial(self.last)
        return {
            "full": f"{self.first} {self.last}",
            "first": self.first,
            "last": self.last,
            "both": f"{self.first} {self.second} {self.last}",
            "firsts": f"{self.first} {self.second}",
            "firstinitial": f"{self.first} {last}",
            "initials": rng.choice((first + last, first + last, (first + last).lower())),
            "dotted": f"{first}.{last}.",
            "initiallast": f"{first}{rng.choice(('. ', '. ', '.', ' '))}{self.last}",
            "lastfirst": f"{self.last}, {self.first}",
            "nick": self.nick,
            "family": self.last if self.last[-1] in "sxz" else self.last + "s",
        }[form]


def _initial(name: str) -> str:
    """The letter that stands for a name: particles do not count."""
    word = next((part for part in name.split() if part[0].isupper()), name)
    return word.removeprefix("Al-").removeprefix("El-")[0].upper()


class Population:
    """Draws people whose surnames belong to one split."""

    def __init__(self, lists: Lists, split: str, invent: float) -> None:
        self.split = split
        self.invent = invent
        self.firsts: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.lasts: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.nicks: dict[str, list[str]] = defaultdict(list)
        for row in lists["first_names"]:
            for gender in "fm" if row["gender"] not in ("f", "m") else row["gender"]:
                self.firsts[row["origin"], gender].append(row["name"])
        for row in lists["surnames"]:
            if split_of(row["name"]) == split:
                for gender in "fm" if row["gender"] not in ("f", "m") else row["gender"]:
                    self.lasts[row["origin"], gender].append(row["name"])
        for row in lists.get("nicknames", ()):
            self.nicks[row["name"].lower()].append(row["nick"])
        names = (set(self.firsts), set(self.lasts))
        self.origins = [
            origin
            for origin in ORIGINS
            if all((origin, gender) in known for known in names for gender in "fm")
        ]
        if "sv" not in self.origins:
            raise ValueError("The lists first_names.tsv and surnames.tsv need names of origin 'sv'")
        self.weights = [ORIGINS[origin] for origin in self.origins]

    def origin(self, rng: Random) -> str:
        return rng.choices(self.origins, self.weights)[0]

    def first(self, origin: str, gender: str, rng: Random) -> str:
        if rng.random() < self.invent:
            return words.invented_first_name(origin, gender, rng)
        return rng.choice(self.firsts[origin, gender])

    def last(self, origin: str, gender: str, rng: Random) -> str:
        """Draw a surname of the split: from the lists, or invented."""
        return self._own(
            lambda: (
                words.invented_surname(origin, rng)
                if rng.random() < self.invent
                else rng.choice(self.lasts[origin, gender])
            )
        )

    def _own(self, draw: Callable[[], str]) -> str:
        while split_of(name := draw()) != self.split:
            pass
        return name

    def surname(self, origin: str, gender: str, rng: Random) -> str:
        """Draw what stands after the first names: one or two surnames, or one with a particle."""
        last = self.last(origin, gender, rng)
        draw = rng.random()
        if origin == "es" and draw < 0.4:
            return f"{last} {self.last(origin, gender, rng)}"
        if draw < 0.05:
            # A married couple's names may be of two origins.
            other = self.last(origin if rng.random() < 0.7 else self.origin(rng), gender, rng)
            return last + rng.choice((" ", "-", "-")) + other
        if origin == "ar" and draw < 0.17 and not last.lower().startswith(("al", "el")):
            particle = rng.choice(("Al-", "al-", "Al ", "Abu ", "El-", "bin ", "Ben ", "Abd "))
            return particle + last
        if origin == "sv" and draw < 0.07:
            return rng.choice(("af ", "von ", "af ", "von ", "De ", "de la ")) + last
        if origin in ("nl", "de", "pt", "fr", "it") and draw < 0.25:
            particles = {"nl": ("van ", "van der ", "de "), "de": ("von ",), "it": ("di ", "De ")}
            return rng.choice(particles.get(origin, ("da ", "dos ", "de "))) + last
        return last

    def nick(self, first: str, gender: str, rng: Random) -> str:
        """Draw what friends call somebody: from the list, or by the Swedish rule."""
        known = self.nicks.get(first.lower())
        if known and rng.random() > self.invent:
            return rng.choice(known)
        match = re.match(r"[^aeiouyåäö]*[aeiouyåäö]+[^aeiouyåäö]?", first, re.IGNORECASE)
        stem = match.group() if match else first
        last = stem[-1] if stem[-1].lower() not in "aeiouyåäö" else ""
        ending = rng.choice(("an", "is", "san", "e") if gender == "m" else ("an", "is", "san", "a"))
        doubled = last if last in "bdfgklmnprst" and ending[0] != "s" else ""
        return stem + doubled + ending

    def draw(
        self, wishes: Wishes, kin: Person | None, taken: Collection[str], today: date, rng: Random
    ) -> Person:
        gender = wishes.gender or rng.choice("fm")
        origin = kin.origin if kin else self.origin(rng)
        # One in twelve has a first name of another origin than the surname.
        given = origin if rng.random() < 0.92 else self.origin(rng)
        first, second = self.first(given, gender, rng), self.first(given, gender, rng)
        while first in taken and rng.random() < 0.95:
            first = self.first(given, gender, rng)
        if rng.random() < 0.04 and first.isalpha() and second.isalpha():
            first = f"{first}-{second}"
        last = self.relative(kin, gender) if kin else self.surname(origin, gender, rng)
        group = wishes.group or ("adult" if rng.random() < 0.75 else weighted(GROUPS, rng))
        born = dates.draw_born(group, today, rng)
        pid = numbers.draw_pid(born, gender, rng, today)
        email = write_email(first, last, born.year, rng)
        nick = self.nick(first, gender, rng)
        return Person(first, second, last, gender, origin, born, nick, pid, email)

    def relative(self, kin: Person, gender: str) -> str:
        """The surname in the form for a relative: Kowalska for Kowalski's wife."""
        if gender == kin.gender:
            return kin.last
        ours = self.lasts[kin.origin, gender]
        for theirs, own in (("ski", "ska"), ("cki", "cka"), ("ov", "ova"), ("ev", "eva")):
            if gender == "m":
                theirs, own = own, theirs
            twin = kin.last.removesuffix(theirs) + own
            if kin.last.endswith(theirs) and twin in ours:
                return twin
        return kin.last


def _ascii(text: str) -> str:
    """What is left of a name in an e-mail address."""
    return re.sub(r"[^a-z0-9-]", "", text.lower().translate(TRANSLITERATED))


def write_email(first: str, last: str, year: int, rng: Random) -> str:
    """Make an e-mail address as people have them: of the name, or of what they like."""
    parts: dict[str, str | int] = {
        "one": _ascii(first) or "x",
        "two": _ascii(last) or "y",
        "handle": _ascii(rng.choice(_TABLES["handles"])),
        "short": f"{year % 100:02d}",
        "year": year,
        "number": rng.randrange(1000),
    }
    local = weighted(_TABLES["email_styles"], rng).format(**parts)
    if rng.random() < 0.8:
        domain = weighted(DOMAINS, rng)
    else:
        made = (words.village(rng), words.swedish_surname(rng), rng.choice(words.CARE_WORDS))
        ending = rng.choice(("", "", "{}", ".{}", "-{}")).format(rng.choice(OFFICES))
        suffix = rng.choice((".se", ".se", ".se", ".com", ".nu", ".net", ".org"))
        domain = _ascii(rng.choice(made)) + ending + suffix
    address = f"{local}@{domain}"
    return address if rng.random() < 0.93 else address[0].upper() + address[1:]
