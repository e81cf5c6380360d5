"""The rules of the `span_merger`: small functions with ids, registered by stage."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import catalogue

from ..labels import LABELS, SINGLE_CLASS

# Other packages can add rules through the entry point group `sv_deid_chat_merger_rules`.
merger_rules = catalogue.create("sv_deid_chat", "merger_rules", entry_points=True)

# In the order in which they are gone through, and what the functions of each take and give:
#   bound   (reading, find) -> finds in place of it, none to leave it
#   trim    (reading, find, i, first) -> whether its first or last token, i, is outside
#   split   (reading, find, at, i) -> where the part behind the one from `at` to i begins
#   doubt   (reading, find) -> whether it is dropped
#   relabel (reading, find) -> its label
#   confirm (reading, find) -> whether it is dropped
#   stand   (reading) -> finds of the lists that need no other evidence
#   widen, join (reading, finds) -> finds
# Up to relabel only what the model found is gone through, in confirm what a pattern found. `None` has nothing to say, the next rule
# is asked; the first that says something has the last word.
STAGES = ("bound", "trim", "split", "doubt", "relabel", "confirm", "stand", "widen", "join")


class Rule(NamedTuple):
    """A decision of the merger.

    id (str): Stage and name: `trim.edge_word`.
    labels (Tuple[str, ...]): The classes it is for.
    apply (Callable): The function, see `STAGES`.
    """

    id: str
    labels: tuple[str, ...]
    apply: Callable

    @property
    def help(self) -> str:
        """RETURNS (str): What it does, in a line."""
        return (self.apply.__doc__ or "").strip().partition("\n")[0]


def rule(
    id: str, labels: Iterable[str] = (*LABELS, SINGLE_CLASS)
) -> Callable[[Callable], Callable]:
    """Register a function as a rule.

    id (str): Stage and name.
    labels (Iterable[str]): The classes it is for.
    RETURNS (Callable): The decorator.
    """

    def register(apply: Callable) -> Callable:
        merger_rules.register(id, func=Rule(id, tuple(labels), apply))
        return apply

    return register


def get_order() -> dict[str, list[str]]:
    """RETURNS (Dict[str, List[str]]): The ids of the rules of each stage, in the order in which they
    were registered.
    """
    ids = [*merger_rules.get_all()]
    return {stage: [id for id in ids if id.partition(".")[0] == stage] for stage in STAGES}
