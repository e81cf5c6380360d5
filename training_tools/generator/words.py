"""Invented words that look like Swedish and foreign names: a model that only saw a list learns the list."""

from random import Random

from components.lists.surnames import PARTS
from training_tools.generator.tables import read_tables

NATURE, SURNAME_ENDINGS = PARTS["stems"], PARTS["endings"]
_TABLES = read_tables("words")
VILLAGE_ENDINGS: list[str] = _TABLES["village_endings"]
STREET_ENDINGS: list[str] = _TABLES["street_endings"]
SETTINGS: list[str] = _TABLES["settings"]
PATRONS: list[str] = _TABLES["patrons"]
CARE_WORDS: list[str] = _TABLES["care_words"]
SWEDISH_FIRST: dict[str, list[str]] = _TABLES["swedish_first"]
SYLLABLES: dict[str, list[str]] = _TABLES["syllables"]
NEIGHBOURS: dict[str, str] = _TABLES["neighbours"]


def swedish_surname(rng: Random) -> str:
    """Build a surname: Granhammar, Torkelsson, Wikén."""
    if rng.random() < 0.25:
        stem = rng.choice(PATRONS)
        return stem + ("son" if stem.endswith("s") else "sson")
    return compound(rng.choice(NATURE), rng.choice(SURNAME_ENDINGS))


def invented_surname(origin: str, rng: Random) -> str:
    """Build a surname in the manner of an origin."""
    parts = SYLLABLES.get(NEIGHBOURS.get(origin, origin))
    if parts is None:
        return swedish_surname(rng)
    starts, middles, _, _, ends = (part.split() for part in parts)
    prefix = "Al-" if origin == "ar" and rng.random() < 0.2 else ""
    middle = rng.choice(middles) if rng.random() < 0.6 else ""
    return prefix + compound(rng.choice(starts) + middle, rng.choice(ends))


def invented_first_name(origin: str, gender: str, rng: Random) -> str:
    """Build a first name in the manner of an origin."""
    parts = SYLLABLES.get(NEIGHBOURS.get(origin, origin))
    if parts is None:
        starts, ends = (part.split() for part in SWEDISH_FIRST[gender])
        return compound(rng.choice(starts), rng.choice(ends))
    starts, middles, women, men, _ = (part.split() for part in parts)
    middle = rng.choice(middles) if rng.random() < 0.5 else ""
    return compound(rng.choice(starts) + middle, rng.choice(women if gender == "f" else men))


def village(rng: Random) -> str:
    """Build the name of a village: Kvarnboda, Norra Sävtorp."""
    ahead = rng.choice(("Norra ", "Södra ", "Östra ", "Västra ", "Stora ", "Lilla ", "Nya "))
    return (ahead if rng.random() < 0.07 else "") + compound(
        rng.choice(NATURE), rng.choice(VILLAGE_ENDINGS)
    )


def compound(first: str, second: str) -> str:
    """Join two parts as Swedish does: no letter three times, no two vowels of a kind."""
    if second.startswith(first[-1]) and (first[-1:] in "aeiouyåäö" or first[-2:-1] == first[-1:]):
        second = second[1:]
    return first + second


def genitive_plain(word: str) -> str:
    """Give a name its possessive ending as the grammar has it."""
    return word if word[-1:].lower() in "sxz" else word + "s"


def genitive(word: str, rng: Random) -> str:
    """Give a name its possessive ending."""
    if (word.isupper() and len(word) > 1) or word[-1:].isdigit():
        return word + rng.choice((":s", ":s", ":s", "s"))
    draw = rng.random()
    if draw < 0.03 and word[-1:].isalpha() and word[-1:].lower() not in "sxz":
        return word + "'s"
    return genitive_plain(word)
