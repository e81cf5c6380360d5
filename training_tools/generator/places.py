"""Places and organisations: from the lists, from a grammar over them, or invented."""

from collections import defaultdict
from dataclasses import dataclass
from random import Random

from components.lists.lists import Lists
from training_tools.generator import words
from training_tools.generator.numbers import digits
from training_tools.generator.tables import Weighted, read_tables, weighted

ORGANISATION_LISTS = {
    "careunit": "care_unit", "digitalcare": "digital_care", "carehome": "care_home",
}  # fmt: skip
_TABLES = read_tables("places")
GRAMMAR: dict[str, Weighted] = _TABLES["organisations"]
PLACE_GRAMMAR: dict[str, Weighted] = _TABLES["places"]
UNIT_ENDINGS = ("mottagningen", "mottagningen", "kliniken", "enheten")


@dataclass(frozen=True)
class Organisation:
    """An organisation's name and, where it has one, its abbreviation."""

    name: str
    abbreviation: str = ""


class Atlas:
    """Draws places, streets and organisations."""

    def __init__(self, lists: Lists, invent: float) -> None:
        self.invent = invent
        self.places: dict[str, list[str]] = defaultdict(list)
        for row in lists["places"]:
            self.places[row["kind"]].append(row["name"])
        self.organisations: dict[str, list[Organisation]] = defaultdict(list)
        for row in lists["organisations"]:
            made = Organisation(row["name"], row["abbreviation"])
            self.organisations[row["kind"]].append(made)
        self.units = [row["word"] for row in lists["units"]]
        self.streets = [row["name"] for row in lists["streets"]]
        self.postal = [(row["code"], row["town"]) for row in lists.get("postal_codes", ())]
        self.parts: dict[str, list[str]] = defaultdict(list)
        for row in lists.get("street_parts", ()):
            self.parts[row["position"]].append(row["part"])

    def known(self, kind: str, rng: Random) -> str:
        """Draw a place of a kind from the list."""
        if not self.places[kind]:
            raise ValueError(f"The list places.tsv needs places of the kind {kind!r}")
        return rng.choice(self.places[kind])

    def settlement(self, rng: Random) -> str:
        """Draw a town, village or district."""
        if rng.random() < self.invent:
            return words.village(rng)
        kinds = [kind for kind in ("city", "village", "district") if self.places[kind]]
        return self.known(rng.choice(kinds), rng)

    def place(self, kind: str, rng: Random) -> str:
        if kind == "postcode":
            return self.postcode(rng)
        if kind == "postal":
            if self.postal and rng.random() >= self.invent:
                return " ".join(rng.choice(self.postal))
            return f"{self.postcode(rng)} {self.place('city', rng)}"
        if kind == "inhabitant":
            return self.inhabitant(rng)
        if kind == "municipality":
            # Most municipalities are called after their town.
            name = self.known(rng.choice((kind, "city")), rng)
            return attribute(name, "kommun", rng)
        if kind == "county":
            return attribute(self.known(kind, rng), "län", rng)
        if kind == "road" and (rng.random() < 0.5 or not self.places["road"]):
            numbered = ("väg ", "väg ", "riksväg ", "länsväg ", "rv ", "Rv ", "lv ", "gamla väg ")
            return rng.choice(
                (rng.choice(_TABLES["roads"]), rng.choice(numbered) + str(rng.randint(10, 400)))
            )
        if kind in PLACE_GRAMMAR and (rng.random() < self.invent or not self.places[kind]):
            origin = rng.choice(sorted(words.SYLLABLES))
            return weighted(PLACE_GRAMMAR[kind], rng).format(
                v=words.village(rng),
                s=rng.choice([*words.NATURE, *words.SETTINGS]),
                a=words.genitive_plain(rng.choice(words.PATRONS)),
                x=words.invented_first_name(origin, rng.choice("fm"), rng),
            )
        return self.known(kind, rng)

    def inhabitant(self, rng: Random) -> str:
        """Draw a word for who lives in a place: Kirunabo, Norrköpingsbo."""
        place = linked(self.settlement(rng).split()[-1])
        word = place + rng.choice(("bo", "bo", "bo", "bor", "borna", "bon"))
        return word if rng.random() < 0.5 else word.lower()

    def postcode(self, rng: Random) -> str:
        code = digits(3, rng, "123456789") + rng.choice((" ", " ", " ", " ", "")) + digits(2, rng)
        return rng.choice(("SE-", "S-")) + code if rng.random() < 0.03 else code

    def street(self, rng: Random) -> str:
        if rng.random() >= self.invent:
            stems, suffixes = self.parts["stem"], self.parts["suffix"]
            if stems and suffixes and rng.random() < 0.3:
                return words.compound(rng.choice(stems), rng.choice(suffixes))
            return rng.choice(self.streets)
        ending = rng.choice(words.STREET_ENDINGS)
        draw = rng.random()
        if draw < 0.6:
            return words.compound(rng.choice(words.SETTINGS), ending)
        if draw < 0.75:
            return words.genitive_plain(rng.choice(words.PATRONS)) + ending
        if draw < 0.9:
            return linked(words.village(rng)) + ending
        first = words.invented_first_name("sv", rng.choice("fm"), rng)
        last = words.genitive_plain(words.swedish_surname(rng))
        return f"{first} {last} {rng.choice(('väg', 'gata', 'gränd', 'plats', 'allé', 'stig'))}"

    def address(self, street: str, rng: Random) -> str:
        """Give a street its number, now and then with stairs, floor or flat."""
        number = str(rng.choice((rng.randint(1, 20), rng.randint(1, 60), rng.randint(1, 250))))
        if rng.random() < 0.25:
            letter = rng.choice("ABCDE")
            number += rng.choice((" ", "")) + (letter if rng.random() < 0.8 else letter.lower())
        if rng.random() < 0.08:
            number += " " + rng.choice(_TABLES["floors"])
        if street.endswith("gatan") and rng.random() < 0.03:
            street = street.removesuffix("atan")
        return f"{street} {number}"

    def organisation(self, kind: str, rng: Random, abbreviated: bool = False) -> Organisation:
        rows = self.organisations[ORGANISATION_LISTS.get(kind, kind)]
        if abbreviated:
            rows = [row for row in rows if row.abbreviation]
            if not rows:
                raise ValueError(f"The list organisations.tsv needs abbreviations of {kind!r}")
            return rng.choice(rows)
        if kind == "unit":
            return Organisation(self.unit(rng))
        combined = kind == "careunit" and rng.random() < 0.5
        if rows and not combined and rng.random() >= self.invent:
            return rng.choice(rows)
        brands = [row.name for row in self.organisations["care_brand"]] or words.CARE_WORDS
        place = self.settlement(rng)
        name = weighted(GRAMMAR[kind], rng).format(
            p=place,
            g=words.genitive_plain(place),
            c=linked(place.split()[-1]),
            b=rng.choice(brands),
            w=rng.choice(words.CARE_WORDS),
            n=words.swedish_surname(rng),
            n2=words.swedish_surname(rng),
            o=rng.choice(_TABLES["office_fields"]),
        )
        return Organisation(name)

    def unit(self, rng: Random) -> str:
        """Draw a definite word for one particular institution."""
        if rng.random() < self.invent:
            return rng.choice(_TABLES["fields"]) + rng.choice(UNIT_ENDINGS)
        return rng.choice(_TABLES["common_units"] if rng.random() < 0.4 else self.units)


def linked(place: str) -> str:
    """The form in which a place begins a compound: Norrköpings-, Kiruna-."""
    endings = tuple(_TABLES["linked_endings"])
    return words.genitive_plain(place) if place.endswith(endings) else place


def attribute(place: str, head: str, rng: Random) -> str:
    """Put a place in front of `kommun` or `län`: Lunds kommun, Nacka kommun."""
    if place.lower().endswith(head):
        return place
    possessive = place if place[-1].lower() in "aeiouyåäö" else words.genitive_plain(place)
    return f"{possessive} {head if rng.random() < 0.95 else head.title()}"
