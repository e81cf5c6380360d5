"""What sort of organisation a name is of."""

import re

# The types that a name may be of, by their family. Where a type is used up, the family stands in.
FAMILIES = {
    "care": "primary_care child_health maternity dentist emergency psychiatry rehab clinic brand specialist "
    "optician home_care occupational_health youth laboratory vaccination eye_clinic fertility "
    "gynaecology radiology skin_clinic aesthetics urology gastro hearing orthopaedics",
    "digital_care": "digital_care health_site",
    "care_home": "care_home",
    "hospital": "university_hospital regional_hospital local_hospital special_hospital "
    "hospital_abroad psychiatric_hospital childrens_hospital geriatrics",
    "pharmacy": "pharmacy pharmacy_chain",
    "school": "school gymnasium university adult_school student",
    "preschool": "preschool",
    "authority": "authority municipality district region county_board ministry court "
    "higher_court administrative_court prison jail police museum library army social institution "
    "embassy rescue",
    "club": "football hockey floorball handball basket riding gym sport scouts federation",
    "association": "patients church charity people helpline fund association mosque sameby seniors",
    "union": "union unemployment_fund professionals",
    "party": "party",
    "insurer": "insurer",
    "shop": "grocer clothes electronics home_shop mall shop petrol hairdresser sports_shop "
    "department_store",
    "employer": "industry food pharma energy telecom it consulting staffing security cleaning "
    "restaurant hotel media gambling housing estate_agent building waste culture park funeral "
    "interpreter moving parking car_rental ferry airline travel transit taxi logistics delivery "
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


def get_family(type_: str) -> str:
    """Get the family of a type; the type itself if it is of none."""
    return FAMILY_OF.get(type_, type_)
