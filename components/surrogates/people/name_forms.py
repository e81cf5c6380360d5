"""How names of people look: endings, honorifics, and the parts of a mention."""

import re
from dataclasses import dataclass, field

LONGEST_INITIALS = 3  # letters
ARTICLE = re.compile(r"^(?:al|el|ul)[- ]", re.IGNORECASE)
FAMILY = frozenset(("familjen", "fam", "familj", "makarna", "paret", "herrskapet"))
# `min fru Anna` is kin, `Fru Berg` is none.
HONORIFICS = frozenset(("herr", "hr", "fru", "fröken", "frk"))

# What the ending of an unlisted name tells of where it comes from, and that it is a surname.
FOREIGN_ENDINGS: tuple[tuple[str, "re.Pattern[str]"], ...] = (
    # `Eric` is none.
    ("bks", re.compile(r"(?<=...)ic$")),
    ("pl", re.compile(r"(?:[sc]ki|[sc]ka|wicz|czyk)$")),
    ("fi", re.compile(r"(?:nen|m[aä]ki|niemi)$")),
    ("uk", re.compile(r"(?:enko|chuk)$")),
    ("ru", re.compile(r"(?:ov|ova|ev|eva)$")),
    ("tr", re.compile(r"(?:oglu|gil)$")),
    ("el", re.compile(r"(?:opoulos|akis|idis|adis)$")),
)
HOME_ENDING = re.compile(
    r"(?:son|berg|str[oö]m|gren|[kq]vist|lund|dahl|dal|man|stedt|sten|holm|hjelm|borg|"
    r"blad|ling|strand|skog|g[aå]rd|feldt|ius|fors|mark|by|qvarn|stierna|krona|torp|"
    r"b[ij]elke|hielm|heim|sk[iö]öld|swärd|crantz|hammar|bäck|h[oö]k)$"
)
# Surnames that bow to the gender of their bearer: the ending of a woman's, that of a man's.
BOWING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ska", ("ski", "sky", "skij", "skyj")),
    ("cka", ("cki",)),
    ("dzka", ("dzki",)),
    ("skaja", ("skij", "sky")),
    ("skaya", ("sky", "skiy")),
    ("ova", ("ov", "")),
    ("eva", ("ev",)),
    ("ina", ("in", "ins")),
    ("iene", ("as",)),
    ("na", ("ny",)),
    ("dottir", ("son",)),
    ("poulou", ("poulos",)),
    ("idou", ("idis",)),
    ("aki", ("akis",)),
    ("ou", ("os", "ou")),
)
# Unlisted names in -s that are rather no genitives.
NO_GENITIVE = re.compile(r"(?:[aeiouyäö]s|ss|fors)$")
# What a family's name is put together with.
COMPOUND = re.compile(
    r"s?-?(?:(?:sonen|dottern|pojken|flickan|grabben|tjejen|killen|mannen|frun|gubben|tanten|barnet|"
    r"mamman|pappan|bröderna|systrarna|syskonen|barnen|familjen|släkten|paret|gänget|klanen|"
    r"gården|huset|kusinen|arna)s?)$"
)


def looks_like_surname(form: str) -> bool:
    """Whether an unlisted name has the ending of a surname.

    form (str): The name, folded.
    """
    return HOME_ENDING.search(form) is not None or get_foreign_ending(form) != ""


def get_foreign_ending(form: str) -> str:
    """Get the origin that the ending of a surname tells.

    form (str): The name, folded.
    RETURNS (str): The origin, "" if the ending tells none.
    """
    return next((origin for origin, ending in FOREIGN_ENDINGS if ending.search(form)), "")


@dataclass
class Part:
    """A name within a mention.

    start (int), end (int): Where it stands in the mention, the ending left out.
    word (str): The text of the mention there.
    form (str): The folded name without its ending, the same for all spellings of it.
    role (str): "first", "surname" or "initial".
    ending (str): What follows the name in the same word: a genitive s, `sonen`.
    origin (str): What a particle tells of the origin.
    gap (str): What stands between the letters, where the name is spelled out.
    has_particle (bool): Whether `von` or the like stands in front.
    """

    start: int
    end: int
    word: str
    form: str
    role: str = ""
    ending: str = ""
    origin: str = ""
    gap: str = ""
    has_particle: bool = False


@dataclass
class Name:
    """A mention of a person, read.

    text (str): The mention.
    units (list[list[Part]]): Its names; several parts in one make a hyphenated name.
    comma (int | None): The index of the first unit after a comma.
    kind (str): The kind of the last title in front ("" if there is none).
    gender (str): The gender that titles and kinship words tell ("" if none does).
    role (str): What the words around it say that it is, "first" or "surname" ("" if they do not).
    """

    text: str
    units: list[list[Part]] = field(default_factory=list)
    comma: int | None = None
    kind: str = ""
    gender: str = ""
    role: str = ""

    @property
    def parts(self) -> list[Part]:
        """All parts, in order."""
        return [part for unit in self.units for part in unit]

    def forms(self, role: str) -> list[str]:
        """The names of one role.

        role (str): "first", "surname" or "initial".
        """
        return [part.form for unit in self.units for part in unit if part.role == role]
