"""Settling: where annotators differ, somebody decides, stretch by stretch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...measures.gold import Span
from ...measures.spans import CharSpan, to_char_spans
from .edits import Mark


@dataclass
class Stretch:
    """A stretch of a message that somebody has marked, wholly apart from other such stretches.

    start (int), end (int): Where it lies.
    choices (dict[str, list[CharSpan]]): What each annotator has marked in it.
    decision (Mapping[str, Any] | None): What was decided, and by whom; None if nothing was yet.
    """

    start: int
    end: int
    choices: dict[str, list[CharSpan]]
    decision: Mapping[str, Any] | None = None

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
        """RETURNS (list[tuple[list[CharSpan], list[str]]]): What can be chosen, and who has it; nothing at
        all can always be chosen.
        """
        variants: dict[tuple[CharSpan, ...], list[str]] = {}
        for name, spans in self.choices.items():
            variants.setdefault(tuple(spans), []).append(name)
        variants.setdefault((), [])
        return [([*spans], names) for spans, names in variants.items()]

    def get_spans(self) -> list[dict[str, Any]]:
        """RETURNS (list[dict[str, Any]]): The settled spans, with who had them and who decided."""
        if self.decision is not None:
            spans = [tuple(span) for span in self.decision["spans"]]
        else:
            spans = [*next(iter(self.choices.values()))]
        return [
            {
                "start": start,
                "end": end,
                "label": label,
                "annotators": [
                    name for name, theirs in self.choices.items() if (start, end, label) in theirs
                ],
                **({"decided_by": self.decision["by"]} if self.decision is not None else {}),
            }
            for start, end, label in spans
        ]


def find_stretches(
    layers: Mapping[str, Sequence[Mark] | Sequence[Span]],
    decisions: Sequence[Mapping[str, Any]] = (),
) -> list[Stretch]:
    """Find the stretches of a message that are marked, by whomever.

    layers (Mapping[str, Sequence[Mark]]): The marks of each annotator.
    decisions (Sequence[Mapping[str, Any]]): What was decided, oldest first. It holds as long as the annotators
        have what they had then.
    RETURNS (list[Stretch]): The stretches, in order.
    """
    spans = sorted((span, name) for name, marks in layers.items() for span in to_char_spans(marks))
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
    return decision["choices"] == dump_choices(stretch)


def dump_choices(stretch: Stretch) -> dict[str, list[list[Any]]]:
    """RETURNS (dict[str, list[list[Any]]]): The choices as JSON knows them."""
    return {name: [[*span] for span in spans] for name, spans in stretch.choices.items()}
