"""Surrogates, one module for each class of personal health information."""

from collections.abc import Mapping, Sequence

from .core.lazy_classes import Classes
from .core.scope import Mention, Scope
from .numbers.email import EmailSurrogates
from .numbers.phone import PhoneSurrogates
from .numbers.pid import PidSurrogates
from .optional.codes import AnyCodes
from .optional.internet import IpAddresses, MacAddresses
from .optional.nordic_ids import NordicIds
from .optional.payments import (
    Accounts,
    Cards,
    Ibans,
    OrganisationNumbers,
    make_bankgiro,
    make_plusgiro,
)
from .optional.plates import Plates
from .optional.web import Handles, Urls
from .organisations.organisation import OrganisationSurrogates
from .people.person import PersonSurrogates
from .places.location import LocationSurrogates
from .time.age import AgeSurrogates
from .time.date import DateSurrogates

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
