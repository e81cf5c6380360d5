"""Surrogates, one module for each class of personal health information."""

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
]
