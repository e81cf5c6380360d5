"""Surrogates, one module for each class of personal health information."""

from collections.abc import Mapping, Sequence
from typing import Any

from .age import AgeSurrogates
from .date import DateSurrogates
from .email import EmailSurrogates
from .keyed import Mention, Scope
from .location import LocationSurrogates
from .organisation import OrganisationSurrogates
from .person import PersonSurrogates
from .phone import PhoneSurrogates
from .pid import PidSurrogates

__all__ = [
    "AgeSurrogates",
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
    lists: Mapping[str, Sequence[Mapping[str, str]]], surrogate_numbers: str = "reserved"
) -> dict[str, Any]:
    """Make the surrogates of each class, in an order in which each finds what it builds upon: the
    places in organisations follow from LOCATION, the names in addresses from PERSON and ORGANISATION.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The rows of each list, by name.
    surrogate_numbers (str): "reserved" for numbers that are nobody's; "plausible" for any, which is
        only for sets that never leave the house.
    RETURNS (dict[str, Any]): The surrogates, by label.
    """
    person = PersonSurrogates(lists)
    location = LocationSurrogates(lists)
    organisation = OrganisationSurrogates(lists, location)
    return {
        "PERSON": person,
        "LOCATION": location,
        "ORGANISATION": organisation,
        "PID": PidSurrogates(),
        "PHONE": PhoneSurrogates(nationwide=lists.get("nationwide", ()), numbers=surrogate_numbers),
        "EMAIL": EmailSurrogates(
            person, organisations=organisation, places=lists.get("places", ())
        ),
        "DATE": DateSurrogates(),
        "AGE": AgeSurrogates(),
    }
