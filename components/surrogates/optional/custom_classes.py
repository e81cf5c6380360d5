"""Surrogates of classes of a user's own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...text.casing import fold
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from .codes import DIGITS, LETTERS, Codes, draw_characters

KINDS = {"#": DIGITS, "?": LETTERS}


class Listed(Replacer):
    """Replaces the mentions of a class by the values of a list."""

    def __init__(self, label: str, values: Sequence[str]) -> None:
        self.label = label
        self.pool = Pool(values)

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        return [scope.ledger.pick(self.label, mention.text, self.pool) for mention in mentions]

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        return [fold(mention.text) for mention in mentions]

    def _get_pool(self) -> Pool:
        return self.pool


class Template(Codes):
    """Replaces mentions by what a template makes: `AB-####`. Each # becomes a digit, each ? a
    letter."""

    def __init__(self, label: str, template: str) -> None:
        super().__init__(label)
        self.template = template

    def read(self, text: str) -> str:
        return fold(text)

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        kinds = [KINDS.get(char, char) for char in self.template]
        for new in draw_characters("", kinds, scope, self.label, core):
            if fold(new) != core:
                yield new

    def write(self, text: str, core: str, new: str) -> str:
        return new


def make_own(label: str, settings: Mapping[str, Any]) -> Replacer:
    """Make the surrogates of a class of a user's own, by the "template" or the "surrogates" of its
    patterns."""
    if "template" in settings:
        return Template(label, settings["template"])
    return Listed(label, settings.get("surrogates", ()))


def get_own_strategy(settings: Mapping[str, Any], general: str) -> str:
    """Tell what is written in the place of a class of a user's own: its strategy, else the general
    one; but the label where there is nothing that surrogates can be made of."""
    strategy = settings.get("strategy", general)
    makes = "surrogates" in settings or "template" in settings
    return "label" if strategy == "surrogate" and not makes else strategy
