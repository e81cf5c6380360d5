"""Rules for all finds: what belongs to them that stands beside them."""

from ..labels import NAMES
from ..swedish.casing import to_ascii
from .finds import Find, merge, unite
from .reading import ZIP, Reading
from .rules import rule

# In lower case only these are initials: a vowel is rather a word.
CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
TITLE_PREFIXES = frozenset(("leg", "bitr", "spec", "vik", "tf"))
# How titles end that are cut short by a full stop of their own: `Soc.sekr.`
ABBREVIATED = ("sekr", "läk", "sköt", "ass", "ing", "ordf", "handl", "vaktm")
MIN_IN_ADDRESS = 3  # letters of a name that is looked for in addresses
UNIT_PLACES = ("LOCATION", "ORGANISATION")


@rule("widen.word", NAMES)
def widen_word(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[Gun]-Britt` → `[Gun-Britt]`: a name grows over letters, and hyphens between letters."""
    return [
        find.change(
            "widen.word",
            start=reading.get_word(find.start)[0],
            end=reading.get_word(find.end - 1)[1],
        )
        if find.label in NAMES
        else find
        for find in finds
    ]


@rule("join.initial", ["PERSON"])
def join_initial(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[Per] S` → `[Per S]`, `[håkan] n, slite` → `[håkan n], slite`"""
    doc = reading.doc
    taken = {find.start for find in finds}
    joined = []
    for find in finds:
        end = find.end
        if find.label == "PERSON" and end < len(doc) and end not in taken:
            token = doc[end]
            alone = len(token) == 1 and (
                (token.is_upper and token.text not in "IÅÖ")
                or (token.text in CONSONANTS and doc[end - 1].is_lower and reading.ends_line(end))
            )
            apart = token.whitespace_ or end + 1 == len(doc) or doc[end + 1].is_punct
            if alone and apart and reading.is_next(end, end):
                find = find.change("join.initial", end=end + 1)
        joined.append(find)
    return joined


@rule("join.stop_of_initial", ["PERSON"])
def join_stop_of_initial(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[Per S].` → `[Per S.]`"""
    return [
        find.change("join.stop_of_initial", end=find.end + 1)
        if find.label == "PERSON" and reading.is_stop_of_initial(find.end)
        else find
        for find in finds
    ]


@rule("join.first_and_last", ["PERSON"])
def join_first_and_last(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[Anna] [Ydremo]` → `[Anna Ydremo]`, but `[Annas] [Bo]` and `[Ek] [mamma Eva]` stay apart."""
    doc = reading.doc
    joined: list[Find] = []
    for find in finds:
        if joined:
            last = joined[-1]
            names = last.label == find.label == "PERSON"
            owner = doc[last.end - 1].lower_.endswith("s") and find.start in reading.first_names
            apart = owner or find.start in reading.title_starts
            if names and not apart and reading.is_next(last.end, find.start):
                joined[-1] = merge([last, find], "join.first_and_last")
                continue
        joined.append(find)
    return joined


@rule("join.nickname", ["PERSON"])
def join_nickname(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[Kent] "Skruven" [Ek]` → `[Kent "Skruven" Ek]`: a word in quotes between two parts of a name."""
    joined: list[Find] = []
    for find in finds:
        opening = _get_opening_quote(reading, find.start) if find.label == "PERSON" else None
        if opening is not None:
            nickname = joined.pop() if joined and joined[-1].start == opening + 1 else None
            if joined and joined[-1].label == "PERSON" and joined[-1].end == opening:
                find = merge([joined.pop(), find], "join.nickname")
            elif nickname is not None:
                joined.append(nickname)
        joined.append(find)
    return joined


@rule("join.surname_first", ["PERSON"])
def join_surname_first(reading: Reading, finds: list[Find]) -> list[Find]:
    """`Ros, [Hjördis]` → `[Ros, Hjördis]` where a line begins, `[ros], [hjördis]` → `[ros, hjördis]`.

    What no list has, too, where an entry is no more than that: `[Cortés Nilsson], [Ingegärd]`, `[Xyz], [A.]`
    """
    doc = reading.doc
    kinds = reading.kinds_of_names
    joined: list[Find] = []
    for find in finds:
        at = find.start - 2
        comma = at >= 0 and doc[at + 1].text == "," and doc[at + 1].whitespace_
        if find.label == "PERSON" and comma and not doc[at].whitespace_:
            surname = kinds.get(at, set())
            surname_first = "surname" in surname and "first_name" not in surname
            first_name = "first_name" in kinds.get(find.start, ())
            initial = reading.is_stop_of_initial(find.start + 1)
            last = joined[-1] if joined else None
            if last and last.label == "PERSON" and last.end == at + 1:
                listed = surname_first and first_name and last.start == at
                apart = last.start in reading.title_starts | reading.first_names
                entry = (
                    not apart
                    and reading.begins_entry(last.start)
                    and reading.ends_entry(find.end)
                    and all(doc[i].text != "," for i in range(last.start, last.end))
                )
                if listed or (entry and (first_name or initial)):
                    find = merge([joined.pop(), find], "join.surname_first")
            elif (
                surname_first
                and doc[at].is_title
                and (not last or last.end <= at)
                and reading.begins_line(at)
            ):
                find = find.change("join.surname_first", start=at)
        joined.append(find)
    return joined


@rule("join.unit_and_place", UNIT_PLACES)
def join_unit_and_place(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[FK] [Borås]` → `[FK Borås]`, but `[Apoteket] [Storgatan 12]` stay apart."""
    joined: list[Find] = []
    for find in finds:
        if joined and joined[-1].label == "ORGANISATION" and find.label in UNIT_PLACES:
            last = joined[-1]
            named = not any(token.is_digit for token in reading.doc[find.start : find.end])
            if named and reading.is_next(last.end, find.start):
                joined[-1] = merge([last, find], "join.unit_and_place", last.label)
                continue
        joined.append(find)
    return joined


@rule("join.zip_and_town", ["LOCATION"])
def join_zip_and_town(reading: Reading, finds: list[Find]) -> list[Find]:
    """`[685 31] [Torsby]` → `[685 31 Torsby]`"""
    joined: list[Find] = []
    for find in finds:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.label == find.label == "LOCATION"
            and reading.is_next(last.end, find.start)
            and _is_zip(reading, last)
        ):
            joined[-1] = merge([last, find], "join.zip_and_town")
            continue
        joined.append(find)
    return joined


@rule("join.title", ["PERSON"])
def join_title(reading: Reading, finds: list[Find]) -> list[Find]:
    """`leg. ssk [Anna]` → `[leg. ssk Anna]`: titles and kinship words in front of a name."""
    taken = {i for find in finds for i in range(find.start, find.end)}
    joined = []
    for find in finds:
        before = _end_title(reading, reading.end_before(find.start))
        within = find.start in reading.title_parts
        start = find.start
        if within:
            start = reading.title_parts[start]
        elif before is not None:
            start = reading.titles_by_end.get(before, start)
        if find.label == "PERSON" and (within or before is not None):
            start = find.start if start in taken else start
            if start in reading.title_starts:
                start = _add_prefix(reading, start)
            find = find.change("join.title", start=start)
        joined.append(find)
    return unite(joined)


@rule("join.address", ["PERSON"])
def join_address(reading: Reading, finds: list[Find]) -> list[Find]:
    """`@[anna].ek90` → `@[anna.ek90]`: a name in a handle, a web address or a password is replaced with all of it.

    So is one in which a name stands that is found elsewhere in the message: `[Anna Ek], @annaek`.
    """
    forms = reading.forms
    if not forms:
        return finds
    people = [find for find in finds if find.label == "PERSON"]
    names = {
        to_ascii(word)
        for find in people
        for i in range(find.start, find.end)
        if len(word := reading.doc[i].text) >= MIN_IN_ADDRESS and i not in reading.titles
    }
    for start, end in forms:
        within = [find for find in finds if find.start < end and start < find.end]
        text = to_ascii(reading.doc[start:end].text)
        # A model may take a web address for one of e-mail.
        labels = ("PERSON",) if "@" in text else ("PERSON", "EMAIL")
        if any(find.label not in labels for find in within):
            continue
        named = [name for name in names if name in text]
        if within:
            first = merge(within, "join.address")
            start, end = min(start, first.start), max(end, first.end)
            whole = first.change("join.address", start=start, end=end, label="PERSON")
            finds = [find for find in finds if find not in within]
        elif named:
            owner = next(find for find in people if named[0] in to_ascii(_get_text(reading, find)))
            whole = owner.change("join.address", start=start, end=end)
        else:
            continue
        finds = sorted([*finds, whole], key=lambda find: find.start)
    return finds


def _get_text(reading: Reading, find: Find) -> str:
    return reading.doc[find.start : find.end].text


def _get_opening_quote(reading: Reading, start: int) -> int | None:
    """Where the quote stands that opens a nickname in front of the token `start`."""
    doc, at = reading.doc, start - 3
    if at < 1 or not (doc[at].is_quote and doc[at + 2].is_quote and doc[at + 2].whitespace_):
        return None
    owner = doc[at - 1].lower_.endswith("s") and start in reading.first_names
    named = doc[at - 1].whitespace_ and doc[at + 1].is_title
    return at if named and not owner else None


def _is_zip(reading: Reading, find: Find) -> bool:
    return ZIP.fullmatch(reading.doc[find.start : find.end].text) is not None


def _end_title(reading: Reading, before: int | None) -> int | None:
    """Where a title ends that stands before the token `before`, perhaps with a full stop of its own:
    `Soc.sekr. Maj`.
    """
    doc = reading.doc
    if before is None or before < 2 or doc[before - 1].text != "." or doc[before - 2].whitespace_:
        return before
    return before - 1 if doc[before - 2].lower_.endswith(ABBREVIATED) else before


def _add_prefix(reading: Reading, start: int) -> int:
    """Where a title begins that stands at `start`, perhaps with `leg.` in front of it."""
    doc = reading.doc
    i = start - 1
    if i > 0 and doc[i].text == ".":
        i -= 1
    return i if i >= 0 and doc[i].lower_ in TITLE_PREFIXES else start
