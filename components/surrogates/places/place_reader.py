"""Reading of places and addresses."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ...shared.words import read_words
from ...text.casing import fold
from ...text.numbers import POSTAL_CODE
from ..core.number_words import WORDS as NUMBERS
from ..core.replacer import LONGEST
from .addresses import INSIDE_AT_END
from .place_cues import guess_sort, read_cue
from .place_list import SHORT, PlaceList

POSTAL = re.compile(
    rf"(?P<prefix>(?:SE?-?\s?)?)(?P<code>{POSTAL_CODE.pattern})(?P<gap>[\s,]*)(?P<town>.*)",
    re.IGNORECASE | re.DOTALL,
)
ROAD = re.compile(
    r"(?P<word>(?:(?:väg\s+)?e|rv|lv|riksväg|riksv|länsväg|väg)[\s.]*)(?P<number>\d{1,4})(?P<rest>\D*)",
    re.IGNORECASE,
)
HOUSE = re.compile(r"(?P<number>\d{1,4})(?P<rest>\s?[a-z]?)", re.IGNORECASE)
STREET = re.compile(
    r"(?P<name>\D*[^\W\d_]\.?)(?P<gap>[\s,]+)(?P<number>\d+)(?P<rest>.*)", re.DOTALL
)
SPELLED = re.compile(
    r"(?P<name>\D*[^\W\d_]\.?)(?P<gap>\s+)(?P<number>[^\W\d_]{2,})(?P<rest>(?:\s+[a-h])?)",
    re.IGNORECASE,
)
# What may follow the number of a house; what follows that is another place.
DETAILS = re.compile(
    r"(?:[\s,:/+-]*(?:(?:lgh|lägenhet|tr|vån|våning|plan|uppg|uppgång|port|ingång|trapp|hus)\b\.?\s*[a-z]?\d*\b"
    r"|\d+\s?(?:tr|trappor|vån)?\b\.?|[a-z]\b|[nb]\.?[bv]\b|ö\.?[gh]\b|c/o\s.*))*\W*",
    re.IGNORECASE | re.DOTALL,
)
CARE_OF = re.compile(r"(?P<care>c/o\s+)(?P<name>[^,\n]*[^,\s])", re.IGNORECASE)
# Between places that stand in one span: `Lund/Malmö`, `Storgatan 3, 123 45 Lund`.
BETWEEN = re.compile(
    r"(\s*(?<![cC])/\s*|\s*,\s*|\s*\n\s*|\s+[-–&]\s+|\s+(?:i|och)\s+|(?<=\w)-(?=\w))"
)
SHORT_STREET = re.compile(r"(?P<stem>[^\W\d_]{3,})(?P<ending>[gv])\.?$")
STREET_ENDS = {"g": "gatan", "v": "vägen"}
# Unlisted names that end like this have no genitive s.
OWN_S = re.compile(r"(?:näs|fors|ås|hus|holms?tors|vits|ss|us|is|os|es)$")
WORDS = read_words(__file__, "places.txt")
ENDINGS = re.compile(rf"s?(?:{'|'.join(WORDS['endings'])})s?$")


@dataclass
class PlaceMention:
    """A mention of a place, read.

    base (str): The folded name.
    word (str): The name as it is written.
    ending (str): What follows the name in the same word: a genitive s, `bo`, `området`.
    before (str), behind (str): The text around that stays.
    kind (str): "place", "street", "road", "postal", "person", or "house" for its number alone.
    number (str), rest (str): Of an address: the number and what follows it.
    sort (str): What an unlisted place seems to be (`place_cues.guess_sort`).
    short (str): How the name is shortened: the last letter of a street's (`g.`), else `short`.
    spelled (str): The number in words.
    inside (str): What stands behind that tells where in the house it is, `rest` where a number does.
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
    short: str = ""
    spelled: str = ""
    inside: str = ""


