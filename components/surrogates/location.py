"""Surrogates of places and addresses."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from babel import Locale
from rapidfuzz.distance import OSA

from ..swedish.casing import fold, genitive, like_case
from ..swedish.neighbours import FUZZY_MIN, Neighbours
from ..swedish.numbers import POSTAL_CODE
from .keyed import Mention, Pool, Pools, Scope
from .last_look import cut_lower
from .replacer import LONGEST, Replacer

Row = Mapping[str, str]

# Too large to point at anybody: they stay as they are, as do the provinces of this country.
KEPT = frozenset(("continent", "county"))
HOME = "Sverige"
TOWNS = frozenset(("city", "municipality", "village"))
# A name that several kinds of place bear counts as the first of these.
KINDS = ("continent", "county", "province", "country", "island", "city", "municipality", "village")
POSTAL = re.compile(
    rf"(?P<prefix>(?:SE?-?\s?)?)(?P<code>{POSTAL_CODE.pattern})(?P<gap>[\s,]*)(?P<town>.*)",
    re.IGNORECASE | re.DOTALL,
)
ROAD = re.compile(
    r"(?P<word>(?:e|rv|lv|riksväg|riksv|länsväg|väg)[\s.]*)(?P<number>\d{1,4})(?P<rest>\D*)",
    re.IGNORECASE,
)
EUROPE_ROADS = Pools({f"E{n}": ("",) for n in (4, 6, 10, 12, 14, 16, 18, 20, 22, 45, 65)})
HOUSE = re.compile(r"(?P<number>\d{1,4})(?P<rest>\s?[a-z]?)", re.IGNORECASE)
STREET = re.compile(r"(?P<name>\D*[^\W\d_])(?P<gap>[\s,]+)(?P<number>\d+)(?P<rest>.*)", re.DOTALL)
DIGITS = re.compile(r"\d+")
MIN_PART = 4  # a shorter word is not taken for a part of another place's name
# `Libya`, but not `Congo - Brazzaville`.
PLAIN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
# Unlisted names that end like this have no genitive s.
OWN_S = re.compile(r"(?:näs|fors|ås|hus|holms?tors|vits|ss|us|is|os|es)$")
# Numbers stay within these.
BANDS = ((1, 20), (20, 60), (60, 200), (200, 1000), (1000, 10000))
MAX_DIGITS = 4
# Words around a name that say what it is; they stay.
KINDS_BEHIND = "kommun socken församling stad centrum city hamn station flygplats by ö"
PARTS_BEFORE = "norra södra östra västra centrala inre yttre norr söder öst väst"
BEHIND = frozenset(KINDS_BEHIND.split())
BEFORE = frozenset(PARTS_BEFORE.split())
ENDINGS = re.compile(
    r"s?(?:bo|bon|bor|borna|bornas|bos|are|aren|arna|området|trakten|tåget|bussen|hållet|regionen|"
    r"resan|vistelsen|skogen|vägen|färjan)s?$"
)


@dataclass
class Place:
    """A mention of a place, read.

    base (str): The folded name.
    word (str): The name as it is written.
    ending (str): What follows the name in the same word: a genitive s, `bo`, `området`.
    before (str), behind (str): The text around that stays.
    kind (str): "place", "street", "road", "postal", or "house" for its number alone.
    number (str), rest (str): Of an address: the number and what follows it.
    island (bool): Whether an unlisted place follows the preposition `på`.
    """

    base: str
    word: str
    ending: str = ""
    before: str = ""
    behind: str = ""
    kind: str = "place"
    number: str = ""
    rest: str = ""
    island: bool = False


class LocationSurrogates(Replacer):
    """Replaces places like for like: a village by one in the same county, a country by one of the
    continent, an island by an island, a street by a street of the same sort with a new number.

    Continents, counties and provinces stay: nobody is found by them, and what surrounds them
    stays true. The first two digits of a postal code stay with the county. A place with and
    without its number, with a genitive or a compound ending (`-bo`, `-området`), keeps one
    surrogate, as does a misspelled one and, where all messages are at hand, a part of its name.
    Countries in English stay in English. Unlisted places become towns or villages, after `på`
    islands.

    lists (Mapping[str, Sequence[Row]]): `places`, `streets`, `street_parts`.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        rows: dict[str, Row] = {}
        for row in lists.get("places", ()):
            folded = fold(row["name"])
            if folded not in rows or _rank(row) < _rank(rows[folded]):
                rows[folded] = row
        self.rows = rows
        continents = {
            fold(row["name"]): row.get("within", "")
            for row in rows.values()
            if row["kind"] == "country"
        }
        self.kept = {folded for folded, row in rows.items() if _stays(row)}
        keys: dict[str, tuple[str, ...]] = {}
        for folded, row in rows.items():
            if folded in self.kept or row["kind"] == "road":
                continue
            prep, kind, within = row.get("prep") or "i", row["kind"], row.get("within", "")
            key: tuple[str, ...] = (prep, kind, within)
            if kind in TOWNS:
                key = (prep, "town", within, "village" if kind == "village" else "city")
            elif kind.startswith("world"):
                key = (prep, kind, continents.get(fold(within), within), within)
            keys[row["name"]] = key
        self.places = Pools(keys, ambiguous=_get_ambiguous(rows.values()))
        suffixes = [
            fold(row["part"])
            for row in lists.get("street_parts", ())
            if row.get("position") == "suffix"
        ]
        self.suffixes = tuple(sorted(set(suffixes), key=len, reverse=True))
        streets = lists.get("streets", ())
        self.streets = Pools(
            {row["name"]: ("", self._suffix(fold(row["name"]))) for row in streets},
            ambiguous=_get_ambiguous(streets),
        )
        self._near = Neighbours(folded for folded, row in rows.items() if row["kind"] != "road")
        self.english = _get_english(rows)
        self.swedish = {fold(name): folded for folded, name in self.english.items()}
        self.longest = max(map(len, rows), default=0)

    def _suffix(self, street: str) -> str:
        return next((suffix for suffix in self.suffixes if street.endswith(suffix)), "")

    # Reading

    def read(self, text: str, before: str = "") -> Place:
        """Read a mention of a place.

        text (str): The mention.
        before (str): What stands in front of it.
        RETURNS (Place): The mention, read.
        """
        if len(text) > LONGEST:
            return Place(fold(text), text)
        match = ROAD.fullmatch(text)
        if match:
            return Place(
                fold(match["word"] + match["number"]),
                match["word"],
                kind="road",
                number=match["number"],
                rest=match["rest"],
            )
        if fold(text) in self.rows:
            return Place(fold(text), text)
        match = POSTAL.fullmatch(text)
        if match:
            place = self.read(match["town"]) if match["town"].strip() else Place("", "")
            place.kind = "postal"
            place.number = match["code"]
            place.before = match["prefix"] + "\0" + match["gap"] + place.before
            return place
        match = HOUSE.fullmatch(text)
        if match:
            return Place("", "", kind="house", number=match["number"], rest=match["rest"])
        match = STREET.fullmatch(text)
        if match:
            return Place(
                self._street(match["name"]),
                match["name"],
                kind="street",
                behind=match["gap"],
                number=match["number"],
                rest=match["rest"],
            )
        return self._read_name(text, before)

    def _street(self, name: str) -> str:
        folded = fold(name)
        if (
            folded not in self.streets
            and folded.endswith("s")
            and (folded[:-1] in self.streets or self._suffix(folded[:-1]))
        ):
            return folded[:-1]
        return folded

    def _read_name(self, text: str, before: str) -> Place:
        words = re.split(r"(\s+)", text)
        folded = [fold(word) for word in words[::2]]
        behind = len(folded)
        while behind > 1 and folded[behind - 1] in BEHIND:
            behind -= 1
        if behind < len(folded):
            place = self._read_name("".join(words[: 2 * behind - 1]), before)
            place.behind += "".join(words[2 * behind - 1 :])
            return place
        if len(folded) > 1 and folded[0] in BEFORE and fold("".join(words[2:])) in self.rows:
            place = self._read_name("".join(words[2:]), before)
            place.before = "".join(words[:2]) + place.before
            return place
        whole = fold(text)
        if self._suffix(whole) and whole not in self.rows or whole in self.streets:
            return Place(whole, text, kind="street")
        if whole.endswith("s") and (self._suffix(whole[:-1]) or whole[:-1] in self.streets):
            return Place(whole[:-1], text[:-1], ending=text[-1], kind="street")
        if len(whole) == len(text):
            end = self._longest_prefix(whole)
            if end:
                return Place(whole[:end], text[:end], ending=text[end:])
            ending = ENDINGS.search(whole)
            end = ending.start() if ending else len(whole)
            if not ending and whole.endswith("s") and not OWN_S.search(whole):
                end -= 1
            if end > 3:
                on = bool(re.search(r"\bpå\s+$", before, re.IGNORECASE))
                return Place(whole[:end], text[:end], ending=text[end:], island=on)
        return Place(whole, text, island=bool(re.search(r"\bpå\s+$", before, re.IGNORECASE)))

    def _longest_prefix(self, word: str) -> int:
        """The length of the listed place that a word starts with, if the rest is an ending."""
        for end in range(min(len(word), self.longest), 2, -1):
            if word[:end] in self.rows:
                rest = word[end:]
                if rest in ("", "s") or ENDINGS.fullmatch(rest) or (end > 4 and rest[:1] == "-"):
                    return end
        return 0

    # Choosing

    def choose(self, base: str, scope: Scope, island: bool = False) -> str:
        """Choose the surrogate of a place.

        base (str): The folded name.
        scope (Scope): The conversation or message.
        island (bool): Whether an unlisted place is an island.
        RETURNS (str): A name, cased as in running text; the same name for a place that stays.
        """
        if base in self.kept:
            return self.rows[base]["name"]
        if base in self.swedish and base not in self.rows:
            name = self.choose(self.swedish[base], scope)
            return self.english.get(fold(name), name)
        pool = self.places.of(base)
        if pool is None:
            near = self._neighbour(base)
            if near:
                return self.choose(near, scope)
            pool = self.places.like("på", "island") if island else self.places.like("i", "town")

        def accept(name: str) -> bool:
            """Reject other spellings of the same name."""
            return OSA.distance(fold(name), base, score_cutoff=1) > 1

        return scope.pick("place", base, pool, accept)

    def _neighbour(self, base: str) -> str:
        """The one listed place that an unlisted one misspells, if there is just one."""
        if len(base) < FUZZY_MIN:
            return ""
        near = self._near.find(base)
        return near[0] if len(near) == 1 else ""

    def _choose(self, place: Place, scope: Scope) -> str:
        if place.kind == "street":
            pool = self.streets.of(place.base)
            if pool is None:
                pool = self.streets.like("", self._suffix(place.base))
            return scope.pick("street", place.base, pool)
        if place.kind == "road":
            return self._road(place, scope)
        return self.choose(place.base, scope, place.island) if place.base else ""

    @staticmethod
    def _road(place: Place, scope: Scope) -> str:
        if fold(place.word) == "e":
            return scope.pick("road", place.base, EUROPE_ROADS.like(""))[1:]
        return _other_number(place.number, scope, "road")

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        places = [self.read(mention.text, mention.before) for mention in mentions]
        if scope.whole:
            self._link(places)
        islands = {place.base for place in places if place.island}
        for place in places:
            place.island = place.base in islands
        # Listed places first: their surrogates are fixed, the others give way. Then in an order
        # of their own, whichever message they stand in.
        for place in sorted(places, key=lambda place: (place.base not in self.rows, place.base)):
            self._choose(place, scope)
        known = " ".join(scope.known.get("LOCATION", ()))
        codes = {_get_digits(match[0]) for match in POSTAL_CODE.finditer(known)}
        return [self._write(place, scope, codes) for place in places]

    def _get_pool(self) -> Pool:
        return self.places.like("i", "town")

    words = "place"

    def get_telling(self, text: str) -> str:
        """Get what tells which place is meant.

        text (str): A mention.
        RETURNS (str): Its words that say more than what it is.
        """
        return cut_lower(text)

    def _get_pool_of(self, word: str) -> Pool | None:
        return self.places.of(word) or self.streets.of(word)

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A place that is too large to point at anybody stays."""
        place = self.read(mention.text, mention.before)
        return place.kind == "place" and self.swedish.get(place.base, place.base) in self.kept

    def _link(self, places: Sequence[Place]) -> None:
        """Give unlisted places the name of another one in the scope of which theirs is a
        misspelling or a part: `Lanta` of `Koh Lanta`."""
        for kinds, listed in ((("street",), self.streets), (("place", "postal"), self.rows)):
            own = [place for place in places if place.base and place.kind in kinds]
            bases = sorted({place.base for place in own})
            # The listed first, and of two that differ in a letter the longer.
            bases.sort(key=lambda base: (base not in listed, -len(base)))
            same: dict[str, str] = {}
            near = Neighbours()
            # By word the first place that has it.
            parts: dict[str, str] = {}
            order = {base: i for i, base in enumerate(bases)}
            for base in bases:
                if base not in listed:
                    fits = near.find(base)[:1] if len(base) >= FUZZY_MIN else []
                    fits += [parts[base]] if len(base) >= MIN_PART and base in parts else []
                    if fits:
                        first = min(fits, key=order.__getitem__)
                        same[base] = same.get(first, first)
                near.add(base)
                for part in base.split():
                    parts.setdefault(part, base)
            for place in own:
                place.base = same.get(place.base, place.base)

    def _write(self, place: Place, scope: Scope, known_codes: set[str]) -> str:
        chosen = self._choose(place, scope)
        if place.kind == "road":
            return place.word + chosen + place.rest
        name = like_case(place.word, chosen)
        name = self._end(place, name)
        if place.kind == "house":
            return _other_number(place.number, scope, "street", place.base) + place.rest
        if place.kind == "postal":
            prefix, gap = place.before.split("\0", 1)
            digits = _get_digits(place.number)
            code = digits[:2] + scope.digits(digits[2:], "postal", digits[:2])
            while code in known_codes and code != digits:
                code = digits[:2] + scope.digits(code[2:], "postal", digits[:2])
            written = place.number[:-2] if not place.number[3].isdecimal() else ""
            code = f"{code[:3]}{written[3:]}{code[3:]}"
            return f"{prefix}{code}{gap}{name}{place.behind}"
        if place.kind == "street" and place.number:
            number = _other_number(place.number, scope, "street", place.base)
            rest = DIGITS.sub(lambda match: _other_number(match[0], scope, "stairs"), place.rest)
            return f"{place.before}{name}{place.behind}{number}{rest}"
        return f"{place.before}{name}{place.behind}"

    @staticmethod
    def _end(place: Place, name: str) -> str:
        if place.ending in ("s", "S"):
            return genitive(place.word, "s", name)
        if place.ending[:1] == "s" and name.casefold().endswith(("s", "x", "z")):
            return name + place.ending[1:]
        return name + place.ending

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same place.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same place.
        """
        places = [self.read(mention.text, mention.before) for mention in mentions]
        return [place.base or _get_digits(place.number) for place in places]

    def find(self, text: str) -> str | None:
        """Read a word as a listed place, perhaps in the genitive.

        text (str): A word or several.
        RETURNS (str | None): The folded name of the place, None if it is none.
        """
        folded = fold(text)
        if folded in self.rows:
            return folded
        return folded[:-1] if folded.endswith("s") and folded[:-1] in self.rows else None


