"""The rules of the `span_merger`: small functions with ids, registered by stage."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import catalogue

from ..shared.labels import LABELS, SINGLE_CLASS

# Other packages can add rules through the entry point group `sv_deid_chat_merger_rules`.
merger_rules = catalogue.create("sv_deid_chat", "merger_rules", entry_points=True)

# The stages in their order, and what the functions of each take and return:
#   edit    (facts, find) -> list of finds that take the place of what the model found
#   doubt   (facts, find) -> whether what the model found is dropped
#   confirm (facts, find) -> whether what a pattern found is dropped
#   stand   (facts) -> finds of the lists that need no other evidence
#   join    (facts, finds) -> list of finds: all of them, with what belongs to them
STAGES = ("edit", "doubt", "confirm", "stand", "join")


class Rule(NamedTuple):
    """A decision of the merger: stage and name (`doubt.form`), its classes, its function."""

    id: str
    labels: frozenset[str]
    apply: Callable

    @property
    def stage(self) -> str:
        return self.id.partition(".")[0]

    @property
    def help(self) -> str:
        """RETURNS (str): What the rule does, in a line."""
        return (self.apply.__doc__ or "").strip().partition("\n")[0]


def rule(
    id: str, labels: Iterable[str] = (*LABELS, SINGLE_CLASS)
) -> Callable[[Callable], Callable]:
    """Register a function as a rule. See `Rule` and `STAGES`."""

    def register(apply: Callable) -> Callable:
        merger_rules.register(id, func=Rule(id, frozenset(labels), apply))
        return apply

    return register


def get_rules() -> dict[str, Rule]:
    """RETURNS (dict[str, Rule]): All rules by id; ValueError if an added one has no stage."""
    rules = merger_rules.get_all()
    strange = [id for id, rule in rules.items() if rule.stage not in STAGES]
    if strange:
        raise ValueError(
            f"The id of a rule begins with its stage: {', '.join(strange)}. "
            f"Stages: {', '.join(STAGES)}."
        )
    return rules
