"""Surrogates, one module for each class of personal health information."""

from collections.abc import Mapping, Sequence

from .age import AgeSurrogates
from .codes import AnyCodes
from .date import DateSurrogates
from .email import EmailSurrogates
from .internet import IpAddresses, MacAddresses
from .keyed import Mention, Scope
from .lazy import Classes
from .location import LocationSurrogates
from .nordic_ids import NordicIds
from .organisation import OrganisationSurrogates
from .payments import (
    Accounts,
    Cards,
    Ibans,
    OrganisationNumbers,
    make_bankgiro,
    make_plusgiro,
)
from .person import PersonSurrogates
from .phone import PhoneSurrogates
from .pid import PidSurrogates
from .plates import Plates
from .web import Handles, Urls

__all__ = [
    "AgeSurrogates",
    "Classes",
    "DateSurrogates",
    "EmailSurrogates",
    "LocationSurrogates",
    "Mention",
    "OrganisationSurrogates",
    "PersonSurrogates",
    "PhoneSurrogates",
    "PidSurrogates",
    "Scope",
    "make_classes",
]


def make_classes(
    lists: Mapping[str, Sequence[Mapping[str, str]]],
    *,
    surrogate_numbers: str = "reserved",
    dates: str = "shift",
    ages: str = "shift",
) -> Classes:
    """Make the surrogates of each class on its first use, in an order in which each finds what it
    builds upon: the places in organisations follow from LOCATION, the names in addresses from
    PERSON.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The rows of each list, by name.
    surrogate_numbers (str), dates (str), ages (str): Of `settings.CHOICES`.
    RETURNS (Classes): The surrogates, by label.
    """
    return Classes(
        {
            "PERSON": lambda _: PersonSurrogates(lists),
            "LOCATION": lambda _: LocationSurrogates(lists),
            "ORGANISATION": lambda classes: OrganisationSurrogates(lists, classes["LOCATION"]),
            "PID": lambda _: PidSurrogates(),
            "PHONE": lambda _: PhoneSurrogates(
                nationwide=lists.get("nationwide", ()), numbers=surrogate_numbers
            ),
            "EMAIL": lambda classes: EmailSurrogates(
                classes["PERSON"],
                organisations=classes["ORGANISATION"],
                places=lists.get("places", ()),
            ),
            "DATE": lambda _: DateSurrogates(dates),
            "AGE": lambda _: AgeSurrogates(ages),
            "URL": lambda _: Urls("URL"),
            "PROFILE": lambda _: Handles("PROFILE"),
            "IP_ADDRESS": lambda _: IpAddresses("IP_ADDRESS"),
            "MAC_ADDRESS": lambda _: MacAddresses("MAC_ADDRESS"),
            "PLATE": lambda _: Plates("PLATE"),
            "ORGANISATION_NUMBER": lambda _: OrganisationNumbers(),
            "BANKGIRO": lambda _: make_bankgiro(),
            "PLUSGIRO": lambda _: make_plusgiro(),
            "IBAN": lambda _: Ibans("IBAN"),
            "ACCOUNT": lambda _: Accounts("ACCOUNT"),
            "CARD": lambda _: Cards("CARD"),
            "RESERVE_NUMBER": lambda _: AnyCodes("RESERVE_NUMBER"),
            "LMA_NUMBER": lambda _: AnyCodes("LMA_NUMBER"),
            "CASE_NUMBER": lambda _: AnyCodes("CASE_NUMBER"),
            "NORDIC_ID": lambda _: NordicIds("NORDIC_ID"),
        }
    )
