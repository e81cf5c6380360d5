"""What an unlisted place seems to be, by its ending, and what a town is the seat of."""

import re

from ..organisations.institutions import ANY_COLLEGE, ANY_HOSPITAL

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
    """The sort of what a town is the seat of: `akuten i`; "" if nothing tells."""
    match = SEAT.search(_get_ahead(before))
    return match.lastgroup or "" if match else ""


def guess_sort(base: str, before: str) -> str:
    """Guess what an unlisted place is.

    RETURNS (str): "lake", "river", "island", "farm", "square", "park", or "" if nothing tells.
    """
    match = END.search(base)
    if match and match.lastgroup:
        return match.lastgroup
    return "island" if ON.search(_get_ahead(before)) else ""


def _get_ahead(before: str) -> str:
    return before[-LONGEST_CUE:].lower()
