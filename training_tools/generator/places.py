"""Places and organisations: from the lists, from a grammar over them, or invented."""

from collections import defaultdict
from dataclasses import dataclass
from random import Random

from components.swedish.lists import Lists
from training_tools.generator import words
from training_tools.generator.numbers import digits
from training_tools.generator.tables import Weighted, bag, weighted

ORGANISATION_LISTS = {
    "careunit": "care_unit", "digitalcare": "digital_care", "carehome": "care_home",
}  # fmt: skip
COMMON_UNITS = (
    "vårdcentralen", "vc", "akuten", "apoteket", "bvc", "mvc", "bup", "soc", "psyk", "hc",
    "hemtjänsten", "försäkringskassan", "barnmottagningen", "hudkliniken", "vårdcentralen",
)  # fmt: skip
FIELDS = bag(
    "hud ögon smärt astma hjärt njur lever mag reuma allergi diabetes minnes rygg hand fot höft "
    "knä bröst mammografi röntgen sömn stress rehab äldre barn ungdoms familje kvinno resemedicin "
    "vaccinations provtagnings blod stroke epilepsi migrän logoped syn hörsel tand käk "
    "fertilitets obesitas lung kärl sår inkontinens dialys cytostatika strål onkolog urolog "
    "neurolog endokrin"
)
UNIT_ENDINGS = ("mottagningen", "mottagningen", "kliniken", "enheten")
OFFICE_FIELDS = bag(
    "Hälso Trafik Vatten Miljö Data Energi Arkiv Bostads Familje Konsument Patient Läkemedels Tand "
    "Vård Fiske Skogs Språk Kultur Kart Mät Tull Pensions Utbildnings Omsorgs Smitt Rätts Lant"
)

