"""Surrogates: what is written in the place of personal health information. A room for each kind of it,
over a core.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .core.lazy_classes import Classes
from .core.scope import Mention, Scope
from .numbers.email import EmailSurrogates
from .numbers.phone import PhoneSurrogates
from .numbers.pid import PidSurrogates
from .optional import OPTIONAL_LABELS, make_optional
from .organisations.organisation import OrganisationSurrogates
from .people.person import PersonSurrogates
from .places.location import LocationSurrogates
from .settings import DEFAULTS, OPTIONS
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
    lists: Mapping[str, Sequence[Mapping[str, str]]], options: Mapping[str, str] = DEFAULTS
) -> Classes:
    """Make the surrogates of each class, on its first use.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The rows of each list, by name.
    options (Mapping[str, str]): Values of `settings.OPTIONS`.
    RETURNS (Classes): The surrogates, by label, each behind those that it builds upon or follows.
    """
    makers: dict[str, Callable[[Classes], Any]] = {
        "PERSON": lambda made: PersonSurrogates(lists),
        # Behind people: `c/o Berg` has the surname that Berg has.
        "LOCATION": lambda made: LocationSurrogates(lists),
        "ORGANISATION": lambda made: OrganisationSurrogates(lists, made["LOCATION"]),
        "PID": lambda made: PidSurrogates(),
        "PHONE": lambda made: PhoneSurrogates(nationwide=lists.get("nationwide", ())),
        "EMAIL": lambda made: EmailSurrogates(made["PERSON"], organisations=made["ORGANISATION"]),
        "DATE": lambda made: DateSurrogates(),
        "AGE": lambda made: AgeSurrogates(),
        **{label: partial(_make_optional, label) for label in OPTIONAL_LABELS},
    }
    return Classes(makers, {OPTIONS[name].label: value for name, value in options.items()})


def _make_optional(label: str, made: Classes) -> Any:
    return make_optional(label)
