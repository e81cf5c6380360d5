"""What sort of organisation a name is of."""

import re

from ..words import read_words

_ROWS = read_words("organisation_types")
FAMILY_OF = {row["type"]: row["family"] for row in _ROWS}
# The types of the kinds of the list, where a name tells no more.
OF_KIND = {
    "care_unit": "clinic",
    "care_brand": "brand",
    "hospital": "local_hospital",
    "employer": "industry",
    "club": "sport",
    "school": "school",
}
# Types whose members are many and local: they get a name that is nobody's.
LOCAL = frozenset(row["type"] for row in _ROWS if row["named"] == "local")
# Others so, if they are not listed.
MADE = LOCAL | {row["type"] for row in _ROWS if row["named"]}
# What a name may have besides that says more.
WEAK = frozenset(row["type"] for row in _ROWS if row["weak"])
SEPARATORS = re.compile(r"[\s,/]+")


def get_family(type_: str) -> str:
    """The family of a type; the type itself if it is of none."""
    return FAMILY_OF.get(type_, type_)
