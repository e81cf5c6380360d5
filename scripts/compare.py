"""Compare the systems of the papers with the project's own: same messages to learn from, same
messages to be measured on. What a system has learnt is kept, and what was measured of it, so that a
comparison that was interrupted goes on.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer
from spacy.util import load_config
from wasabi import msg

import components  # noqa: F401
import corpus_tools.encoders  # noqa: F401
from corpus_tools.errors import clean_errors
from corpus_tools.formats.jsonl import read_messages
from corpus_tools.systems.measuring import Comparison
from corpus_tools.systems.roster import (
    CONFIGS,
    LISTS,
    SETTINGS,
    get_names,
    get_setting,
    make_roster,
)
from corpus_tools.systems.telling import make_outcome
from corpus_tools.workbench.cells import digest, run_cells
from corpus_tools.workbench.outcome import FOLDER, write_markdown, write_outcome
from corpus_tools.workbench.training import choose_rows


def compare(
    train_path: Path = typer.Argument(..., help="The messages to learn from, JSONL"),
    dev_path: Path = typer.Argument(..., help="The messages to choose settings by, JSONL"),
    test_paths: list[Path] = typer.Argument(..., help="The corpora to measure on, JSONL"),
    setting: str = typer.Option("quick", help=f"How much is learnt: {' or '.join(SETTINGS)}"),
    systems: str = typer.Option("", help="Only these, comma-separated; empty for all"),
    config: Path = typer.Option(CONFIGS / "mini.cfg", help="The config of the pipeline"),
    ours: Path | None = typer.Option(None, help="A trained pipeline, in place of training one"),
    lists: Path = typer.Option(LISTS, help="Folder of word lists"),
    kb_bert: str = typer.Option("", help="Folder of KB-BERT's weights, if it was not fetched"),
    models: Path = typer.Option(Path("training/compare"), help="Where what is learnt goes"),
    metrics: Path = typer.Option(FOLDER, help="Where the figures go"),
    threads: int = typer.Option(1, help="CPU threads while they learn"),
    gpu_id: int = typer.Option(-1, help="GPU for the pipelines' trainings, -1 for the CPU"),
) -> None:
    with clean_errors():
        chosen = get_setting(setting)
        demand_apart(test_paths)
        train = choose_rows(read_messages(train_path), chosen.train)
        dev = choose_rows(read_messages(dev_path), chosen.dev)
        tests = {path.stem: choose_rows(read_messages(path), chosen.test) for path in test_paths}
        roster = make_roster(
            chosen, config=config, lists=lists, trained=ours, kb_bert=kb_bert, gpu_id=gpu_id
        )
        names = get_names(systems, roster)
        learnt_from = {
            "setting": {k: v for k, v in asdict(chosen).items() if k not in ("test", "rounds")},
            "corpora": digest(train_path, dev_path),
            "lists": digest(lists),
            "config": digest(config, Path(load_config(config)["paths"]["encoder"])),
            "ours": digest(ours) if ours else "",
        }
        there = [name for name in names if roster[name].is_there]
        for name in names:
            if name not in there:
                msg.warn(f"{roster[name].title}: not measured, its weights are not there")
        comparison = Comparison(
            roster,
            train,
            dev,
            tests,
            models / setting,
            learnt_from,
            chosen.seeds,
            chosen.rounds,
            threads,
        )
        cells = {
            f"{name}-{seed}": {"system": name, "seed": seed}
            for name in there
            for seed in comparison.get_seeds(name)
        }
        measured = {
            **learnt_from,
            "tests": digest(*test_paths),
            "test": chosen.test,
            "rounds": chosen.rounds,
        }
        figures = run_cells(
            "compare", cells, comparison.measure, same=measured, folder=metrics / setting
        )
        runs = {
            name: [figures[cell] for cell, own in cells.items() if own["system"] == name]
            for name in there
        }
        outcome = make_outcome({name: roster[name] for name in names}, runs, setting)
        path = write_outcome(outcome, metrics)
    print(write_markdown(outcome))
    msg.good("Comparison written", path)


def demand_apart(paths: Sequence[Path]) -> None:
    """Complain of corpora that tables could not tell apart.

    paths (Sequence[Path]): Their files.
    RAISES (ValueError): If two are called alike.
    """
    if len({path.stem for path in paths}) < len(paths):
        raise ValueError("Two corpora have one name: rename a file, tables are named by them.")


if __name__ == "__main__":
    typer.run(compare)