# `{p}` place, `{g}` its genitive, `{c}` the place as the first part of a compound, `{b}` a chain of
# care units, `{w}` a name such as Eken or Stjärnan, `{n}` a surname, `{o}` a field of authorities.
GRAMMAR: dict[str, Weighted] = {
    "careunit": (
        ("{b} {p}", 8), ("{b} vårdcentral {p}", 10), ("{p} vårdcentral", 10),
        ("{g} vårdcentral", 7),
        ("Vårdcentralen {p}", 8), ("Vårdcentralen {w}", 6), ("vårdcentralen {p}", 3),
        ("{b} hälsocentral {p}", 3), ("{p} hälsocentral", 4), ("{g} hälsocentral", 3),
        ("Hälsocentralen {w}", 2), ("{p} VC", 2), ("{p} vc", 2), ("VC {p}", 1), ("BVC {p}", 3),
        ("{p} BVC", 2),
        ("MVC {p}", 2), ("BUP {p}", 3), ("{b} BVC {p}", 2), ("Folktandvården {p}", 5),
        ("{p} folktandvård", 1), ("{p} Rehab", 2), ("{b} Rehab {p}", 2),
        ("{n}s Psykologmottagning", 2),
        ("{w} Psykologmottagning", 2), ("{c}kliniken", 2), ("{w} Tandvård", 1),
        ("Tandläkarna {p}", 2),
        ("Ungdomsmottagningen {p}", 2), ("{p} ungdomsmottagning", 1), ("Familjeläkarna {p}", 2),
        ("Husläkarna {p}", 2), ("Läkarhuset {p}", 2), ("{p} läkarstation", 1),
        ("{w} Barnmorskor", 1),
        ("{b} Specialistvård {p}", 1), ("Vuxenpsykiatrin {p}", 2), ("{p} Fysioterapi", 1),
        ("Ögonkliniken {p}", 1), ("Hudkliniken {p}", 1), ("{n} & {n2} Tandvård", 1),
        ("{p} närsjukhus", 1), ("Barnmottagningen {p}", 1), ("{p} Naprapatklinik", 1),
        ("{w} Hud", 1),
        ("Närakuten {p}", 1), ("{w} Hälsa", 1), ("{w}s vårdcentral", 1),
    ),
    "hospital": (
        ("{p} sjukhus", 4), ("{g} sjukhus", 3), ("{g} lasarett", 3), ("{c}sjukhuset", 2),
        ("{p} lasarett", 1), ("Sankt {n}s sjukhus", 1), ("{g} närsjukhus", 1),
    ),
    "pharmacy": (
        ("Apoteket {w}", 6), ("Apoteket {p}", 3), ("Apotek Hjärtat {p}", 4),
        ("Kronans Apotek {p}", 3),
        ("Apoteksgruppen {p}", 1), ("apoteket {w}", 2), ("{w} Apotek", 1), ("Apotek {w}", 1),
    ),
    "authority": (
        ("{o}verket", 4), ("{o}myndigheten", 4), ("{o}inspektionen", 2), ("{o}nämnden", 3),
        ("{o}styrelsen", 1),
    ),
    "employer": (
        ("{n}s Bygg", 3), ("{n}s Bygg AB", 2), ("{n} & Söner", 2), ("{p} Åkeri", 2),
        ("{n} Konsult", 1),
        ("{w} Städ", 1), ("{w} Bemanning AB", 1), ("{p} Mekaniska", 1), ("{n}s Måleri", 2),
        ("{c}verken", 1),
        ("{n} El & VVS", 1), ("{p} Plåt", 1), ("{w} Omsorg", 1), ("{p} Taxi", 1),
        ("{n}s Rör AB", 1),
        ("{w} Solutions", 1), ("{n} Logistik", 1),
    ),
    "school": (
        ("{c}skolan", 8), ("{p} friskola", 1), ("{g} skola", 3), ("{g} gymnasium", 2),
        ("{w}skolan", 1),
        ("{p} folkhögskola", 1),
    ),
    "preschool": (
        ("Förskolan {w}", 6), ("förskolan {w}", 2), ("{w}s förskola", 2), ("{g} förskola", 2),
        ("{c}gårdens förskola", 1), ("I Ur och Skur {w}", 1),
    ),
    "club": (
        ("{p} IF", 6), ("{g} IF", 4), ("IFK {p}", 4), ("{p} BK", 3), ("{g} BK", 2), ("{p} FF", 2),
        ("{p} SK", 2),
        ("IK {w}", 2), ("{p} HK", 1), ("{g} GK", 1), ("{p} Ridklubb", 1), ("{p} IBK", 1),
        ("{g} simsällskap", 1),
    ),
    "shop": (
        ("ICA {p}", 4), ("ICA Nära {p}", 2), ("Coop {p}", 2), ("Willys {p}", 2), ("{n}s Bageri", 2),
        ("{w} Hälsokost", 1), ("{n}s Livs", 1), ("{p} Handel", 1), ("{n}s Optik", 1),
        ("Salong {w}", 1),
        ("{n}s Möbler", 1), ("{w} Blommor", 1),
    ),
    "insurer": (
        ("{w} Försäkring", 2), ("Länsförsäkringar {p}", 2), ("{w} Liv", 1), ("{p} Försäkringar", 1),
    ),
    "digitalcare": (
        ("{w} Care", 2), ("{w}doktorn", 2), ("Doktor {w}", 1), ("{w} Direkt", 1), ("{w} Online", 1),
    ),
    "carehome": (
        ("{c}gården", 5), ("{c}hemmet", 3), ("{w} äldreboende", 2), ("{p} äldreboende", 1),
        ("{c}lunden", 1),
        ("{w}s vård- och omsorgsboende", 1), ("{c}hus", 1), ("{w} gruppboende", 1),
    ),
    "union": (("{o}facket", 2), ("{o}förbundet", 3), ("{o}arbetarna", 2)),
}  # fmt: skip
PLACE_GRAMMAR: dict[str, Weighted] = {
    "city": (("{v}", 1),),
    "village": (("{v}", 1),),
    "district": (
        ("{v}", 5), ("{s}ängen", 1), ("{s}höjden", 1), ("{s}staden", 1), ("{s}backen", 1),
        ("{s}kullen", 1),
        ("{s}sta", 1), ("Norra {v}", 1), ("{s}dalen", 1),
    ),
    "island": (
        ("{s}ö", 2), ("{s}ön", 3), ("{s}holmen", 3), ("{s}skär", 2), ("Stora {s}ö", 1),
        ("{s}ören", 1),
        ("{s}öarna", 1), ("Lilla {s}holmen", 1),
    ),
    "lake": (
        ("{s}sjön", 5), ("{s}tjärn", 2), ("{s}tjärnen", 2), ("Stora {s}sjön", 1), ("{s}en", 2),
        ("{s}viken", 1),
        ("{s}vattnet", 1), ("{s}träsket", 1),
    ),
    "park": (("{s}parken", 6), ("{a}parken", 3), ("{s}lunden", 2), ("{s}hagen", 1),
    ("{a} park", 1)),
    "square": (("{s}torget", 6), ("{a} torg", 3), ("{a} plats", 2), ("{s}plan", 1),
    ("{v}s torg", 1)),
    "worldcity": (("{x}", 1),),
}  # fmt: skip
ROADS = bag("E4 E6 E10 E12 E14 E16 E18 E20 E22 E45 E65 E4:an E6:an E18:an E20:n E45:an")


