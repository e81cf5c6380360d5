"""Parts of names: particles of surnames (`de la Cruz`), endings of compounds (`Lindqvistarna`)."""

import re

from ..shared.words import read_words

ARABIC = frozenset(("abd", "abu", "al", "bin", "bint", "el", "ibn", "ul"))
# In front of a name these are often words of their own: `du Anna`, `dos`, `el` for `eller`.
DOUBTFUL = frozenset(
    ("av", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "la", "le", "ul")
)
PARTICLES = ARABIC | DOUBTFUL | {"af", "van", "von"}


ENDINGS = read_words(__file__, "compounds.txt")
# May stand between name and ending: `Göteborgsområdet`.
LINK = "s?"
LONGEST = max(len(ending) for all_ in ENDINGS.values() for ending in all_) + len("ss")
_COMPOUND = {label: re.compile(f"{LINK}(?:{'|'.join(all_)})s?") for label, all_ in ENDINGS.items()}

_ALL = {ending for all_ in ENDINGS.values() for ending in all_ if len(ending) > 2}
# The longest first, so that `arna` is not left of `borna`.
_ANY = re.compile(f"(?<=...){LINK}(?:{'|'.join(sorted(_ALL, key=lambda e: (-len(e), e)))})s?$")


def cut_ending(word: str) -> str:
    """Remove such an ending from a folded word. At least three letters are left."""
    return _ANY.sub("", word)


def is_ending(label: str, text: str) -> bool:
    """Whether a folded text is an ending of compounds of a class, perhaps in the genitive."""
    return label in _COMPOUND and _COMPOUND[label].fullmatch(text) is not None
