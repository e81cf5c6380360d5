"""Measure `stories` against the marks of two people who have read the same messages apart."""

from collections import Counter
from pathlib import Path

import srsly
import typer

from components.measures.figures import write_share
from lab.measures.stories import Find, StoryFinder, count_marks
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
        table = make_table(["", "", "share"], rows)
        print(table)
        if page is not None:
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


if __name__ == "__main__":
    typer.run(measure_stories)
