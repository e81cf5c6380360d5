"""Surrogates: what is written in the place of personal health information. A room for each kind of it,
over a core.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from .core.lazy_classes import Classes, ClassMaker
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
    makers = {
        "PERSON": ClassMaker(lambda: PersonSurrogates(lists)),
        # `c/o Berg` has the surname that Berg has.
        "LOCATION": ClassMaker(lambda: LocationSurrogates(lists), follows=("PERSON",)),
        "ORGANISATION": ClassMaker(
            lambda locations: OrganisationSurrogates(lists, locations), ("LOCATION",)
        ),
        "PID": ClassMaker(PidSurrogates),
        "PHONE": ClassMaker(lambda: PhoneSurrogates(nationwide=lists.get("nationwide", ()))),
        "EMAIL": ClassMaker(
            lambda people, organisations: EmailSurrogates(people, organisations=organisations),
            ("PERSON", "ORGANISATION"),
        ),
        "DATE": ClassMaker(DateSurrogates),
        "AGE": ClassMaker(AgeSurrogates),
        **{label: ClassMaker(partial(make_optional, label)) for label in OPTIONAL_LABELS},
    }
    return Classes(makers, {OPTIONS[name].label: value for name, value in options.items()})
