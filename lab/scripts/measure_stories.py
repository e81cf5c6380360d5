"""Measure `stories` against the marks of two readers who read the same messages apart."""

from pathlib import Path

import srsly
import typer
from sklearn.metrics import cohen_kappa_score

from components.measures.agreement import TOKEN
from components.measures.figures import write_share
from components.measures.formats.registry import chat_language
from lab.measures.stories import FOLDER, Find, StoryFinder, count_marks, overlap
from training_tools.binomial import get_exact_interval
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table


def measure_stories(
    first_path: Path = typer.Argument(..., help='Marks of one reader, JSONL: "id", "text", "marks"'),
    second_path: Path = typer.Argument(..., help="Marks of the other"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(None, help="A page to write the table into"),
    lists: Path = typer.Option(FOLDER, help="Folder of the lists and patterns"),
) -> None:
    with clean_errors():
        texts, first = read_marks(first_path)
        others, second = read_marks(second_path)
        if texts != others or not texts:
            raise ValueError("The readers must have the same messages, with the same ids: one at least.")
        finder = StoryFinder(chat_language(), lists)
        found = {id: finder.find(text) for id, text in texts.items()}
        counts = count_marks(*([marks[id] for id in texts] for marks in (found, first, second)))
        kappa = get_kappa(texts, first, second)
        rows = [
            [name, f"{hits} of {units}", write_share(hits / units, get_exact_interval(hits, units))]
            for name, (hits, units) in sorted(counts.items())
        ]
        rows.append(["kappa of the readers, marked words", "", write_share(kappa)])
        table = make_table(["measure", "", "share"], rows)
        metrics_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(metrics_path, {"messages": len(texts), "kappa": kappa, "counts": counts})
        print(table)
        if page is not None:
            state = f"{len(texts)} messages; {get_state()}. In brackets: exact 95 % intervals."
            fill_block(page, "stories", f"{table}\n\n{state}")


def read_marks(path: Path) -> tuple[dict[str, str], dict[str, list[Find]]]:
    """Read what a reader marked.

    RETURNS (tuple[dict[str, str], dict[str, list[Find]]]): Texts and marks, by the id of the message.
    RAISES (ValueError): If a row is not as it should be. Tells its place, never the text.
    """
    texts, marks = {}, {}
    for number, row in enumerate(srsly.read_jsonl(path), 1):
        try:
            id, text = row["id"], row["text"]
            own = [Find(int(start), int(end), str(kind).upper()) for start, end, kind in row["marks"]]
            good = isinstance(text, str) and id not in texts
        except (KeyError, TypeError, ValueError):
            good = False
        if not good or not all(0 <= mark.start < mark.end <= len(text) for mark in own):
            raise ValueError(
                f'{path}, line {number}: give an "id" of its own, a "text", and "marks", a list of '
                "[start, end, kind] within the text."
            )
        texts[id], marks[id] = text, own
    return texts, marks


def get_kappa(
    texts: dict[str, str], first: dict[str, list[Find]], second: dict[str, list[Find]]
) -> float | None:
    """Cohen's kappa of two readers over the words of messages; None if neither marked any, or both all."""
    tokens = [
        (id, Find(*token.span(), "")) for id, text in texts.items() for token in TOKEN.finditer(text)
    ]
    tags = [[overlap(token, marks[id]) for id, token in tokens] for marks in (first, second)]
    return float(cohen_kappa_score(*tags)) if len({*tags[0], *tags[1]}) == 2 else None


if __name__ == "__main__":
    typer.run(measure_stories)
