"""Finds: stretches of tokens that may be PHI, and what became of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..shared.labels import (
    CONVERSATION_KEY,
    GAZETTEER_KEY,
    KNOWN_KEY,
    OWN_KEY,
    PHI_KEY,
    RULES_KEY,
    SINGLE_CLASS,
)

# In order of precedence for the label. Vetoes stand behind the rules that score higher: they take
# from `rules` in the entity_ruler, from `phi` in the edit rules, and never from what is known.
SOURCES = (KNOWN_KEY, OWN_KEY, RULES_KEY, PHI_KEY, CONVERSATION_KEY, GAZETTEER_KEY)


class Step(NamedTuple):
    """What found tokens (`rules:date.day_month`, `phi`) or a rule that changed them, and how they
    were then.
    """

    by: str
    start: int
    end: int
    label: str
    score: float


class Find(NamedTuple):
    """A stretch of tokens that may be PHI.

    source (str): The evidence it rests on, names of span groups joined by "+".
    score (float): The highest score among it, 0 to 1.
    rank (float): The less, the sooner it decides the label.
    trace (tuple): Steps, and the traces of the finds it was made of, in order.
    """

    start: int
    end: int
    label: str
    source: str
    score: float
    rank: float
    trace: tuple = ()

    def change(
        self, by: str, *, start: int | None = None, end: int | None = None, label: str = ""
    ) -> "Find":
        """Change ends or label, and note the rule (`by`)."""
        start = self.start if start is None else start
        end = self.end if end is None else end
        label = label or self.label
        if (start, end, label) == self[:3]:
            return self
        step = Step(by, start, end, label, self.score)
        return self._replace(start=start, end=end, label=label, trace=(self.trace, step))

    def get_steps(self) -> list[Step]:
        """RETURNS (list[Step]): What found it and what changed it, in order, each once."""
        steps: dict[Step, None] = {}
        left: list = [self.trace]
        while left:
            item = left.pop()
            if isinstance(item, Step):
                steps[item] = None
            else:
                left += reversed(item)
        return [*steps]


def make_find(
    start: int, end: int, label: str, source: str, score: float, detail: str = "", by: str = ""
) -> Find:
    """Make a find of one piece of evidence, perhaps of a pattern or list (`detail`)."""
    rank = float(SOURCES.index(source))
    if source == KNOWN_KEY and score < 1.0:
        # What is not certain gives way to the label that others found.
        rank = SOURCES.index(PHI_KEY) + 0.5
    by = by or (f"{source}:{detail}" if detail else source)
    return Find(start, end, label, source, score, rank, (Step(by, start, end, label, score),))


def merge(finds: Sequence[Find], by: str, label: str = "") -> Find:
    """Make one find that covers several. Its default label is that of the best evidence."""
    if len(finds) == 1:
        return finds[0]
    # Source, then score, then length.
    best = min(finds, key=lambda f: (f.label == SINGLE_CLASS, f.rank, -f.score, f.start - f.end))
    label = label or best.label
    start, end = min(find.start for find in finds), max(find.end for find in finds)
    score = max(find.score for find in finds)
    names = {name for find in finds for name in find.source.split("+")}
    source = "+".join(name for name in SOURCES if name in names)
    # Nested, as of many finds in a row each is merged with all before it.
    trace = (*(find.trace for find in finds), Step(by, start, end, label, score))
    return Find(start, end, label, source, score, best.rank, trace)


def unite(finds: Iterable[Find]) -> list[Find]:
    """Merge finds that share a token: they do not overlap then, and are in order."""
    groups: list[list[Find]] = []
    end = 0
    for find in sorted(finds, key=lambda find: (find.start, -find.end)):
        if groups and find.start < end:
            groups[-1].append(find)
        else:
            groups.append([find])
        end = max(end, find.end)
    return [merge(group, "unite") for group in groups]
