"""Spans as one tag a token (IOB2), and back."""

import re
from collections.abc import Iterable, Sequence

from ..gold import Span
from ..spans import Bounds

OUTSIDE = "O"
TAG = re.compile(r"O|([BILUES])-(\S+)")


def get_tags(bounds: Sequence[Bounds], spans: Iterable[Span]) -> list[str]:
    """Tag tokens by spans: `B-LABEL`, `I-LABEL`, `O`. A token partly in one is in it."""
    tags = [OUTSIDE] * len(bounds)
    number = 0
    for span in spans:
        while number < len(bounds) and bounds[number][1] <= span["start"]:
            number += 1
        prefix = "B"
        while number < len(bounds) and bounds[number][0] < span["end"]:
            tags[number] = f"{prefix}-{span['label']}"
            prefix = "I"
            number += 1
    return tags


def join_tags(bounds: Sequence[Bounds], tags: Iterable[str]) -> list[Span]:
    """Make spans of tags. IOB1, BILUO and IOBES are read as well, and a span that begins without `B`."""
    spans: list[Span] = []
    # The label of the entity that the next tag may go on with.
    label = ""
    for (start, end), tag in zip(bounds, tags):
        prefix, _, name = tag.partition("-")
        if prefix in ("I", "L", "E") and name == label:
            spans[-1]["end"] = end
        elif name:
            spans.append({"start": start, "end": end, "label": name})
        label = name if prefix in ("B", "I") else ""
    return spans
