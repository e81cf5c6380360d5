"""Case and accents of words: folding for comparison, casing and genitive for writing."""

import re
import unicodedata

SWEDISH = "åäö"
NO_SWEDISH = dict.fromkeys(map(ord, SWEDISH + SWEDISH.upper()))
# Letters that do not decompose, dashes and apostrophes.
PLAIN = str.maketrans(
    {"ø": "ö", "æ": "ä", "ð": "d", "þ": "t", "ł": "l", "đ": "d", "ı": "i"}
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("’´`", "'")
)
SIBILANTS = ("s", "x", "z")


def fold(text: str) -> str:
    """Fold a word: lower case, accents on å, ä, ö only, one kind of space, dash, apostrophe."""
    if text.isascii() or text.translate(NO_SWEDISH).isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFC", text).casefold().replace("\u0307", "")
        letters = (c if c in SWEDISH else unicodedata.normalize("NFD", c)[0] for c in text)
        text = "".join(letters).translate(PLAIN)
    return " ".join(text.split())


def to_ascii(text: str) -> str:
    """Fold a name to the letters a to z and the digits of an e-mail address."""
    decomposed = unicodedata.normalize("NFD", fold(text))
    return re.sub(r"[^a-z0-9]", "", decomposed)


def like_case(original: str, surrogate: str) -> str:
    """Write a surrogate in lower case, in capitals or as it is, as the original is written."""
    letters = [c for c in original if c.isalpha()]
    if not any(c.isupper() for c in letters):
        return surrogate.lower()
    if len(letters) > 1 and not any(c.islower() for c in letters):
        return surrogate.upper()
    if original[:1].isupper():
        return surrogate[:1].upper() + surrogate[1:]
    return surrogate


def genitive(original: str, ending: str, surrogate: str) -> str:
    """Add the original's ending ("", "s", "'s", ":s") to a cased surrogate; none after s, x, z."""
    if ending.casefold() == "s":
        if surrogate.casefold().endswith(SIBILANTS):
            return surrogate
        return surrogate + ("S" if surrogate.isupper() and len(surrogate) > 1 else "s")
    return surrogate + ending
