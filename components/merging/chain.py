"""The way through the rules, stage by stage."""

from collections.abc import Collection, Iterable

from . import join_rules, model_rules  # noqa: F401
from .facts import Facts
from .finds import Find, Step, unite
from .rules import STAGES, Rule, get_rules


class Chain:
    """Asks the rules of each stage, but for those in `disable`, in the order of their registration."""

    def __init__(self, disable: Collection[str] = ()) -> None:
        self._rules: dict[str, list[Rule]] = {stage: [] for stage in STAGES}
        for id, rule in get_rules().items():
            if id not in disable:
                self._rules[rule.stage].append(rule)

    def judge(self, facts: Facts, find: Find, doubted: list[Find]) -> list[Find]:
        """Go through the rules for what the model found. `doubted` gets what is taken away, each with the rule's id
        as last step.
        """
        finds = [find]
        for rule in self._rules["edit"]:
            finds = [part for each in finds for part in _edit(rule, facts, each, doubted)]
        return [each for each in finds if self._stays(facts, each, "doubt", doubted)]

    def confirm(self, facts: Facts, find: Find, doubted: list[Find]) -> bool:
        """RETURNS (bool): Whether what a pattern found stays. If not, `doubted` gets it."""
        return self._stays(facts, find, "confirm", doubted)

    def _stays(self, facts: Facts, find: Find, stage: str, doubted: list[Find]) -> bool:
        for rule in self._rules[stage]:
            if find.label in rule.labels and rule.apply(facts, find):
                doubted += _leave(find, rule.id, ())
                return False
        return True

    def stand(self, facts: Facts) -> list[Find]:
        """RETURNS (list[Find]): What the lists know, where it counts on its own."""
        return [find for rule in self._rules["stand"] for find in rule.apply(facts)]

    def join(self, facts: Facts, finds: list[Find]) -> list[Find]:
        """RETURNS (list[Find]): Finds that do not overlap, with what stands beside them."""
        for rule in self._rules["join"]:
            finds = unite(rule.apply(facts, finds))
        return finds


def _edit(rule: Rule, facts: Facts, find: Find, doubted: list[Find]) -> list[Find]:
    if find.label not in rule.labels:
        return [find]
    parts = rule.apply(facts, find)
    doubted += _leave(find, rule.id, parts)
    return parts


def _leave(find: Find, id: str, parts: Iterable[Find]) -> list[Find]:
    """What a rule takes from a find: what lies outside the parts that are left."""
    ends = [find.start, *(end for part in parts for end in (part.start, part.end)), find.end]
    gaps = [(start, end) for start, end in zip(ends[::2], ends[1::2]) if start < end]
    steps = [Step(id, start, end, find.label, find.score) for start, end in gaps]
    return [
        find._replace(start=step.start, end=step.end, trace=(find.trace, step)) for step in steps
    ]
