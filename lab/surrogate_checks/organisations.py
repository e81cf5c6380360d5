"""Organisations: of the same kind as before."""

import re
from collections.abc import Iterator

from components.text.casing import fold
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import WORD, Known
from lab.surrogate_checks.traces import is_same

HOSPITAL = "hospital"
NOUN = 3  # letters of an organisation and of what is its, in one word
# What the words of a name that no list has say of its kind; all that fit.
TELLING = {
    "dentist": r"tandv[åa]rd|tandl[äa]kar|tandklinik",
    "pharmacy": r"apotek",
    "hospital": r"sjukhus|lasarett",
    "preschool": r"f[öo]rskol|dagis",
    "school": r"skola|gymnasi|universitet|h[öo]gskol|komvux",
    "care_home": r"boende|[äa]ldreboende|servicehus",
    "insurer": r"f[öo]rs[äa]kring",
    "care_unit": r"v[åa]rdcentral|h[äa]lsocentral|mottagning|klinik|\b(?:vc|hc|bvc|mvc|bup)\b|rehab",
    "club": r"\b(?:if|bk|ik|fk|fc|sk|ff)\b",
    "authority": r"kommun|tingsr[äa]tt|r[äa]tten|myndighet|n[äa]mnd|polis",
    "shop": r"\bica\b|\bcoop\b|willys|hemk[öo]p",
}
PLACE_OF = re.compile(r"\b(?:jobbar|arbetar|pluggar|studerar|bor|sitter) på\s+$", re.IGNORECASE)
PUT_IN = re.compile(r"\b(?:sätta|sätter|satte) (?:in|ut)\s+$", re.IGNORECASE)
# What one list or the other may call the same.
ALIKE = [{"care_unit", "care_brand", "digital_care"}, {"dentist", "care_unit"}]


def get_kinds(text: str, known: Known) -> set[str]:
    """Tell what kind of organisation a name is.

    text (str): The name.
    known (Known): The lists.
    RETURNS (set[str]): Its kinds by the list, else the one that its words tell; empty if none does.
    """
    name = fold(text)
    for form in (name, re.sub(r"[':]?s$", "", name)):
        if form in known.organisations:
            return known.organisations[form]
    # `Närakuten Rissne`, `Pfizersprutan`
    for word in WORD.findall(name):
        if word in known.units:
            return known.organisations[word]
        # `internationella` and `Färjestadens` are no compounds of a club.
        if word in known.ordinary or known.get_base(word) in known.places:
            continue
        for end in range(len(word) - NOUN, NOUN, -1):
            rest = re.sub(r"^s?-?", "", word[end:])
            if word[:end] in known.organisations and {rest, word[end:]} & known.ordinary:
                return known.organisations[word[:end]]
    return {kind for kind in TELLING if re.search(TELLING[kind], name)}


def check_kinds(talk: Talk, known: Known) -> Check:
    """An organisation becomes one of its type, where the list tells types of both, else of its kind.
    Where a county stays that is named, it may have but one hospital of a type."""
    stays = any(is_same(mention) for mention in talk.of("LOCATION"))

    def find() -> Iterator[Case | None]:
        for mention in talk.of("ORGANISATION"):
            if is_same(mention):
                continue
            texts = (mention.original, mention.surrogate)
            old, new = ({known.types.get(fold(text), "")} - {""} for text in texts)
            hospitals = old | new and all(HOSPITAL in type_ for type_ in old | new)
            if not old or not new or (stays and hospitals):
                old, new = (get_kinds(text, known) for text in texts)
            if old and new:
                alike = old & new or any(old & kinds and new & kinds for kinds in ALIKE)
                yield None if alike else tell(mention, f"{sorted(old)} to {sorted(new)}")

    return gather(find())


def check_cues(talk: Talk, known: Known) -> Check:
    """Nobody works, studies, lives or sits `på` a town; no company is put in."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("ORGANISATION"):
            if is_same(mention):
                continue
            new = fold(mention.surrogate)
            listed = new in known.organisations
            if PLACE_OF.search(mention.before):
                town = new in known.places and not listed
                yield tell(mention, "a town") if town else None
            elif PUT_IN.search(mention.before):
                yield tell(mention, "a company") if listed else None

    return gather(find())


def check_companies(talk: Talk, known: Known) -> Check:
    """A name of several words becomes no two organisations in one."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("ORGANISATION"):
            old, new = fold(mention.original), fold(mention.surrogate)
            if is_same(mention) or " " not in old or new in known.organisations:
                continue
            kept = {*WORD.findall(old)} | known.units | known.places.keys()
            found = {word for word in new.split() if word in known.organisations} - kept
            yield tell(mention, f"{sorted(found)} in one") if len(found) > 1 else None

    return gather(find())
