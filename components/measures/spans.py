"""Gold and found spans of a message, laid side by side."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc

CharSpan = tuple[int, int, str]
"""Start, end and label."""
Bounds = tuple[int, int]


def to_char_span(span: Mapping[str, Any]) -> CharSpan:
    """Convert a span of a file to that of a measure."""
    return span["start"], span["end"], span["label"]


def to_char_spans(spans: Iterable[Mapping[str, Any]]) -> list[CharSpan]:
    """Convert spans of a file to those of measures."""
    return [to_char_span(span) for span in spans]


def to_rows(spans: Iterable[CharSpan]) -> list[dict[str, Any]]:
    """Convert spans of measures to those of a file."""
    return [{"start": start, "end": end, "label": label} for start, end, label in spans]


def trim(text: str, start: int, end: int) -> Bounds | None:
    """Take white space off the edges of a stretch, which may reach beyond the text; None if nothing is left."""
    start = max(start, 0)
    inside = text[start : max(end, 0)]
    start += len(inside) - len(inside.lstrip())
    bare = inside.strip()
    return (start, start + len(bare)) if bare else None


def get_entities(doc: Doc) -> list[CharSpan]:
    """RETURNS (list[CharSpan]): The final entities of a message."""
    return [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]


def find_characters(text: str, spans: Iterable[CharSpan]) -> set[int]:
    """RETURNS (set[int]): The places of the letters and digits in spans."""
    return {i for start, end, _ in spans for i in range(start, end) if text[i].isalnum()}


def find_left(text: str, gold: Iterable[CharSpan], found: Iterable[CharSpan]) -> list[CharSpan]:
    """RETURNS (list[CharSpan]): The gold spans of which found ones leave a letter or digit."""
    covered = find_characters(text, found)
    return [span for span in gold if not find_characters(text, [span]) <= covered]


class Matches(NamedTuple):
    """Gold spans with a found one of their own: with the same bounds, or overlapping ones."""

    exact: int
    overlapping: int


def match(gold: Collection[Bounds], found: Collection[Bounds]) -> Matches:
    """Pair each span once at most: first those with equal bounds, then those that overlap."""
    same = set(gold) & set(found)
    left, right = sorted(set(gold) - same), sorted(set(found) - same)
    i = j = overlapping = 0
    while i < len(left) and j < len(right):
        if left[i][1] <= right[j][0]:
            i += 1
        elif right[j][1] <= left[i][0]:
            j += 1
        else:
            overlapping += 1
            i += 1
            j += 1
    return Matches(len(same), overlapping)


def match_merged(text: str, gold: Sequence[Bounds], found: Sequence[Bounds]) -> Sequence[int]:
    """Count spans without class, joined where no letter or digit parts them (`Anna` `Berg`)."""
    right = set(gold) & set(found)
    right |= set(join_spans(text, gold)) & set(join_spans(text, found))

    def count_others(spans: Sequence[Bounds]) -> int:
        return sum(
            not any(start <= span[0] and span[1] <= end for start, end in right)
            for span in set(spans)
        )

    return len(right), len(right) + count_others(found), len(right) + count_others(gold)


def join_spans(text: str, spans: Sequence[Bounds]) -> list[Bounds]:
    """Join spans that have no letter or digit between them."""
    joined: list[Bounds] = []
    for start, end in sorted(spans):
        if joined and not any(sign.isalnum() for sign in text[joined[-1][1] : start]):
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def label_tokens(text: str, spans: Sequence[CharSpan]) -> dict[int, str]:
    """Label the tokens in spans: runs of letters and digits, and other signs one by one."""
    labels: dict[int, str] = {}
    for start, end, label in spans:
        inside = False
        for i in range(start, end):
            word = text[i].isalnum()
            if not text[i].isspace() and not (inside and word):
                labels[i] = label
            inside = word
    return labels
