"""What a pipeline truly misses, as it stands in its output among surrogates."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from components.measures.gold import Row
from components.measures.spans import CharSpan, to_char_spans
from components.text.casing import fold
from lab.attack.facts import Shown
from lab.attack.leaks import Item
from lab.measures.replacing import replace_found, replace_gold
from lab.measures.surrogate_mentions import WORD, get_conversation


class Output(NamedTuple):
    """A message as a pipeline writes it. All spans are of its text.

    row (Row): The original.
    text (str): What the pipeline makes of it.
    surrogates (list[CharSpan]): What stands in place of something.
    leaks (list[CharSpan]): What is annotated and was missed: the words that would have been changed, had
        the pipeline found the whole.
    stays (list[CharSpan]): What is meant to stay, found or not: `vårdcentralen`, a title, `år`.
    """

    row: Row
    text: str
    surrogates: list[CharSpan]
    leaks: list[CharSpan]
    stays: list[CharSpan]


def write_outputs(nlp: Language, rows: Sequence[Row]) -> list[Output]:
    """Let a pipeline de-identify annotated messages, conversation by conversation.

    nlp (Language): A trained pipeline with its surrogates.
    rows (Sequence[Row]): The messages.
    RETURNS (list[Output]): What it writes of each.
    RAISES (ValueError): If a pipe fails on a message.
    """
    wanted = replace_gold(nlp, rows)
    return [*map(make_output, rows, replace_found(nlp, rows), wanted)]


def make_output(row: Row, doc: Doc, wanted: Doc) -> Output:
    """Lay what a pipeline wrote beside what is annotated.

    row (Row): The message.
    doc (Doc): What the pipeline made of it.
    wanted (Doc): What it makes of it where all that is annotated is found.
    RETURNS (Output): The same, and what was missed.
    """
    output = Output(row, doc._.deidentified, [], [], [])
    for entry in doc._.replacements:
        if entry["out_start"] < entry["out_end"]:
            side = output.stays if entry.get("kept") else output.surrogates
            side.append((entry["out_start"], entry["out_end"], entry["label"]))
    becomes = {
        (entry["start"], entry["end"]): set(WORD.findall(fold(entry["replacement"])))
        for entry in wanted._.replacements
        if not entry.get("kept")
    }
    for start, end, label in to_char_spans(row["spans"]):
        for low, high in _find_left(start, end, doc._.replacements):
            words = [*WORD.finditer(row["text"], low, high)]
            new = becomes.get((start, end))
            told = [word for word in words if new is not None and fold(word[0]) not in new]
            if words:
                first, *_, last = [*(told or words)] * 2
                moved = _get_shift(low, doc._.replacements)
                side = output.leaks if told else output.stays
                side.append((first.start() + moved, last.end() + moved, label))
    return output


def _find_left(
    start: int, end: int, replaced: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[int, int]]:
    """The parts of a span that nothing stands in place of."""
    covered = {i for entry in replaced for i in range(entry["start"], entry["end"])}
    for is_covered, places in groupby(range(start, end), covered.__contains__):
        if not is_covered:
            low, *_, high = [*places] * 2
            yield low, high + 1


def _get_shift(place: int, replaced: Sequence[Mapping[str, Any]]) -> int:
    """By how much the text behind the surrogates has moved."""
    ends = [entry["out_end"] - entry["end"] for entry in replaced if entry["end"] <= place]
    return ends[-1] if ends else 0


def list_items(outputs: Sequence[Output]) -> list[Item]:
    """List the entities that an attacker sees; what is meant to stay is none.

    outputs (Sequence[Output]): The messages.
    RETURNS (list[Item]): The entities.
    """
    return [
        Item(
            Shown(label, output.text[start:end], output.text[:start]),
            get_conversation(output.row),
            is_leak,
        )
        for output in outputs
        for spans, is_leak in ((output.surrogates, False), (output.leaks, True))
        for start, end, label in spans
    ]