class PlaceReader:
    """Reads mentions of places and of streets, listed or with a suffix that `find_suffix` tells."""

    def __init__(
        self, places: PlaceList, streets: Collection[str], find_suffix: Callable[[str], str]
    ) -> None:
        self.places = places
        self.rows = places.rows
        self.streets = streets
        self.find_suffix = find_suffix

    def read_all(self, text: str, before: str = "") -> list[PlaceMention]:
        """Read a mention of one or several places. What stands between them is at the front of
        each."""
        inside = INSIDE_AT_END.search(text) if len(text) <= LONGEST else None
        if inside and fold(text) not in self.rows:
            places = self.read_all(text[: inside.start()], before)
            last = places[-1]
            if last.kind == "street" and last.number:
                last.rest += inside[0]
            else:
                last.inside = inside[0]
            return places
        if len(text) > LONGEST or not BETWEEN.search(text) or fold(text) in self.rows:
            return self._read_piece(text, before)
        pieces = BETWEEN.split(text)
        joined = [("", pieces[0])]
        for gap, piece in zip(pieces[1::2], pieces[2::2]):
            if self._is_apart(gap, joined[-1][1], piece):
                joined.append((gap, piece))
            else:
                joined[-1] = joined[-1][0], joined[-1][1] + gap + piece
        out: list[PlaceMention] = []
        for gap, piece in joined:
            places = self._read_piece(piece, before if not out else "")
            places[0].before = gap + places[0].before
            out += places
        return out

    def _is_apart(self, gap: str, one: str, other: str) -> bool:
        """Whether two pieces of a mention are places of their own."""
        if not one.strip() or not re.search(r"[^\W\d_]{3}|\d{3}", other):
            return False
        if DETAILS.fullmatch(other):
            return False
        if gap.strip() in ("/", ",", "") and gap != " ":
            return True
        return all(self._is_listed(fold(piece)) for piece in (one, other))

    def _is_listed(self, folded: str) -> bool:
        return folded in self.rows or (folded.endswith("s") and folded[:-1] in self.rows)

    def _read_piece(self, text: str, before: str) -> list[PlaceMention]:
        """Read an address with a town behind it as two."""
        match = STREET.fullmatch(text) if len(text) <= LONGEST else None
        if match and fold(text) not in self.rows and not ROAD.fullmatch(text):
            details = DETAILS.match(match["rest"])
            end = details.end() if details else 0
            if re.search(r"[^\W\d_]{2}", match["rest"][end:]):
                at = match.start("rest") + end
                rest = self._read_piece(text[at:], "")
                return [self.read(text[:at], before), *rest]
        return [self.read(text, before)]

    def read(self, text: str, before: str = "") -> PlaceMention:
        """Read a mention of one place."""
        if len(text) > LONGEST:
            return PlaceMention(fold(text), text)
        if match := ROAD.fullmatch(text):
            base = fold(match["word"] + match["number"])
            return PlaceMention(
                base, match["word"], kind="road", number=match["number"], rest=match["rest"]
            )
        if match := CARE_OF.fullmatch(text):
            return PlaceMention(
                fold(match["name"]), match["name"], before=match["care"], kind="person"
            )
        folded = fold(text)
        if folded in self.rows:
            return self._make(folded, text, before=before)
        if match := POSTAL.fullmatch(text):
            place = self.read(match["town"]) if match["town"].strip() else PlaceMention("", "")
            place.kind = "postal"
            place.number = match["code"]
            place.before = match["prefix"] + "\0" + match["gap"] + place.before
            return place
        if match := HOUSE.fullmatch(text):
            return PlaceMention("", "", kind="house", number=match["number"], rest=match["rest"])
        if match := STREET.fullmatch(text):
            place = self._read_street(match["name"])
            place.behind = match["gap"]
            place.number, place.rest = match["number"], match["rest"]
            return place
        return self._read_spelled(text) or self._read_name(text, before)

    def _is_street(self, folded: str) -> bool:
        return folded in self.streets or bool(self.find_suffix(folded))

    def _read_spelled(self, text: str) -> PlaceMention | None:
        """Read a street with its number in words: `Åsgatan fjorton b`."""
        match = SPELLED.fullmatch(text)
        number = NUMBERS.get(fold(match["number"])) if match else None
        if match is None or number is None:
            return None
        folded = fold(match["name"])
        if folded in self.rows or not self._is_street(folded):
            return None
        place = self._read_street(match["name"])
        place.behind, place.number, place.rest = match["gap"], str(number), match["rest"]
        place.spelled = match["number"]
        return place

    def _make(self, base: str, word: str, ending: str = "", before: str = "") -> PlaceMention:
        """Make a listed place. Its sort is what the words in front of it say, if it is no such."""
        main = self.places.resolve(base)
        short = "short" if main != base and self.places.rows[base].get("sort") == SHORT else ""
        cue = read_cue(before)
        sort = cue if main in self.rows and not self.places.fits(main, cue) else ""
        return PlaceMention(main, word, ending, short=short, sort=sort)

    def _read_street(self, name: str) -> PlaceMention:
        folded = fold(name)
        short = SHORT_STREET.match(folded)
        base = short["stem"] + STREET_ENDS[short["ending"]] if short else ""
        if short and (base in self.streets or not self.find_suffix(folded)):
            return PlaceMention(base, name, kind="street", short=name[len(short["stem"]) :])
        if folded.endswith("s") and folded not in self.streets and self._is_street(folded[:-1]):
            folded = folded[:-1]
        return PlaceMention(folded, name, kind="street")

    def _read_name(self, text: str, before: str) -> PlaceMention:
        words = re.split(r"(\s+)", text)
        folded = [fold(word) for word in words[::2]]
        behind = len(folded)
        while behind > 1 and folded[behind - 1] in WORDS["behind"]:
            behind -= 1
        if behind < len(folded):
            place = self._read_name("".join(words[: 2 * behind - 1]), before)
            place.behind += "".join(words[2 * behind - 1 :])
            return place
        whole = fold(text)
        if whole in self.rows:
            return self._make(whole, text, before=before)
        if len(folded) > 1 and folded[0] in WORDS["before"]:
            rest = "".join(words[2:])
            if self._is_listed(fold(rest)):
                place = self._read_name(rest, before)
                place.before = "".join(words[:2]) + place.before
                return place
        if self._is_street(whole):
            return PlaceMention(whole, text, kind="street")
        if whole.endswith("s") and self._is_street(whole[:-1]):
            return PlaceMention(whole[:-1], text[:-1], ending=text[-1], kind="street")
        sort = guess_sort(whole.removesuffix("s"), before)
        if len(whole) == len(text):
            if end := self._longest_prefix(whole):
                return self._make(whole[:end], text[:end], text[end:], before)
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
