"""What an unlisted place seems to be, by its ending and the words in front of it."""

import re
from collections.abc import Iterable

from ..core.scope import Mention
from ..organisations.institutions import ANY_COLLEGE, ANY_HOSPITAL

# Plain words: `Libya`, but not `Congo - Brazzaville`.
PLAIN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
# What stands in front of a place tells most, then how it ends.
CUES = (
    ("lake", r"(?:in|små|stor)?(?:sjön|tjärnen|träsket)"),
    ("river", r"ån|älven|floden|bäcken"),
    ("island", r"(?:halv)?ön|holmen|skäret"),
    ("farm", r"gården|torpet|gård"),
    ("square", r"torget"),
    ("abroad", r"gränsen (?:mot|till)|utomlands i|landet"),
    ("airport", r"(?:flyg\w*|flög|planet)(?: \w+)? (?:från|till|på|via)"),
    ("town", r"(?:norr|söder|öster|väster|strax) om|utanför|staden|byn|orten|samhället|kommunen"),
)
CUE = re.compile(rf"\b(?:{'|'.join(f'(?P<{sort}>{words})' for sort, words in CUES)})\s+$")
LONGEST_CUE = 40
ON = re.compile(r"\bpå\s+$")
ENDS = (
    ("lake", r"sjön|sjöarna|tjärn(?:en)?|träsk(?:et)?|vattnet"),
    ("river", r"älven|(?<=\w{3})ån|bäcken"),
    ("island", r"(?<=\w\w)(?:ön|öarna|holmarna|skär(?:en)?|skäret|grund(?:et)?)"),
    ("square", r"torget| torg| plats| plan"),
    ("park", r"parken| park"),
    ("farm", r"(?:gården|gård)"),
)
END = re.compile(rf"(?:{'|'.join(f'(?P<{sort}>{words})' for sort, words in ENDS)})$")

# What people speak of where a place has a trait.
TRAITS = {
    "coast": "skärgård|havet|kusten|färja|båten|båtplats|segla",
    "mountain": "fjäll|slalom|liften|skidort|skidbacke|skoter",
    "sami": "sam(?:isk|er|eby|e\b)|renar|renskötsel|renflytt",
    "finnish": "meänkieli|tornedal|finska|finsk",
    "border": "gränsen|norge|norska|finland|finska",
}
TRAIT = re.compile(rf"\b(?:{'|'.join(f'(?P<{trait}>{words})' for trait, words in TRAITS.items())})")

# What a town has, where it stands in front of its name, by the sorts of `Institutions`.
SEATS = {
    ANY_HOSPITAL: r"sjukhus\w*|lasarett\w*|akut(?:en|mottagning\w*)|bb|förlossning\w*|iva|intensiven",
    ANY_COLLEGE: r"universitet\w*|högskola\w*|campus",
    "court": r"tingsrätt\w*",
}
SEAT = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{sort}>{words})' for sort, words in SEATS.items())})\s+i\s+$"
)


def read_seat(before: str) -> str:
    """Read the sort of what a town is the seat of: `akuten i`; "" if nothing tells."""
    match = SEAT.search(_get_ahead(before))
    return match.lastgroup or "" if match else ""


def read_traits(mentions: Iterable[Mention]) -> frozenset[str]:
    """Read which traits of places the words around some speak of."""
    around = ((mention.before + mention.after).lower() for mention in mentions)
    return frozenset(match.lastgroup or "" for text in around for match in TRAIT.finditer(text))


def read_cue(before: str) -> str:
    """Read the sort (`CUES`) of a place that the words in front tell; "" if they tell none."""
    match = CUE.search(_get_ahead(before))
    return match.lastgroup or "" if match else ""


def guess_sort(base: str, before: str) -> str:
    """Guess the sort of an unlisted place (`CUES`, `ENDS`); "" if nothing tells."""
    ahead = _get_ahead(before)
    for match in (CUE.search(ahead), END.search(base)):
        if match and match.lastgroup and match.lastgroup != "airport":
            return match.lastgroup
    return "island" if ON.search(ahead) else ""


def _get_ahead(before: str) -> str:
    return before[-LONGEST_CUE:].lower()
