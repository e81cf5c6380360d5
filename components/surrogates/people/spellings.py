"""Names in other spellings: `Carlsson` for `Karlsson`, `L-i-n-d` for `Lind`."""

import re
from collections.abc import Callable, Container, Iterable
from os.path import commonprefix
from typing import NamedTuple

from ...text.casing import fold, like_case
from .name_forms import LONGEST_INITIALS

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
# In front of what is spelled out.
CUE = re.compile(r"\b(?:stava\w*|bokstaver\w*|skriv\w*|spelled|spelling)\W*$", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+(?:['’´][^\W\d_]{2,})*")
VOWELS = frozenset("aeiouyåäö")
SURE = 4  # so many letters are hardly initials
MAYBE = 3  # so many are, unless they are a name


class Word(NamedTuple):
    """A word of a mention, and where it stands; of one that is spelled out its letters and what is between."""

    text: str
    start: int
    end: int
    gap: str = ""


def get_sound(form: str) -> str:
    """Get what the spellings of a name have in common."""
    for pattern, sound in SOUNDS:
        form = pattern.sub(sound, form)
    return form


def get_words(
    text: str, before: str, get_named: Callable[[], Container[str]], is_name: Callable[[str], bool]
) -> list[Word]:
    """Get the words of a mention, those that are spelled out as one. The names that are written elsewhere
    help to tell."""
    words: list[Word] = []
    position = 0
    for match in RUN.finditer(text):
        letters = "".join(c for c in match[0] if c.isalpha())
        form, gap = fold(letters), match["gap"]
        spelled = len(letters) >= SURE or bool(CUE.search(before))
        if not spelled and len(letters) == MAYBE and "." not in gap:
            spelled = is_name(form)
        spelled = spelled or (is_name(form) and form in get_named())
        if spelled:
            words += _split(text, position, match.start())
            words.append(Word(letters, match.start(), match.end(), gap))
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


def misspell_like(name: str, right: str, wrong: str) -> list[str]:
    """Misspell a name as another one (folded) is misspelled, where it has the same letters: `Pålsson` and
    `Palsson` for `Håll` and `Hall`."""
    start = len(commonprefix([right, wrong]))
    end = len(commonprefix([right[start:][::-1], wrong[start:][::-1]]))
    old, new = right[start : len(right) - end], wrong[start : len(wrong) - end]
    if start and not (old and new):
        old, new = right[start - 1] + old, right[start - 1] + new
    if old and old[-1] not in VOWELS and end:
        # A `c` is a `k` in front of some letters only.
        old, new = old + right[-end], new + right[-end]
    place = name.lower().find(old, bool(start)) if old else -1
    if place < 0 or (not start and place):
        return []
    return [like_case(name, f"{name[:place]}{new}{name[place + len(old) :]}")]


def spell(name: str, gap: str) -> str:
    return gap.join(c for c in name if c.isalpha())


def get_written(texts: Iterable[str]) -> set[str]:
    """Get the names that are written in some mentions. Single letters and capitals, which may be initials, are
    none."""
    words = (word for text in texts for word in WORD.findall(text) if len(word) > 1)
    return {fold(word) for word in words if len(word) > LONGEST_INITIALS or not word.isupper()}
