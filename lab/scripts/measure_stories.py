"""Measure `stories` against the marks of two people who have read the same messages apart."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import srsly
import typer

from components.measures.figures import write_share
from components.stories.finder import Find, StoryFinder
from training_tools.binomial import get_exact_interval
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table


def measure_stories(
    first_path: Path = typer.Argument(..., help='JSONL of a reader: "id", "text", "marks"'),
    second_path: Path = typer.Argument(..., help="The same messages with the marks of the other"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(None, help="A page to write the table into"),
) -> None:
    with clean_errors():
        first, second = read_marks(first_path), read_marks(second_path)
        if first.keys() != second.keys() or not first:
            raise ValueError(
                "Both readers must have the same messages (id and text), at least one."
            )
        finder = StoryFinder()
        counts: Counter[tuple[str, bool]] = Counter()
        for message, marks in first.items():
            counts += count_marks(finder.find(message[1]), marks, second[message])
        rows, figures = [], {}
        for name in sorted({name for name, _ in counts}):
            hits, units = counts[name, True], counts[name, True] + counts[name, False]
            interval = get_exact_interval(hits, units)
            figures[name] = {"hits": hits, "of": units, "interval": list(interval)}
            rows.append([name, f"{hits} of {units}", write_share(hits / units, interval)])
        metrics_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(metrics_path, figures)
        print(make_table(["", "", "share"], rows))
        if page is not None:
            # Without those by kind, and how the readers agree.
            whole = [row for row in rows if "," not in row[0] and "marks" not in row[0]]
            table = make_table(["", "", "share"], whole)
            state = f"{len(first)} messages, {get_state()}. In brackets: exact 95 % intervals."
            fill_block(page, "stories", f"{table}\n\n{state}")


def read_marks(path: Path) -> dict[tuple[str, str], list[Find]]:
    """Read what a reader marked.

    RETURNS (dict[tuple[str, str], list[Find]]): The marks, by id and text of the message.
    RAISES (ValueError): If a row is not as it should be. Tells its place, never the text.
    """
    marks: dict[tuple[str, str], list[Find]] = {}
    for number, row in enumerate(srsly.read_jsonl(path), 1):
        try:
            text = row["text"]
            own = [Find(start, end, str(kind).upper()) for start, end, kind in row["marks"]]
            if not all(0 <= mark.start < mark.end <= len(text) for mark in own):
                raise ValueError("outside of the text")
        except (KeyError, TypeError, ValueError):
            raise ValueError(
                f'{path}, line {number}: give an "id", a "text", and "marks", a list of '
                "[start, end, kind] within the text."
            ) from None
        marks[row["id"], text] = own
    return marks


def overlap(find: Find, others: Iterable[Find]) -> bool:
    """Whether something stands where one of the others does."""
    return any(find.start < other.end and other.start < find.end for other in others)


def count_marks(
    found: Sequence[Find], first: Sequence[Find], second: Sequence[Find]
) -> Counter[tuple[str, bool]]:
    """Compare what was found in a message with the marks of two readers. A mark is found if anything that
    was found overlaps it, and what was found is right if either reader's mark does.

    RETURNS (Counter): How often it is so, and how often not, by measure.
    """
    counts: Counter[tuple[str, bool]] = Counter()
    for reader, marks, others in (("first", first, second), ("second", second, first)):
        for mark in marks:
            is_shared = overlap(mark, others)
            names = [f"recall of the {reader} reader", f"recall, {mark.kind}"]
            # Once, by the marks of the first.
            names += ["recall of both readers"] if is_shared and reader == "first" else []
            counts.update((name, overlap(mark, found)) for name in names)
            counts[f"the {reader} reader's marks that the other shares", is_shared] += 1
    for find in found:
        names = ["precision", f"precision, {find.kind}"]
        counts.update((name, overlap(find, [*first, *second])) for name in names)
    if first and second:
        counts["recall of messages", bool(found)] += 1
    return counts


if __name__ == "__main__":
    typer.run(measure_stories)
