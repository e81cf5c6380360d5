"""Surrogates of the optional classes, and of classes of a user's own."""

from importlib import import_module
from pkgutil import iter_modules

from ...shared.labels import OPTIONAL_LABELS
from .codes import SURROGATES, AnyCodes, Codes

# Each module enters what it replaces into `SURROGATES`.
for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["OPTIONAL_LABELS", "make_optional"]


def make_optional(label: str) -> Codes:
    """Make the surrogates of an optional class.

    label (str): One of `OPTIONAL_LABELS`. A class that no module names has codes of which nothing is
        known.
    RETURNS (Codes): The surrogates.
    """
    return SURROGATES.get(label, AnyCodes)(label)
