"""Reading of places and addresses."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ...text.casing import fold
from ...text.numbers import POSTAL_CODE
from ..core.replacer import LONGEST
from ..organisations.institutions import ANY_COLLEGE, ANY_HOSPITAL
from .addresses import INSIDE_AT_END
from .place_list import SHORT, PlaceList

POSTAL = re.compile(
    rf"(?P<prefix>(?:SE?-?\s?)?)(?P<code>{POSTAL_CODE.pattern})(?P<gap>[\s,]*)(?P<town>.*)",
    re.IGNORECASE | re.DOTALL,
)
ROAD = re.compile(
    r"(?P<word>(?:(?:väg\s+)?e|rv|lv|riksväg|riksv|länsväg|väg)[\s.]*)(?P<number>\d{1,4})(?P<rest>\D*)",
    re.IGNORECASE,
)
STREET = re.compile(
    r"(?P<name>\D*[^\W\d_]\.?)(?P<gap>[\s,]+)(?P<number>\d+)(?P<rest>.*)", re.DOTALL
)
# What may follow the number of a house; what follows that is another place.
DETAILS = re.compile(
    r"(?:[\s,:/+-]*(?:(?:lgh|lägenhet|tr|vån|våning|plan|uppg|uppgång|port|ingång|trapp|hus)\b\.?\s*[a-z]?\d*\b"
    r"|\d+\s?(?:tr|trappor|vån)?\b\.?|[a-z]\b|[nb]\.?[bv]\b|ö\.?[gh]\b|c/o\s.*))*\W*",
    re.IGNORECASE | re.DOTALL,
)
# Unlisted names that end like this have no genitive s.
OWN_S = re.compile(r"(?:näs|fors|ås|hus|holms?tors|vits|ss|us|is|os|es)$")
ENDINGS = re.compile(
    r"s?(?:bo|bon|bor|borna|bornas|bos|are|aren|arna|området|trakten|tåget|bussen|hållet|regionen|"
    r"resan|resor|vistelsen|skogen|vägen|färjan|båten|flyget|planet|semestern|skärgård|skärgården|"
    r"slätten|fjällen|delen|dialekt|dialekten|kontoret|mässan|adressen|turen|tiden|lägenheten)s?$"
)

LONGEST_CUE = 40
ON = re.compile(r"\bpå\s+$")
ENDS = (
    ("lake", r"sjön|sjöarna|tjärn(?:en)?|träsk(?:et)?|vattnet"),
    ("river", r"älven|(?<=\w{3})ån|bäcken"),
    ("island", r"(?<=\w\w)(?:ön|öarna|holmarna|skär(?:en)?|skäret|grund(?:et)?)"),
    ("square", r"torget| torg| plats| plan"),
    ("park", r"parken| park"),
    ("farm", r"(?:gården|gård)"),
)
END = re.compile(rf"(?:{'|'.join(f'(?P<{sort}>{words})' for sort, words in ENDS)})$")

# What a town has, where it stands in front of its name, by the sorts of `Institutions`.
SEATS = {
    ANY_HOSPITAL: r"sjukhus\w*|lasarett\w*|akut(?:en|mottagning\w*)|bb|förlossning\w*|iva|intensiven",
    ANY_COLLEGE: r"universitet\w*|högskola\w*|campus",
    "court": r"tingsrätt\w*",
}
SEAT = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{sort}>{words})' for sort, words in SEATS.items())})\s+i\s+$"
)


@dataclass
class PlaceMention:
    """A mention of a place, read.

    base (str): The folded name.
    word (str): The name as it is written.
    ending (str): What follows the name in the same word: a genitive s, `bo`, `området`.
    before (str), behind (str): The text around that stays.
    kind (str): "place", "street", "road" or "postal".
    number (str), rest (str): Of an address: the number, and what follows it or stands behind and tells
        where in the house it is.
    sort (str): What an unlisted place seems to be (`guess_sort`).
    is_short (bool): Whether it is an abbreviation: `gbg`.
    """

    base: str
    word: str
    ending: str = ""
    before: str = ""
    behind: str = ""
    kind: str = "place"
    number: str = ""
    rest: str = ""
    sort: str = ""
    is_short: bool = False


class PlaceReader:
    """Reads mentions of places.

    places (PlaceList): The listed places.
    streets (Collection[str]): The listed streets, folded.
    find_suffix (Callable[[str], str]): Tells what a folded street ends with, "" if it is none.
    """

    def __init__(
        self, places: PlaceList, streets: Collection[str], find_suffix: Callable[[str], str]
    ) -> None:
        self.places = places
        self.rows = places.rows
        self.streets = streets
        self.find_suffix = find_suffix

    def read_all(self, text: str, before: str = "") -> list[PlaceMention]:
        """Read a mention of a place, or of an address with a town behind it: two places, in order."""
        if len(text) > LONGEST or fold(text) in self.rows:
            return [self.read(text, before)]
        inside = INSIDE_AT_END.search(text)
        if inside:
            places = self.read_all(text[: inside.start()], before)
            places[-1].rest += inside[0]
            return places
        match = STREET.fullmatch(text)
        if match and not ROAD.fullmatch(text):
            code = POSTAL_CODE.search(text, match.start("rest"))
            details = DETAILS.match(text, match.start("rest"), code.start() if code else len(text))
            end = details.end() if details else match.start("rest")
            if re.search(r"[^\W\d_]{2}", text[end:]):
                return [self.read(text[:end], before), *self.read_all(text[end:])]
        return [self.read(text, before)]

    def read(self, text: str, before: str = "") -> PlaceMention:
        """Read a mention of one place."""
        if len(text) > LONGEST:
            return PlaceMention(fold(text), text)
        match = ROAD.fullmatch(text)
        if match:
            base = fold(match["word"] + match["number"])
            return PlaceMention(
                base, match["word"], kind="road", number=match["number"], behind=match["rest"]
            )
        folded = fold(text)
        if folded in self.rows:
            return self._make(folded, text)
        match = POSTAL.fullmatch(text)
        if match:
            place = self.read(match["town"]) if match["town"].strip() else PlaceMention("", "")
            place.kind = "postal"
            place.number = match["code"]
            place.before = match["prefix"] + "\0" + match["gap"] + place.before
            return place
        match = STREET.fullmatch(text)
        if match:
            name = fold(match["name"])
            place = PlaceMention(self._cut_genitive(name) or name, match["name"], kind="street")
            place.behind, place.number, place.rest = match["gap"], match["number"], match["rest"]
            return place
        return self._read_name(text, before)

    def _is_street(self, folded: str) -> bool:
        return folded in self.streets or bool(self.find_suffix(folded))

    def _cut_genitive(self, folded: str) -> str:
        """The street of which a word is the genitive, "" if it is none."""
        is_genitive = folded.endswith("s") and folded not in self.streets
        return folded[:-1] if is_genitive and self._is_street(folded[:-1]) else ""

    def _make(self, base: str, word: str, ending: str = "") -> PlaceMention:
        """Make a listed place."""
        main = self.places.resolve(base)
        is_short = main != base and self.places.rows[base].get("sort") == SHORT
        return PlaceMention(main, word, ending, is_short=is_short)

    def _read_name(self, text: str, before: str) -> PlaceMention:
        whole = fold(text)
        if self._is_street(whole):
            return PlaceMention(whole, text, kind="street")
        street = self._cut_genitive(whole)
        if street:
            return PlaceMention(street, text[:-1], ending=text[-1], kind="street")
        sort = guess_sort(whole.removesuffix("s"), before)
        if len(whole) == len(text):
            end = self._longest_prefix(whole)
            if end:
                return self._make(whole[:end], text[:end], text[end:])
            ending = ENDINGS.search(whole)
            end = ending.start() if ending else len(whole)
            if not ending and whole.endswith("s") and not OWN_S.search(whole):
                end -= 1
            if end > 3:
                return PlaceMention(whole[:end], text[:end], ending=text[end:], sort=sort)
        return PlaceMention(whole, text, sort=sort)

    def _longest_prefix(self, word: str) -> int:
        """The length of the listed place that a word starts with, if the rest is an ending."""
        for end in range(min(len(word), self.places.longest), 2, -1):
            if word[:end] in self.rows:
                rest = word[end:]
                if rest in ("", "s") or ENDINGS.fullmatch(rest) or (end > 4 and rest[:1] == "-"):
                    return end
        return 0


def read_seat(before: str) -> str:
    """The sort of what a town is the seat of: `akuten i`; "" if nothing tells."""
    match = SEAT.search(_get_ahead(before))
    return match.lastgroup or "" if match else ""


def guess_sort(base: str, before: str) -> str:
    """Guess what an unlisted place is: "lake", "river", "island", "farm", "square", "park" or ""."""
    match = END.search(base)
    if match and match.lastgroup:
        return match.lastgroup
    return "island" if ON.search(_get_ahead(before)) else ""


def _get_ahead(before: str) -> str:
    return before[-LONGEST_CUE:].lower()
