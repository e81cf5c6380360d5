"""The options that all commands share which train."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from spacy.util import load_config

from components.measures.gold import Row, read_messages
from lab.places import METRICS
from lab.workbench.bench import Bench
from lab.workbench.training import WORK, Recipe, choose_rows
from training_tools.errors import clean_errors
from training_tools.generator.natural import deal, read_natural

# The quick setting: fewer messages, few steps of half the size.
QUICK_STEPS = 60
QUICK_SIZES = {"train": 1500, "dev": 200, "test": 300}


def make_bench(
    train: Annotated[
        Path, typer.Argument(help="Messages to train on, JSONL, or a folder in the bracket markup")
    ],
    dev: Annotated[Path, typer.Argument(help="Messages to choose thresholds on, JSONL")],
    tests: Annotated[
        list[Path],
        typer.Argument(help="Messages to measure on, JSONL: of the same kind first, then others"),
    ],
    quick: Annotated[
        bool, typer.Option("--quick/--full", help="Few messages and steps, to see that all works")
    ] = False,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of each training")] = None,
    seeds: Annotated[str, typer.Option(help="Seeds of each training, comma-separated")] = "0",
    config: Annotated[Path, typer.Option(help="The config")] = Path("configs/small.cfg"),
    encoder: Annotated[str, typer.Option(help="Encoder in place of the config's")] = "",
    lists: Annotated[str, typer.Option(help="Folder of the gazetteer's lists")] = "assets/lists",
    gpu_id: Annotated[int, typer.Option(help="GPU, -1 for the CPU")] = -1,
    metrics: Annotated[Path, typer.Option(help="Where figures go")] = METRICS,
    work: Annotated[Path, typer.Option(help="Where trainings go")] = WORK,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the trained pipelines")] = False,
) -> Bench:
    """Read corpora, and choose how to train on them.

    RETURNS (Bench): Where variants are trained and scored.
    RAISES (ValueError): If a corpus is empty or wrong, or a seed is no number.
    """
    settings = load_config(config)["training"]
    if steps is None:
        steps = QUICK_STEPS if quick else settings["max_steps"]
    half = {"training.batcher.size": max(1, settings["batcher"]["size"] // 2)} if quick else {}
    sizes = QUICK_SIZES if quick else dict.fromkeys(QUICK_SIZES)
    return Bench(
        train=choose_rows(read_rows(train), sizes["train"]),
        dev=choose_rows(read_rows(dev), sizes["dev"]),
        tests=_read_tests(tests, sizes["test"]),
        recipe=Recipe(steps, config, half, encoder, lists, gpu_id),
        seeds=parse_numbers(seeds, "--seeds"),
        quick=quick,
        metrics=metrics,
        work=work,
        keep=keep,
    )


def with_bench(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `make_bench` before its own, and the bench as its first
    argument. Wrong data ends it with one line.

    command (Callable[..., None]): The command: a bench, then options of its own, annotated.
    RETURNS (Callable[..., None]): What typer runs.
    """
    shared = inspect.signature(make_bench).parameters
    own = list(inspect.signature(command).parameters.values())[1:]
    hints = {
        **get_type_hints(make_bench, include_extras=True),
        **get_type_hints(command, include_extras=True),
    }
    signature = inspect.Signature(
        [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in (*shared.values(), *own)
        ]
    )

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        with clean_errors():
            bench = make_bench(**{name: given.arguments.pop(name) for name in shared})
            command(bench, **given.arguments)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: hints[name] for name in signature.parameters}
    return run


def parse_numbers(text: str, option: str) -> list[int]:
    """Read numbers.

    text (str): The numbers, comma-separated.
    option (str): The option that they were given by.
    RETURNS (list[int]): The numbers, each once.
    RAISES (ValueError): If there is none, or one is no number.
    """
    try:
        numbers = list(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise ValueError(f"{option} takes whole numbers, comma-separated, e.g. 0,1,2") from None
    return numbers


def read_rows(path: Path) -> list[Row]:
    """Read a corpus.

    path (Path): JSONL, or a folder of messages written whole in the bracket markup: of these the
        ones to train on.
    RETURNS (list[Row]): The messages.
    RAISES (ValueError): If there are none, or one is wrong.
    """
    if path.is_dir():
        train, _ = deal(read_natural(path))
        rows = [row for thread in train for row in thread]
    else:
        rows = read_messages(path)
    if not rows:
        raise ValueError(f"{path} holds no messages: name another, or make it again.")
    return rows


def _read_tests(paths: list[Path], size: int | None) -> dict[str, list[Row]]:
    stems = [path.stem for path in paths]
    tests: dict[str, list[Row]] = {}
    for path in paths:
        name = path.stem if stems.count(path.stem) == 1 else f"{path.parent.name}/{path.stem}"
        if name in tests:
            raise ValueError(f"Two corpora are called {name}: name each once, or rename a file.")
        tests[name] = choose_rows(read_rows(path), size)
    return tests
