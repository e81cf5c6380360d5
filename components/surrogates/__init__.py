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
    lists: Mapping[str, Sequence[Mapping[str, str]]], dates: str = "shift", ages: str = "shift"
) -> dict[str, Any]:
    """Make the surrogates of each class, in an order in which each finds what it builds upon: the
    places in organisations follow from LOCATION, the names in addresses from PERSON.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The rows of each list, by name.
    dates (str): What is left of dates, one of `date.MODES`.
    ages (str): What is left of ages, one of `age.MODES`.
    RETURNS (dict[str, Any]): The surrogates, by label.
    """
    person = PersonSurrogates(lists)
    location = LocationSurrogates(lists)
    return {
        "PERSON": person,
        "LOCATION": location,
        "ORGANISATION": OrganisationSurrogates(lists, location),
        "PID": PidSurrogates(),
        "PHONE": PhoneSurrogates(),
        "EMAIL": EmailSurrogates(person),
        "DATE": DateSurrogates(dates),
        "AGE": AgeSurrogates(ages),
    }