def _get_digits(code: str) -> str:
    return "".join(char for char in code if char.isdecimal())


def _get_ambiguous(rows: Iterable[Row]) -> set[str]:
    return {row["name"] for row in rows if row.get("ambiguous")}


def _stays(row: Row) -> bool:
    if row["kind"] == "province":
        return row.get("within") in (HOME, "")
    return row["kind"] in KEPT or row["name"] == HOME


def _get_english(rows: Mapping[str, Row]) -> dict[str, str]:
    """The English names of the listed countries where they differ, by their folded name."""
    english = Locale("en").territories
    return {
        fold(name): english[code]
        for code, name in Locale("sv").territories.items()
        if fold(name) in rows and fold(english[code]) not in rows and PLAIN.fullmatch(english[code])
    }


def _rank(row: Row) -> int:
    return KINDS.index(row["kind"]) if row["kind"] in KINDS else len(KINDS)


def _other_number(text: str, scope: Scope, *parts: str) -> str:
    """Another house or road number of about the same size: a permutation."""
    if len(text) > MAX_DIGITS:
        return scope.digits(text, *parts)
    low, high = next(band for band in BANDS if int(text) < band[1])
    number = max(int(text), low)
    return str(low + next(scope.cycle(high - low, number - low, "number", *parts)))
