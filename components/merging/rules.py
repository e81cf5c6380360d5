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
# Stages that may lose something of what the model found, and what of them takes signs only.
LOSSY = ("bound", "trim", "doubt")
HARMLESS = ("trim.punctuation", "doubt.signs_only")
BALANCED, CAREFUL = "balanced", "careful"
MODES = (BALANCED, CAREFUL)


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
    def stage(self) -> str:
        """RETURNS (str): The stage in which it is asked."""
        return self.id.partition(".")[0]

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


def get_rules() -> dict[str, Rule]:
    """RETURNS (Dict[str, Rule]): All rules by id, in the order in which they were registered.

    RAISES (ValueError): If the id of a rule that was added names no stage.
    """
    rules = merger_rules.get_all()
    strange = [id for id, rule in rules.items() if rule.stage not in STAGES]
    if strange:
        raise ValueError(
            f"The id of a rule begins with its stage: {', '.join(strange)}. Stages: {', '.join(STAGES)}."
        )
    return rules


def get_lossy() -> list[str]:
    """RETURNS (List[str]): The ids of the rules that drop letters or digits of what the model found, or
    cut them off.
    """
    return [id for id, rule in get_rules().items() if rule.stage in LOSSY and id not in HARMLESS]


def check_mode(mode: str) -> str:
    """mode (str): How the merger treats what the model found.
    RETURNS (str): The same.
    RAISES (ValueError): If there is no such mode.
    """
    if mode not in MODES:
        raise ValueError(f"mode: {mode!r} is none. There are: {', '.join(MODES)}.")
    return mode
