"""What a message says of a name itself: how it is spelled and pronounced, which name it is."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rapidfuzz.distance import OSA

from ..core.scope import Mention
from .name_forms import Name, Part
from .spellings import get_sound

FAR = 80  # characters; what stands farther apart does not put the other right
MIN_NAME, MIN_SLIPS = 3, 4  # letters of names that differ in one slip, or in two
UNLIKE = 4  # letters in which names differ that are no spellings of one
# Between or behind two names that are one: `Thun ska det stå, jag står som Tunn`.
CUE = re.compile(
    r"\b(?:stava\w*|skriv\w*|skrev|bokst\w*|inte|ej|not|utan|eller|fel\w*|rätt\w*|läs\w*|menar?|står som|"
    r"ska (?:det )?stå|står|uttal\w*|sägs|pronounced|spel(?:l|t)\w*|kallade?)\b|\*|\?\W*$",
    re.IGNORECASE,
)
APART = re.compile(r"\b(?:och|o|samt|and|syskon\w*|bror|syster|tvilling\w*)\b|[&+/]", re.IGNORECASE)
# In front of how a name sounds, and of one that is wrong.
SOUNDS = re.compile(r"\b(?:uttal\w+|sägs|läses|pronounced)(?:\s+(?:ungefär|typ|nog|som|like))*[\s:\"'”]*$", re.IGNORECASE)  # fmt: skip
WRONG = re.compile(r"\b(?:inte|ej|not|skriv\w*|skrev|står som|står|kallade?|blev|fått|fel\w*)\W*$", re.IGNORECASE)  # fmt: skip
SHOULD = re.compile(r"\bsk(?:a|all|ulle)\b", re.IGNORECASE)
# Which letters a name has: `Lindkvist med k v`, `stavas med två n`.
LETTERS = re.compile(
    r"[\s,(]*(?:(?:det|som|ska|skall|namnet)\s+)*(?P<verb>stav\w+\s+|skriv\w+\s+)?med\s+"
    r"(?P<two>två\s+|dubbel[\s-]?|dubbelt?\s+)?(?P<letters>[^\W\d_](?:\s?[^\W\d_])?)(?P<end>\W*$|[.,!?)]|\s)",
    re.IGNORECASE,
)
WORDS_TOO = frozenset("iåoe")  # letters that are words
# Which name is meant, in front of it and behind it.
NAMED = "amn"
ROLES = re.compile(r"\b(?:(?P<surname>efternamn)|(?P<first>(?:för|tilltals|mellan|smek)namn))(?:et)?(?:\s+(?:är|var|blir|hette|heter))?[\s:=]*$", re.IGNORECASE)  # fmt: skip
ROLES_BEHIND = re.compile(r"[ ,(]*(?:(?:är|som|alltså|i|till|min|mitt|vår|vårt|hans|hennes)\s+)+(?:(?P<surname>efternamn)|(?P<first>(?:för|tilltals|mellan|smek)namn))(?:et)?\b(?!\s*(?:[:=]|är|heter))", re.IGNORECASE)  # fmt: skip
# In front of another name of the same person.
ALIAS = re.compile(
    r"\b(?:kallas|kallad|kallar\s+\w+|säger|alias|smeknamn\w*|även\s+känd\s+som|called|aka)"
    r"(?:\s+(?:för|bara|oftast|alltid|mig|honom|henne|me|him|her))*[\s:\"'”]*$",
    re.IGNORECASE,
)
# Who gives somebody else a name: `Bo kallar henne Anka`.
GIVER = re.compile(r"\s+(?:kallar|kallade)\s+(?:honom|henne|him|her)\b", re.IGNORECASE)


def get_role(mention: Mention) -> str:
    """Get what the words around a name say that it is: "first", "surname", "" if they say nothing."""
    if NAMED not in mention.before and NAMED not in mention.after:
        return ""
    match = ROLES.search(mention.before) or ROLES_BEHIND.match(mention.after)
    return match.lastgroup or "" if match else ""


def get_letters(after: str) -> str:
    """Get the letters that a name has, as the words behind it say: `, med två n` tells `nn`."""
    match = LETTERS.match(after)
    if not match:
        return ""
    letters = match["letters"].lower().replace(" ", "")
    ends = match["end"] == "" or not match["end"].isspace()
    if not (match["verb"] or match["two"] or ends) and (len(letters) > 1 or letters in WORDS_TOO):
        return ""
    return 2 * letters if match["two"] else letters


def find_aliases(mentions: Sequence[Mention]) -> dict[int, int]:
    """Find the names that somebody is introduced by: `Eskil, kallas Berra`. By its number the mention in
    front of each, of the same person."""
    found = {}
    for i, j, between in _get_neighbours(mentions):
        before = mentions[j].before
        if between <= len(before) and ALIAS.search(before) and not GIVER.match(before[-between:]):
            found[j] = i
    return found


def _get_neighbours(mentions: Sequence[Mention]) -> Iterator[tuple[int, int, int]]:
    """The mentions that follow one another in a message, and how many letters are between them."""
    order = sorted(range(len(mentions)), key=lambda i: (mentions[i].message, mentions[i].start))
    for i, j in pairwise(order):
        one, other = mentions[i], mentions[j]
        between = other.start - one.start - len(one.text)
        if one.message == other.message and 0 < between <= FAR:
            yield i, j, between


def find_corrections(
    names: Sequence[Name], mentions: Sequence[Mention], is_known: Callable[[str], bool]
) -> dict[str, str]:
    """Find the names that a message puts right, or tells the sound of: the right form of each wrong one.
    A listed name is rather right."""
    counts: Counter[str] = Counter()
    right: dict[str, str] = {}
    for i, j, between in _get_neighbours(mentions):
        one, other = mentions[i], mentions[j]
        sounds = bool(SOUNDS.search(other.before))
        pairs = [*_get_pairs(names[i].parts, names[j].parts, sounds)]
        if not pairs:
            continue
        text = other.before[-between:]
        if between > len(other.before):
            text = f"{one.after} {text}"
        if APART.search(text):
            continue
        if not (CUE.search(text) or WRONG.search(one.before) or get_letters(other.after)):
            continue
        for first, second in pairs:
            if first in right or second in right:
                continue
            counts = counts or Counter(part.form for name in names for part in name.parts)
            later_is_wrong = sounds or bool(WRONG.search(other.before))
            if is_known(first) != is_known(second):
                first, second = sorted((first, second), key=is_known, reverse=True)
            elif not later_is_wrong and (
                WRONG.search(one.before)
                or SHOULD.search(text)
                or counts[first] < counts[second]
                or get_letters(other.after)
            ):
                first, second = second, first
            right[second] = first
    return right


def _get_pairs(
    ones: Sequence[Part], others: Sequence[Part], sounds: bool
) -> Iterator[tuple[str, str]]:
    """The names of two mentions that may be one, each of which is written apart from the others."""
    pairs = [(one.form, other.form) for one in ones for other in others if one.form != other.form]
    near = [pair for pair in pairs if _is_near(*pair)]
    if not near and sounds and len(others) == 1:
        near = sorted(pairs, key=lambda pair: OSA.distance(*pair))[:1]
    aligned = {(one.form, other.form) for one, other in zip(ones, others)}
    both = [pair for pair in near if pair in aligned]
    yield from both if len(ones) == len(others) and both else near[:1]


def _is_near(one: str, other: str) -> bool:
    shortest = min(len(one), len(other))
    if shortest < MIN_NAME:
        return False
    if OSA.distance(one, other, score_cutoff=UNLIKE) > UNLIKE:
        return False
    sound, other_sound = get_sound(one), get_sound(other)
    slips = 2 if shortest >= MIN_SLIPS and one[0] == other[0] else 1
    return OSA.distance(sound, other_sound, score_cutoff=slips) <= slips
