"""Measure how far annotators agree on the same messages: Cohen's kappa over tokens and F1, overall and
by class, for each two of them and their mean. Nothing of a message is written or shown, but where you
ask for the messages to talk about.

    python -m scripts.agreement anna.jsonl bo.jsonl --disputed to_discuss.jsonl
"""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from components.measures.agreement import measure_agreement
from components.measures.gold import read_messages, write_messages
from components.tables.places import demand_new
from training_tools.agreement import count_differences, find_disputed, make_outcome, match_messages
from training_tools.errors import clean_errors
from training_tools.report.folder import FOLDER, write_outcome
from training_tools.report.outcome import describe_rows, print_tables


def agreement(
    annotators: Annotated[
        list[Path],
        typer.Argument(help="What each annotator made of the messages, a JSONL file each"),
    ],
    metrics: Annotated[Path, typer.Option(help="Folder of the figures")] = FOLDER,
    disputed: Annotated[
        Path | None, typer.Option(help="Where to write messages to talk about, JSONL (PHI)")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the samples that the intervals come from")] = 0,
    overwrite: Annotated[
        bool, typer.Option(help="Replace a file of disputed messages that is there")
    ] = False,
) -> None:
    """Measure how far annotators agree."""
    with clean_errors():
        names = [path.stem for path in annotators]
        if len(set(names)) < len(names):
            raise ValueError("Two annotators have files of one name: rename one.")
        if disputed is not None:
            demand_new([disputed], overwrite)
        rows = {path.stem: read_messages(path) for path in annotators}
        matched = match_messages(rows)
    figures = measure_agreement(matched, seed=seed)
    figures["differences"] = count_differences(matched)
    alone = sum(map(len, rows.values())) - sum(map(len, matched))
    data = ", ".join(describe_rows(path, rows[path.stem]) for path in annotators)
    outcome = make_outcome(figures, data)
    print_tables(outcome.tables)
    if alone:
        msg.warn(f"{alone} messages are of one annotator only, and not counted")
    if disputed is not None:
        found = find_disputed(matched)
        disputed.parent.mkdir(parents=True, exist_ok=True)
        write_messages(disputed, found)
        msg.info(f"{len(found)} messages to talk about (PHI)", disputed)
    msg.good(outcome.says, write_outcome(outcome, metrics))


if __name__ == "__main__":
    typer.run(agreement)
