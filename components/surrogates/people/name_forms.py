"""How names of people look: endings, honorifics, and the parts of a mention."""

import re
from dataclasses import dataclass, field

from ...shared.words import read_words

LONGEST_INITIALS = 3  # letters
ARTICLE = re.compile(r"^(?:al|el|ul)[- ]", re.IGNORECASE)
WORDS = read_words(__file__, "words.txt")
FAMILY, HONORIFICS = frozenset(WORDS["family"]), frozenset(WORDS["honorifics"])
FOREIGN_ENDINGS, BOWING = (
    [(name, tuple(ends.split(","))) for name, ends in (entry.split(":") for entry in WORDS[key])]
    for key in ("foreign", "women")
)
MIN_FOREIGN = 5  # letters: `Eric` is at home here
HOME_ENDING = re.compile(rf"(?:{'|'.join(WORDS['home'])})$")
# Unlisted names in -s that are rather no genitives.
NO_GENITIVE = re.compile(r"(?:[aeiouyäö]s|ss|fors)$")
COMPOUND = re.compile(rf"s?-?(?:(?:{'|'.join(WORDS['compounds'])})s?)$")


def looks_like_surname(form: str) -> bool:
    """Whether an unlisted name, folded, has the ending of a surname."""
    return HOME_ENDING.search(form) is not None or get_foreign_ending(form) != ""


def get_foreign_ending(form: str) -> str:
    """Get the origin that the ending of a folded surname tells, "" if it tells none."""
    found = (origin for origin, endings in FOREIGN_ENDINGS if form.endswith(endings))
    return next(found, "") if len(form) >= MIN_FOREIGN else ""


@dataclass
class Part:
    """A name within a mention, and where it stands there, its ending left out."""

    start: int
    end: int
    word: str
    form: str  # the folded name without its ending, the same for all spellings of it
    role: str = ""  # "first", "surname" or "initial"
    ending: str = ""  # what follows in the same word: a genitive s, `sonen`
    origin: str = ""  # what a particle tells
    gap: str = ""  # what stands between the letters of a name that is spelled out
    has_particle: bool = False  # in front


@dataclass
class Name:
    """A mention of a person, read."""

    text: str
    units: list[list[Part]] = field(default_factory=list)  # names; a hyphenated one has parts
    comma: int | None = None  # the first unit after a comma
    kind: str = ""  # of the last title in front
    gender: str = ""  # that titles and kinship words tell
    role: str = ""  # "first" or "surname", where the words around it say so

    @property
    def parts(self) -> list[Part]:
        return [part for unit in self.units for part in unit]

    def forms(self, role: str) -> list[str]:
        """The names of one role: "first", "surname" or "initial"."""
        return [part.form for part in self.parts if part.role == role]
