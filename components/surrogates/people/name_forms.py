"""How names of people look: endings, honorifics, and the parts of a mention."""

import re
from dataclasses import dataclass, field


def _read_endings(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Read endings by what they belong to."""
    pairs = (entry.partition(":") for entry in text.split())
    return [(name, tuple(endings.split(","))) for name, _, endings in pairs]


LONGEST_INITIALS = 3  # letters
ARTICLE = re.compile(r"^(?:al|el|ul)[- ]", re.IGNORECASE)
FAMILY = frozenset(("familjen", "fam", "familj", "makarna", "paret", "herrskapet"))
# `min fru Anna` is kin, `Fru Berg` is none.
HONORIFICS = frozenset(("herr", "hr", "fru", "fröken", "frk"))

# What the ending of an unlisted name tells of where it comes from, and that it is a surname.
FOREIGN_ENDING_LIST = """
bks:ic pl:ski,ska,cki,cka,wicz,czyk fi:nen,mäki,maki,niemi uk:enko,chuk ru:ov,ova,ev,eva tr:oglu,gil
el:opoulos,akis,idis,adis
"""
FOREIGN_ENDINGS = _read_endings(FOREIGN_ENDING_LIST)
MIN_FOREIGN = 5  # letters: `Eric` is at home here
HOME_ENDING = re.compile(
    r"(?:son|dotter|berg|str[oö]m|gren|[kq]vist|lund|dahl|dal|man|stedt|sten|holm|hjelm|borg|"
    r"blad|ling|strand|skog|g[aå]rd|feldt|ius|fors|mark|by|qvarn|stierna|krona|torp|"
    r"b[ij]elke|hielm|heim|sk[iö]öld|swärd|crantz|hammar|bäck|h[oö]k)$"
)
# Surnames that bow to the gender of their bearer: the ending of a woman's, those of a man's.
ENDINGS_OF_WOMEN = """
ska:ski,sky,skij,skyj cka:cki dzka:dzki skaja:skij,sky skaya:sky,skiy ova:ov, eva:ev ina:in,ins iene:as na:ny
dottir:son poulou:poulos idou:idis aki:akis ou:os,ou
"""
BOWING = _read_endings(ENDINGS_OF_WOMEN)
# Unlisted names in -s that are rather no genitives.
NO_GENITIVE = re.compile(r"(?:[aeiouyäö]s|ss|fors)$")
# What a family's name is put together with.
COMPOUND = re.compile(
    r"s?-?(?:(?:sonen|dottern|pojken|flickan|grabben|tjejen|killen|mannen|frun|gubben|tanten|barnet|"
    r"mamman|pappan|bröderna|systrarna|syskonen|barnen|familjen|släkten|paret|gänget|klanen|"
    r"gården|huset|kusinen|arna)s?)$"
)


def looks_like_surname(form: str) -> bool:
    """Whether an unlisted name, folded, has the ending of a surname."""
    return HOME_ENDING.search(form) is not None or get_foreign_ending(form) != ""


def get_foreign_ending(form: str) -> str:
    """Get the origin that the ending of a folded surname tells, "" if it tells none."""
    found = (origin for origin, endings in FOREIGN_ENDINGS if form.endswith(endings))
    return next(found, "") if len(form) >= MIN_FOREIGN else ""


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
        """The names of one role: "first", "surname" or "initial"."""
        return [part.form for unit in self.units for part in unit if part.role == role]