@dataclass(frozen=True)
class Organisation:
    """An organisation's name and, where it has one, its abbreviation."""

    name: str
    abbreviation: str = ""


class Atlas:
    """Draws places, streets and organisations.

    lists (Lists): the word lists; `places`, `streets`, `organisations`, `units` are needed.
    invent (float): the share of names that are invented.
    """

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
        """Draw a place."""
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
            return rng.choice((rng.choice(ROADS), rng.choice(numbered) + str(rng.randint(10, 400))))
        if kind in PLACE_GRAMMAR and (rng.random() < self.invent or not self.places[kind]):
            origin = rng.choice(sorted(words.SYLLABLES))
            return weighted(PLACE_GRAMMAR[kind], rng).format(
                v=words.village(rng),
                s=rng.choice(words.NATURE + words.SETTINGS),
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
        """Draw a postal code."""
        code = digits(3, rng, "123456789") + rng.choice((" ", " ", " ", " ", "")) + digits(2, rng)
        return rng.choice(("SE-", "S-")) + code if rng.random() < 0.03 else code

    def street(self, rng: Random) -> str:
        """Draw the name of a street."""
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
            floor = rng.choice(
                ("1 tr", "2 tr", "3tr", "4 tr", "nb", "bv", "lgh 1101", "lgh 1203", "ög")
            )
            number += " " + floor
        if street.endswith("gatan") and rng.random() < 0.03:
            street = street.removesuffix("atan")
        return f"{street} {number}"

    def organisation(self, kind: str, rng: Random, abbreviated: bool = False) -> Organisation:
        """Draw an organisation."""
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
            o=rng.choice(OFFICE_FIELDS),
        )
        return Organisation(name)

    def unit(self, rng: Random) -> str:
        """Draw a definite word for one particular institution."""
        if rng.random() < self.invent:
            return rng.choice(FIELDS) + rng.choice(UNIT_ENDINGS)
        return rng.choice(COMMON_UNITS if rng.random() < 0.4 else self.units)


def linked(place: str) -> str:
    """The form in which a place begins a compound: Norrköpings-, Kiruna-."""
    ends = (
        "köping",
        "borg",
        "stad",
        "holm",
        "torp",
        "berg",
        "hamn",
        "hult",
        "fors",
        "bruk",
        "lund",
    )
    return words.genitive_plain(place) if place.endswith(ends) else place


def attribute(place: str, head: str, rng: Random) -> str:
    """Put a place in front of `kommun` or `län`: Lunds kommun, Nacka kommun."""
    if place.lower().endswith(head):
        return place
    possessive = place if place[-1].lower() in "aeiouyåäö" else words.genitive_plain(place)
    return f"{possessive} {head if rng.random() < 0.95 else head.title()}"
