"""Surrogates of the optional classes, and of classes of a user's own."""

from collections.abc import Callable

from ...shared.labels import OPTIONAL_LABELS
from .codes import Codes, HeadedCodes, LuhnCodes
from .internet import IpAddresses, MacAddresses
from .nordic_ids import NordicIds
from .payments import Cards, Ibans, OrganisationNumbers
from .web import Handles, Urls

__all__ = ["OPTIONAL_LABELS", "make_optional"]

SURROGATES: dict[str, Callable[[str], Codes]] = {
    "URL": Urls,
    "PROFILE": Handles,
    "IP_ADDRESS": IpAddresses,
    "MAC_ADDRESS": MacAddresses,
    # Transportstyrelsen: no plate begins with I, Q or V, and O is not the last letter.
    "PLATE": lambda label: HeadedCodes(
        label, "IQV", "ABCDEFGHJKLMNOPRSTUWXYZ", "ABCDEFGHJKLMNPRSTUWXYZ"
    ),
    "ORGANISATION_NUMBER": OrganisationNumbers,
    # Of these no more than six digits are told, and none is as short.
    "BANKGIRO": lambda label: LuhnCodes(label, {7: "0", 8: "00"}),
    # No series is set aside: they may be somebody's.
    "PLUSGIRO": LuhnCodes,
    "IBAN": Ibans,
    # No clearing number begins with a zero, so that they are nobody's.
    "ACCOUNT": lambda label: HeadedCodes(label, "0"),
    "CARD": Cards,
    "NORDIC_ID": NordicIds,
}


def make_optional(label: str) -> Codes:
    """Make the surrogates of an optional class.

    label (str): One of `OPTIONAL_LABELS`. Of the codes of a class without an entry nothing is known.
    RETURNS (Codes): The surrogates.
    """
    return SURROGATES.get(label, Codes)(label)
