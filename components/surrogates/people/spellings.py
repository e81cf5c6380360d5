"""Names in other spellings: `Carlsson` for `Karlsson`, `L-i-n-d` for `Lind`."""

import re
from typing import NamedTuple

# Letters that sound alike, in folded names. The order matters.
SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"),
        (r"ck|cch|ch(?=[rl])|c(?![ehiyz])", "k"),
        (r"c(?=[eiy])|z", "s"),
        (r"q[uv]|k[uvw](?=[aeiouyåäö])", "kv"),
        (r"x", "ks"),
        (r"w", "v"),
        (r"(?<=[tdg])h|h(?=[lmnr])", ""),
        (r"v(?=s|$)", "f"),
        (r"aa", "å"),
        (r"ie$|ij$|y$", "i"),
        (r"(.)\1+", r"\1"),
    )
)
# What people write for what.
SLIPS = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        *((f"{c}{c}", c) for c in "bdfglmnprst"),
        *((f"(?<=[aeiouyåäö]){c}(?=[aeiouyåäö])", 2 * c) for c in "lmnrstbdfgkpv"),
        ("ck", "k"), ("k", "c"), ("c(?=[aohr])", "k"), ("qv", "kv"), ("kv", "qv"), ("w", "v"), ("z", "s"),
        ("th", "t"), ("y", "i"), ("i$", "y"), ("ie", "i"), ("ä", "e"), ("h(?=[lmnr])", ""),
    )
)  # fmt: skip
# Single letters with the same sign between any two of them.
RUN = re.compile(
    r"(?<![^\W_])[^\W\d_](?P<gap>\s?[-.,·*_/]\s?|\s)[^\W\d_](?:(?P=gap)[^\W\d_])*(?![^\W_])"
)
WORD = re.compile(r"[^\W\d_]+(?:['’´][^\W\d_]{2,})*")
SURE = 4  # so many letters are hardly initials


class Word(NamedTuple):
    """A word of a mention.

    text (str): The word; of one that is spelled out its letters.
    start (int), end (int): Where it stands.
    """

    text: str
    start: int
    end: int


def get_sound(form: str) -> str:
    """Get what the spellings of a name have in common."""
    for pattern, sound in SOUNDS:
        form = pattern.sub(sound, form)
    return form


def get_words(text: str) -> list[Word]:
    """Get the words of a mention, those that are spelled out as one."""
    words: list[Word] = []
    position = 0
    for match in RUN.finditer(text):
        letters = "".join(c for c in match[0] if c.isalpha())
        if len(letters) >= SURE:
            words += _split(text, position, match.start())
            words.append(Word(letters, match.start(), match.end()))
            position = match.end()
    return words + _split(text, position, len(text))


def _split(text: str, start: int, end: int) -> list[Word]:
    return [Word(m[0], m.start(), m.end()) for m in WORD.finditer(text, start, end)]


def misspell(name: str) -> list[str]:
    """Misspell a name as people do: a name that offers nothing else by two letters in wrong order."""
    slips = [name[: m.start()] + other + name[m.end() :] for pattern, other in SLIPS
             for m in pattern.finditer(name, 1)]  # fmt: skip
    turned = (name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in range(1, len(name) - 1))
    return list(dict.fromkeys(slips or (slip for slip in turned if slip != name)))
