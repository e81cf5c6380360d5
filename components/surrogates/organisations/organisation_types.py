"""What sort of organisation a name is of."""

import re
from collections.abc import Sequence

from .organisation_heads import Head, find_head

# The types that a name may be of, by their family. Where a type is used up, the family stands in.
FAMILIES = {
    "care": "primary_care child_health maternity dentist emergency psychiatry rehab clinic brand specialist "
    "optician home_care occupational_health youth laboratory",
    "digital_care": "digital_care health_site",
    "care_home": "care_home",
    "hospital": "university_hospital regional_hospital local_hospital special_hospital "
    "hospital_abroad",
    "pharmacy": "pharmacy pharmacy_chain",
    "school": "school gymnasium university adult_school student",
    "preschool": "preschool",
    "authority": "authority municipality district region county_board ministry court "
    "higher_court administrative_court prison police museum library army social institution "
    "embassy rescue",
    "club": "football hockey floorball handball basket riding gym sport scouts",
    "association": "patients church charity people helpline fund association mosque sameby",
    "union": "union unemployment_fund professionals",
    "party": "party",
    "insurer": "insurer",
    "shop": "grocer clothes electronics home_shop mall shop petrol hairdresser sports_shop",
    "employer": "industry food pharma energy telecom it consulting staffing security cleaning "
    "restaurant hotel media gambling housing estate_agent building waste culture park funeral "
    "interpreter moving parking car_rental ferry airline travel transit taxi logistics "
    "collection bank vet law farm workshop",
}
FAMILY_OF = {type_: family for family, types in FAMILIES.items() for type_ in types.split()}
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
LOCAL_TYPES = (
    "primary_care child_health maternity dentist emergency psychiatry rehab clinic youth care_home "
    "pharmacy school gymnasium preschool"
)
LOCAL = frozenset(LOCAL_TYPES.split())
# What an employer becomes that is not listed: names that everybody knows.
WELL_KNOWN = """
ABB, Alfa Laval, Arla, Assa Abloy, Atlas Copco, Boliden, Cloetta, Coor, DHL, Electrolux, Ericsson, Findus, Getinge, Husqvarna,
ISS, JM, Lantmännen, LKAB, NCC, Orkla, Peab, Postnord, Saab, Samhall, Sandvik, Scania, Schenker, Securitas, SJ, Skanska, SKF,
Sodexo, SSAB, Stena, Telia, Tetra Pak, Vattenfall, Volvo
"""
# Where somebody sits.
PRISONS = """
Hallanstalten, Kumlaanstalten, Tidaholmsanstalten, Österåkersanstalten, Skogomeanstalten, Saltviksanstalten, Skänningeanstalten,
Norrtäljeanstalten, Mariefredsanstalten, Hällbyanstalten, Salbergaanstalten, Storbodaanstalten
"""
# What is taken or put in, and was taken for an organisation.
MEDICINES = """
Alvedon, Ipren, Panodil, Voltaren, Treo, Losec, Zoloft, Levaxin, Eliquis, Ozempic, Lergigan, Atarax, Citodon, Kåvepenin,
Metformin, Ventoline, Bricanyl, Trombyl, Xarelto, Waran, Furix, Betapred, Imovane, Mirtazapin
"""
# Others so, if they are not listed.
MADE_TYPES = (
    "optician home_care occupational_health restaurant hairdresser cleaning workshop building vet law "
    "farm moving housing shop funeral food industry logistics hotel consulting security sameby"
)
MADE = LOCAL | frozenset(MADE_TYPES.split())
# What a name may have besides that says more.
WEAK_TYPES = (
    "clinic farm municipality authority association industry consulting it school media shop "
    "building university local_hospital regional_hospital university_hospital fund culture "
    "park waste energy logistics transit church"
)
WEAK = frozenset(WEAK_TYPES.split())
SEPARATORS = re.compile(r"[\s,/]+")


def read_type(words: Sequence[str]) -> str:
    """Tell of what type an organisation is by all words of its name.

    RETURNS (str): The type, "" if no word tells.
    """
    heads = [(word, head) for word in words if (head := find_head(word))]
    if not heads:
        return ""
    (first, head), *_ = heads
    if first is words[0] and head.type not in WEAK and not _is_genitive(first, head):
        # `Hudkliniken Lunds lasarett`
        return head.type
    strong = [head.type for _, head in heads if head.type not in WEAK]
    return strong[-1] if strong else heads[-1][1].type


def _is_genitive(word: str, head: Head) -> bool:
    return head.text.endswith("s") and not head.text.endswith("hus")
