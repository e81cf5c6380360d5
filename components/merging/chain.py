"""The way through the rules, stage by stage."""

from collections.abc import Collection, Iterable, Iterator

from . import join_rules, list_rules, model_rules, pattern_rules  # noqa: F401
from .finds import Find, Step, unite
from .reading import Reading
from .rules import STAGES, Rule, get_rules


class Chain:
    """Asks the rules of each stage in the order in which they were registered.

    disable (Collection[str]): Ids of rules that are left out.
    """

    def __init__(self, disable: Collection[str] = ()) -> None:
        self._rules: dict[str, list[Rule]] = {stage: [] for stage in STAGES}
        for id, rule in get_rules().items():
            if id not in disable:
                self._rules[rule.stage].append(rule)
        self._by_label: dict[tuple[str, str], list[Rule]] = {}
        for stage, rules in self._rules.items():
            for rule in rules:
                for label in rule.labels:
                    self._by_label.setdefault((stage, label), []).append(rule)

    def judge(self, reading: Reading, find: Find, doubted: list[Find]) -> Iterator[Find]:
        """Go through the rules for what the model found.

        reading (Reading): What rules and lists say of the document.
        find (Find): The find.
        doubted (List[Find]): Gets what is taken away from it, each with the rule's id as last step.
        YIELDS (Find): What is left of it.
        """
        for rule in self._by_label.get(("bound", find.label), ()):
            bound = rule.apply(reading, find)
            if bound:
                ends = [
                    find.start,
                    *(end for one in bound for end in (one.start, one.end)),
                    find.end,
                ]
                doubted += _leave(find, rule.id, zip(ends[::2], ends[1::2]))
                yield from bound
                return
        for part in self._split(reading, self._trim(reading, find, doubted), doubted):
            id = self._get_doubt(reading, part, "doubt")
            if id is not None:
                doubted += _leave(part, id, [(part.start, part.end)])
                continue
            for rule in self._by_label.get(("relabel", part.label), ()):
                label = rule.apply(reading, part)
                if label is not None:
                    part = part.change(rule.id, label=label)
                    break
            yield part

    def _trim(self, reading: Reading, find: Find, doubted: list[Find]) -> Find:
        rules = self._by_label.get(("trim", find.label), ())
        for first in (True, False):
            while find.start < find.end:
                i = find.start if first else find.end - 1
                id = next(
                    (
                        rule.id if outside else None
                        for rule in rules
                        if (outside := rule.apply(reading, find, i, first)) is not None
                    ),
                    None,
                )
                if id is None:
                    break
                doubted += _leave(find, id, [(i, i + 1)])
                find = find.change(id, start=i + 1) if first else find.change(id, end=i)
        return find

    def _split(self, reading: Reading, find: Find, doubted: list[Find]) -> Iterator[Find]:
        rules = self._by_label.get(("split", find.label), ())
        at, by = find.start, ""
        for i in range(find.start + 1, find.end if rules else 0):
            if i <= at:
                continue
            for rule in rules:
                behind = rule.apply(reading, find, at, i)
                if behind is not None:
                    by = rule.id
                    yield find.change(by, start=at, end=i)
                    doubted += _leave(find, by, [(i, behind)])
                    at = behind
                    break
        if at < find.end:
            yield find.change(by, start=at)

    def confirm(self, reading: Reading, find: Find, doubted: list[Find]) -> Iterator[Find]:
        """Go through the rules for what a pattern found.

        reading (Reading): What rules and lists say of the document.
        find (Find): The find.
        doubted (List[Find]): Gets what is dropped, with the rule's id as last step.
        YIELDS (Find): The find, if it stays.
        """
        id = self._get_doubt(reading, find, "confirm")
        if id is None:
            yield find
        else:
            doubted += _leave(find, id, [(find.start, find.end)])

    def _get_doubt(self, reading: Reading, find: Find, stage: str) -> str | None:
        """The id of the rule that drops a find."""
        for rule in self._by_label.get((stage, find.label), ()):
            doubt = rule.apply(reading, find)
            if doubt is not None:
                return rule.id if doubt else None
        return None

    def stand(self, reading: Reading) -> Iterator[Find]:
        """Go through the rules for the lists.

        reading (Reading): What rules and lists say of the document.
        YIELDS (Find): What counts on its own.
        """
        for rule in self._rules["stand"]:
            yield from rule.apply(reading)

    def complete(self, reading: Reading, finds: list[Find]) -> list[Find]:
        """Go through the rules for what stands beside the finds.

        reading (Reading): What rules and lists say of the document.
        finds (List[Find]): Finds that do not overlap, in order.
        RETURNS (List[Find]): The same, with what belongs to them.
        """
        for stage in ("widen", "join"):
            for rule in self._rules[stage]:
                finds = rule.apply(reading, finds)
            if stage == "widen":
                finds = unite(finds)
        return finds


def _leave(find: Find, id: str, ends: Iterable[tuple[int, int]]) -> list[Find]:
    """What a rule takes from a find."""
    return [
        find._replace(
            start=start, end=end, trace=(find.trace, Step(id, start, end, find.label, find.score))
        )
        for start, end in ends
        if start < end
    ]
