"""Names beside other names, and what is said of them: two stay two, a correction stays one, origin and gender
stay."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from rapidfuzz.distance import OSA

from components.text.casing import fold, to_ascii
from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.people import HYPHENATED, get_name, is_initials, is_spelled_out

# Names of one area look alike to most who read them.
AREA_ORIGINS = """
sv|no|da|is|fi|sami de|nl|fr|en en|ti es|pt|it|ro|fr pl|cs|uk|ru|bg|bks|mk|bal tr|ku|uz|bks el|ro hu|ro
ar|fa|ku|af|ur|tr|syr|so|sq ur|hi|bn|lk he|ar|syr hy|ru|fa ka|ru sq|bks ti|am so|ar waf|eaf|fr|en ar|waf
zh|vi|ko|th th|lk vi|ja tl|es|en id|ar ja|zh mn|ru
"""
AREAS = [frozenset(area.split("|")) for area in AREA_ORIGINS.split()]
# Between a name and its correction; and what two people have between them.
CORRECTING = re.compile(r"\b(?:inte|ej|stavas|skrivit|står som|ska stå|fel)\b|\*$", re.IGNORECASE)
APART = re.compile(r"\b(?:och|o|samt)\b|[/&+]")
HOME = "sv"
# How a surname ends that is Swedish, whoever bears it.
SWEDISH = re.compile(
    r"(?<=..)(?:sson|berg|borg|strand|str[oö]m|gren|[kq]vist|lund|dahl|mark|gård|holm|sta[md]|sjö|fors|stedt)s?$"
)
CLOSE = 40  # characters between two names of which one corrects the other
SHORTEST = 3  # letters of names that are compared
SLIPS, NEW_SLIPS = 2, 3  # letters in which spellings of a name differ, and those of a surrogate
KIN_AHEAD = re.compile(r"(\w+)(?:\s+som)?(?:\s+(?:heter|hette|kallas))?\s*$")
MIN_KIN = 3  # letters


def _get_pairs(mention: Mention, known: Known) -> list[tuple[str, str]]:
    """Each name of an original, and what it became."""
    if is_initials(mention, known) or is_spelled_out(mention.original, known):
        return []
    old, new = (
        [known.get_base(word) for word in get_name(text, known)]
        for text in (mention.original, mention.surrogate)
    )
    return [*zip(old, new)] if len(old) == len(new) else []


def check_two_names(talk: Talk, known: Known) -> Check:
    """Two names never become one, least of all one and its correction."""
    of: dict[str, dict[str, None]] = defaultdict(dict)
    where: dict[str, Mention] = {}
    for mention in talk.of("PERSON"):
        for old, new in _get_pairs(mention, known):
            of[new.removesuffix("s")][old.removesuffix("s")] = None
            where.setdefault(old.removesuffix("s"), mention)
    return gather(
        tell(where[olds[-1]], f"{' and '.join(olds)} are one") if len(olds) > 1 else None
        for olds in map(list, of.values())
    )


def check_corrections(talk: Talk, known: Known) -> Check:
    """A name and another spelling that a message puts in its place become two spellings of a name."""

    def find() -> Iterator[Case | None]:
        for one, other in pairwise(talk.of("PERSON")):
            if one.message != other.message:
                continue
            between = other.before[len(one.before) + len(one.original) :]
            if len(between) > CLOSE or APART.search(between) or not CORRECTING.search(between):
                continue
            for old, new in _get_pairs(one, known):
                for old_too, new_too in _get_pairs(other, known):
                    if old != old_too and _differ_little(old, old_too, SLIPS):
                        near = new != new_too and _differ_little(new, new_too, NEW_SLIPS)
                        yield None if near else tell(other, f"no spelling of {new}")

    return gather(find())


def _differ_little(one: str, other: str, slips: int) -> bool:
    shortest = min(len(one), len(other))
    slips = slips if one[0] == other[0] and shortest > SHORTEST else 1
    return shortest >= SHORTEST and OSA.distance(one, other, score_cutoff=slips) <= slips


def check_origins(talk: Talk, known: Known) -> Check:
    """A name becomes one of its own area, or of another one where people bear it, too. One that no list has
    follows the other name of its bearer, if that is foreign, or its own Swedish ending."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON"):
            pairs = _get_pairs(mention, known)
            olds = [_get_origins(old, known) for old, _ in pairs]
            abroad = [origins for origins in olds if origins and "sv" not in origins]
            for (old, new), origins in zip(pairs, olds):
                if len(old) < SHORTEST or HYPHENATED.search(mention.original):
                    # A double name is one, whatever its parts are.
                    continue
                expected = origins or (abroad[0] if abroad else set())
                if not origins and SWEDISH.search(old):
                    expected = {HOME}
                found = _get_origins(new, known)
                if expected and found:
                    fits = any(_are_near(one, two) for one in expected for two in found)
                    yield (
                        None
                        if fits
                        else tell(mention, f"{old} {min(expected)}, {new} {min(found)}")
                    )

    return gather(find())


def _get_origins(name: str, known: Known) -> set[str]:
    names = {name, *known.names_of.get(name, ())}
    rows = (
        row
        for one in names
        for row in (*known.first_names.get(one, ()), *known.surnames.get(one, ()))
    )
    shared = (row["origins"].split() for one in names for row in known.shared_names.get(one, ()))
    return {row["origin"] for row in rows if row.get("origin")}.union(*shared)


def _are_near(one: str, other: str) -> bool:
    return one == other or any({one, other} <= area for area in AREAS)


def check_genders(talk: Talk, known: Known) -> Check:
    """Whom a kinship word in front of the name, misspelled perhaps, tells to be a woman or a man, has such a
    name."""
    kin: dict[str, str] = {}
    kin_words: set[str] = set()
    for row in known.lists.get("titles", ()):
        if row.get("kind") == "kin" and row.get("gender") in ("f", "m"):
            kin.setdefault(_get_sound(row["word"]), row["gender"])
            kin_words.add(fold(row["word"]))

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON"):
            words = [*mention.original.split()[:-1], ""]
            ahead = KIN_AHEAD.search(mention.before)
            word = words[0] if words[0].islower() else ahead[1] if ahead else ""
            told = len(word) >= MIN_KIN and (
                fold(word) in kin_words or fold(word) not in known.ordinary
            )
            gender = kin.get(_get_sound(word)) if told else None
            names = get_name(mention.surrogate, known)
            rows = known.first_names.get(known.get_base(names[0]), ()) if names else ()
            genders = {row["gender"] for row in rows}
            if gender and genders:
                fits = genders & {gender, "n"}
                yield None if fits else tell(mention, f"{word} is {gender}")

    return gather(find())


def _get_sound(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", to_ascii(fold(word)))
