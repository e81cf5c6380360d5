"""Surrogates of the optional classes, and of classes of a user's own."""

from collections.abc import Callable

from ...shared.labels import OPTIONAL_LABELS
from .codes import ANY_FORM, DIGITS, Codes, Form, FormedCodes
from .internet import IpAddresses, MacAddresses
from .nordic_ids import NordicIds
from .payments import Cards, Ibans, OrganisationNumbers
from .web import Handles, Urls

__all__ = ["FORMS", "OPTIONAL_LABELS", "make_optional"]

# By label the form of codes that are nobody's. Of a class that is not here nothing is known.
FORMS = {
    # None begins with a 4, and the third digit tells that it is nobody's birth date.
    "ORGANISATION_NUMBER": Form({10: ("4", DIGITS, DIGITS[2:])}, checked=True),
    # No more than six digits are told, and none is as short.
    "BANKGIRO": Form({7: "0", 8: "00"}, checked=True),
    # No series is set aside: they may be somebody's.
    "PLUSGIRO": Form(checked=True),
    # No clearing number begins with a zero.
    "ACCOUNT": Form({0: "0"}),
    # Transportstyrelsen: no plate begins with I, Q or V, and O is not the last letter.
    "PLATE": Form({0: ("IQV",)}, letters="ABCDEFGHJKLMNOPRSTUWXYZ", last="ABCDEFGHJKLMNPRSTUWXYZ"),
}
# What is read, written or checked in another way.
SPECIAL: dict[str, Callable[[str], Codes]] = {
    "URL": Urls,
    "PROFILE": Handles,
    "IP_ADDRESS": IpAddresses,
    "MAC_ADDRESS": MacAddresses,
    "IBAN": Ibans,
    "CARD": Cards,
    "NORDIC_ID": NordicIds,
}


def make_optional(label: str) -> Codes:
    """Make the surrogates of an optional class.

    label (str): One of `OPTIONAL_LABELS`. A class that is in no table has codes of which nothing is known.
    RETURNS (Codes): The surrogates.
    """
    if label in SPECIAL:
        return SPECIAL[label](label)
    form = FORMS.get(label, ANY_FORM)
    return (OrganisationNumbers if label == "ORGANISATION_NUMBER" else FormedCodes)(label, form)
