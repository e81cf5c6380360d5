"""What sort of organisation a name is of."""

import re

from ...shared.words import read_words

WORDS = read_words(__file__, "words.txt")
FAMILIES = read_words(__file__, "families.txt")
FAMILY_OF = {type_: family for family, types in FAMILIES.items() for type_ in types}
# The types of the kinds of the list, where a name tells no more.
OF_KIND = {
    "care_unit": "clinic",
    "care_brand": "brand",
    "hospital": "local_hospital",
    "employer": "industry",
    "club": "sport",
    "school": "school",
}
LOCAL, WEAK = frozenset(WORDS["local"]), frozenset(WORDS["weak"])
MADE = LOCAL.union(WORDS["made"])
SEPARATORS = re.compile(r"[\s,/]+")


def get_family(type_: str) -> str:
    """Get the family of a type; the type itself if it is of none."""
    return FAMILY_OF.get(type_, type_)
