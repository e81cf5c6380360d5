"""Places: postal codes that are the town's, and relations that stay."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from components.surrogates.places.place_map import get_municipality, read_at
from components.text.casing import fold
from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.traces import is_same

Row = Mapping[str, str]

POSTAL = re.compile(r"(?:SE?-?)?(\d{3})\s?(\d{2})\b[\s,]*(.*)", re.IGNORECASE | re.DOTALL)
PREPOSITION = re.compile(r"\b(i|på)\s+$", re.IGNORECASE)
# What the postal codes of a county begin with.
FIRST_DIGITS = {
    "stockholm": "17",
    "uppsala": "781",
    "södermanland": "61",
    "östergötland": "56",
    "jönköping": "35",
    "kronoberg": "3",
    "kalmar": "35",
    "gotland": "6",
    "blekinge": "23",
    "skåne": "2",
    "halland": "34",
    "västra götaland": "456",
    "värmland": "6",
    "örebro": "67",
    "västmanland": "7",
    "dalarna": "7",
    "gävleborg": "8",
    "västernorrland": "8",
    "jämtland": "8",
    "västerbotten": "9",
    "norrbotten": "9",
}
# How far a distance may be from what it was, and how many kilometres at least.
SHARE, LEAST_KM = 0.2, 30.0
RARE_TRAITS = {"mountain", "border", "finnish"}
STORY = re.compile(r"fjäll|gränsen|meänkieli|tornedal|skoter", re.IGNORECASE)


def check_postal_codes(talk: Talk, known: Known) -> Check:
    """A postal code belongs to the town behind it."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("LOCATION"):
            match = POSTAL.match(mention.surrogate)
            if not match or not POSTAL.match(mention.original):
                continue
            begins = _get_beginnings(match[3], known)
            if begins:
                code = match[1] + match[2]
                fits = any(code.startswith(begin) for begin in begins)
                yield None if fits else tell(mention, f"codes there begin with {sorted(begins)}")

    return gather(find())


def _get_beginnings(town: str, known: Known) -> set[str]:
    town = fold(town)
    if town in known.postal:
        return known.postal[town]
    return {
        digit
        for row in known.places.get(town, ())
        for digit in FIRST_DIGITS.get(fold(row["within"]), "")
    }


def check_sizes(talk: Talk, known: Known) -> Check:
    """A place becomes one of like size, where the list has sizes (1 a city, 5 a hamlet)."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("LOCATION"):
            old, new = (_get_cells(t, "size", known) for t in (mention.original, mention.surrogate))
            if old and new and not is_same(mention):
                like = any(abs(int(a) - int(b)) <= 1 for a in old for b in new)
                yield None if like else tell(mention, f"size {min(old)} to {min(new)}")

    return gather(find())


def _get_cells(text: str, column: str, known: Known) -> set[str]:
    rows = known.places.get(known.get_base(text), ())
    return {row[column] for row in rows if row.get(column)}


def check_within(talk: Talk, known: Known) -> Check:
    """A place that lay within another one of the conversation lies within that one's surrogate."""
    places = {
        known.get_base(mention.original): known.get_base(mention.surrogate)
        for mention in talk.of("LOCATION")
    }

    def find() -> Iterator[Case | None]:
        for mention in talk.of("LOCATION"):
            around = {fold(name) for name in _get_cells(mention.original, "within", known)}
            now = {fold(name) for name in _get_cells(mention.surrogate, "within", known)}
            own = known.get_base(mention.original)
            for outer in sorted(around & places.keys() - {own}):
                if now and places[outer] in known.places:
                    yield None if places[outer] in now else tell(mention, f"not in {places[outer]}")

    return gather(find())


def check_prepositions(talk: Talk, known: Known) -> Check:
    """What one is `i` does not become what one is `på`."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("LOCATION"):
            ahead = PREPOSITION.search(mention.before)
            old, new = (_get_cells(t, "prep", known) for t in (mention.original, mention.surrogate))
            if ahead and new and ahead[1].lower() in old:
                yield None if ahead[1].lower() in new else tell(mention, f"{ahead[1]} it?")

    return gather(find())


def _get_located(talk: Talk, known: Known) -> dict[str, tuple[Mention, Row, Row]]:
    """The mentions of places that the list has coordinates of, before and after, one of each place."""
    found = {}
    for mention in talk.of("LOCATION"):
        old, new = (
            known.places.get(known.get_base(text), [])
            for text in (mention.original, mention.surrogate)
        )
        if old and new and not is_same(mention) and old[0].get("at") and new[0].get("at"):
            found[fold(old[0]["name"])] = mention, old[0], new[0]
    return found


def check_municipalities(talk: Talk, known: Known) -> Check:
    """Two places of one municipality stay in one."""

    def find() -> Iterator[Case | None]:
        for (_, one, one_new), (mention, two, two_new) in combinations(
            _get_located(talk, known).values(), 2
        ):
            if one["size"] and two["size"] and get_municipality(one) == get_municipality(two):
                new = get_municipality(two_new)
                fits = new == get_municipality(one_new)
                yield None if fits else tell(mention, f"in {new}, without {one_new['name']}")

    return gather(find())


def check_place_distances(talk: Talk, known: Known) -> Check:
    """Two places stay as far from one another as they were."""

    def find() -> Iterator[Case | None]:
        for (_, one, one_new), (mention, two, two_new) in combinations(
            _get_located(talk, known).values(), 2
        ):
            old = abs(read_at(one) - read_at(two))
            new = abs(read_at(one_new) - read_at(two_new))
            fits = abs(old - new) <= max(LEAST_KM, SHARE * old)
            why = f"{new:.0f} km from {one_new['name']}, was {old:.0f}"
            yield None if fits else tell(mention, why)

    return gather(find())


def check_traits(talk: Talk, known: Known) -> Check:
    """Where the text speaks of mountains or a border, the largest place still lies there."""

    def find() -> Iterator[Case | None]:
        located = [found for found in _get_located(talk, known).values() if found[1]["size"]]
        spoken = any(STORY.search(text) for _, text in talk.outputs)
        for mention, old, new in sorted(located, key=lambda found: found[1]["size"])[:1]:
            traits = RARE_TRAITS & {*old["traits"].split()}
            if spoken and traits:
                fits = traits & {*new["traits"].split()}
                yield None if fits else tell(mention, f"is not {sorted(traits)}")

    return gather(find())
