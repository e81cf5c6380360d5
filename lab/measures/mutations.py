"""What may befall a number or a name on its way to a message: other digits, other hyphens and spaces,
invisible characters, letters that look alike, typing errors.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from random import Random

from components.measures.gold import Row

Mutation = Callable[[str, Random], str]

HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
SPACES = "\u00a0\u2007\u2009\u202f\t"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e"
LOOK_ALIKES = str.maketrans("ABEHKMOPTXaceiopsxyåäö", "АВЕНКМОРТХасеіорѕхуåӓӧ")
DIGITS = {
    "full-width digits": 0xFF10, "Arabic digits": 0x0660, "Persian digits": 0x06F0,
    "Devanagari digits": 0x0966, "mathematical digits": 0x1D7CE,
}  # fmt: skip
BETWEEN = re.compile(r"(?<=\d)(?=\d)")
LETTERS_OF_DIGITS = {"0": "oOоΟ", "1": "lI"}


def _with_digits(first: int) -> Mutation:
    table = {ord("0") + i: chr(first + i) for i in range(10)}
    return lambda text, rng: text.translate(table)


def _replace(pattern: str, signs: str) -> Mutation:
    return lambda text, rng: re.sub(pattern, lambda _: rng.choice(signs), text)


def _insert(text: str, rng: Random) -> str:
    """Characters that cannot be seen, in one to three places within."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(1, max(1, len(text) - 1))
        text = text[:at] + rng.choice(INVISIBLE) + text[at:]
    return text


def _look_alike(text: str, rng: Random) -> str:
    """Cyrillic letters for some Latin ones."""
    changed = (char.translate(LOOK_ALIKES) if rng.random() < 0.4 else char for char in text)
    return "".join(changed)


def _letters_for(digit: str) -> Mutation:
    """A letter for one digit of a number, between two others."""

    def mutate(text: str, rng: Random) -> str:
        places = [m.start() for m in re.finditer(rf"(?<=\d){digit}(?=\d)", text)]
        if not places:
            return text
        at = rng.choice(places)
        return text[:at] + rng.choice(LETTERS_OF_DIGITS[digit]) + text[at + 1 :]

    return mutate


def _space_within(text: str, rng: Random) -> str:
    """A space between two digits."""
    places = [match.start() for match in BETWEEN.finditer(text)]
    at = rng.choice(places) if places else None
    return text if at is None else f"{text[:at]} {text[at:]}"


def _other_digit(text: str, rng: Random) -> str:
    """One digit mistyped."""
    places = [i for i, char in enumerate(text) if char.isdecimal()]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + rng.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1 :]


def _swapped_letters(text: str, rng: Random) -> str:
    """Two neighbouring letters in each other's place."""
    places = [match.start() for match in re.finditer(r"(?<=[^\W\d_])(?=[^\W\d_]{2})", text)]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


MUTATIONS: dict[str, Mutation] = {
    **{name: _with_digits(first) for name, first in DIGITS.items()},
    "other hyphens": _replace("-", HYPHENS),
    "other spaces": _replace(" ", SPACES),
    "two spaces": lambda text, rng: text.replace(" ", "  "),
    "no hyphens": lambda text, rng: text.replace("-", ""),
    "a space between digits": _space_within,
    "invisible characters": _insert,
    "Cyrillic look-alikes": _look_alike,
    "the letter O for a zero": _letters_for("0"),
    "a letter for a one": _letters_for("1"),
    "a digit mistyped": _other_digit,
    "two letters swapped": _swapped_letters,
    "decomposed letters": lambda text, rng: unicodedata.normalize("NFD", text),
    "full-width letters": lambda text, rng: re.sub(
        "[!-~]", lambda match: chr(ord(match[0]) + 0xFEE0), text
    ),
    "struck through": lambda text, rng: "".join(f"{char}\u0336" for char in text),
    "capitals": lambda text, rng: text.upper() if len(text.upper()) == len(text) else text,
    "lower case": lambda text, rng: text.lower() if len(text.lower()) == len(text) else text,
}


def mutate_spans(row: Row, mutation: Mutation, rng: Random) -> tuple[str, list[tuple[int, int]]]:
    """Mutate the annotated spans of a message.

    row (Row): The message.
    mutation (Mutation): What befalls each of its spans.
    rng (Random): The source of chance.
    RETURNS (Tuple[str, List[Tuple[int, int]]]): The text, and where its spans are now.
    """
    out: list[str] = []
    places: list[tuple[int, int]] = []
    at = length = 0
    for span in row["spans"]:
        before, new = row["text"][at : span["start"]], row["text"][span["start"] : span["end"]]
        new = mutation(new, rng)
        start = length + len(before)
        places.append((start, start + len(new)))
        out += (before, new)
        length, at = start + len(new), span["end"]
    return "".join((*out, row["text"][at:])), places


def make_input(texts: Sequence[str], rng: Random) -> str:
    """Make a hostile message: pieces of real-looking ones, mutated, glued, repeated, cut, with any
    characters at all in between.

    texts (Sequence[str]): Real-looking messages.
    rng (Random): The source of chance.
    RETURNS (str): A message.
    """
    parts = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(texts)
        start = rng.randrange(max(1, len(text)))
        part = text[start : start + rng.choice((3, 8, 20, 60, 200))]
        for _ in range(rng.choice((0, 1, 1, 2))):
            part = rng.choice(list(MUTATIONS.values()))(part, rng)
        kind = rng.random()
        if kind < 0.05:
            part *= rng.choice((2, 5, 30))
        elif kind < 0.15:
            part = part[::-1]
        elif kind < 0.3:
            part = _with_noise(part, rng)
        parts.append(part)
    return rng.choice(("", " ", "\n", ", ", "/", "\u200b", "-")).join(parts)


def _with_noise(text: str, rng: Random) -> str:
    """Any characters in any places, halves of pairs among them."""
    for _ in range(rng.randint(1, 4)):
        ends = rng.choice((0x80, 0x250, 0x2100, 0xFFFF, 0x10FFFF))
        at = rng.randint(0, len(text))
        text = text[:at] + chr(rng.randint(0, ends)) + text[at:]
    return text
