"""Settling: where annotators differ, somebody decides, stretch by stretch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..measures.gold import Span
from ..measures.spans import CharSpan, to_char_spans
from .edits import Mark


@dataclass
class Stretch:
    """A stretch of a message that somebody has marked, apart from others: what each annotator has
    marked in it, and what was decided. `whole`: it is the message, marked again by who decides.
    """

    start: int
    end: int
    choices: dict[str, list[CharSpan]]
    decision: Mapping[str, Any] | None = None
    whole: bool = False

    @property
    def agreed(self) -> bool:
        """RETURNS (bool): Whether all have marked the same."""
        first, *others = self.choices.values()
        return all(other == first for other in others)

    @property
    def settled(self) -> bool:
        """RETURNS (bool): Whether nothing is left to decide."""
        return self.agreed or self.decision is not None

    @property
    def variants(self) -> list[tuple[list[CharSpan], list[str]]]:
        """RETURNS (list[tuple[list[CharSpan], list[str]]]): What can be chosen, also nothing, and who has it."""
        variants: dict[tuple[CharSpan, ...], list[str]] = {}
        for name, spans in self.choices.items():
            variants.setdefault(tuple(spans), []).append(name)
        variants.setdefault((), [])
        return [([*spans], names) for spans, names in variants.items()]

    @property
    def spans(self) -> list[CharSpan]:
        """RETURNS (list[CharSpan]): What is settled; before it is, the choice of most."""
        if self.decision is not None:
            return [(start, end, label) for start, end, label in self.decision["spans"]]
        return max(self.variants, key=lambda variant: (bool(variant[0]), len(variant[1])))[0]

    def get_marks(self) -> list[Mark]:
        """RETURNS (list[Mark]): Marks to begin with when it is marked again, suggested where nothing is settled."""
        return [
            {"start": start, "end": end, "label": label, "suggested": not self.settled}
            for start, end, label in self.spans
        ]

    def get_spans(self) -> list[dict[str, Any]]:
        """RETURNS (list[dict[str, Any]]): The settled spans, with who had them, and who decided on those
        that not all had.
        """
        settled = []
        for start, end, label in self.spans:
            names = [name for name, theirs in self.choices.items() if (start, end, label) in theirs]
            span = {"start": start, "end": end, "label": label, "annotators": names}
            if self.decision is not None and len(names) < len(self.choices):
                span["decided_by"] = self.decision["by"]
            settled.append(span)
        return settled


def find_stretches(
    layers: Mapping[str, Sequence[Mark] | Sequence[Span]],
    decisions: Sequence[Mapping[str, Any]] = (),
) -> list[Stretch]:
    """Find the marked stretches of a message. Decisions count while their choices are the same."""
    choices = {name: to_char_spans(marks) for name, marks in layers.items()}
    for decision in reversed(decisions):
        whole = Stretch(decision["start"], decision["end"], choices, decision, whole=True)
        if fits(decision, whole):
            return [whole]
    spans = sorted((span, name) for name, theirs in choices.items() for span in theirs)
    stretches: list[Stretch] = []
    for span, name in spans:
        start, end, _ = span
        if not stretches or start >= stretches[-1].end:
            stretches.append(Stretch(start, end, {layer: [] for layer in layers}))
        stretches[-1].choices[name].append(span)
        stretches[-1].end = max(stretches[-1].end, end)
    for stretch in stretches:
        for decision in decisions:
            if fits(decision, stretch):
                stretch.decision = decision
    return stretches


def fits(decision: Mapping[str, Any], stretch: Stretch) -> bool:
    """RETURNS (bool): Whether a decision was made between the same choices."""
    same = decision["choices"] == dump_choices(stretch)
    return same and decision.get("whole", False) == stretch.whole


def dump_choices(stretch: Stretch) -> dict[str, list[list[Any]]]:
    """RETURNS (dict[str, list[list[Any]]]): The choices as JSON knows them."""
    return {name: [[*span] for span in spans] for name, spans in stretch.choices.items()}
