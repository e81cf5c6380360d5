"""Train a pipeline by a config, with the encoder of one's choice."""

from pathlib import Path
from typing import Any

import typer
from spacy.cli._util import parse_config_overrides
from spacy.cli.train import train as spacy_train

import components  # noqa: F401
import corpus_tools.encoders
import corpus_tools.formats.readers
import corpus_tools.workbench.watching  # noqa: F401


def train(
    config_path: Path = typer.Argument(..., help="The config"),
    output_path: Path = typer.Argument(..., help="Where model-best and model-last go"),
    encoder: str = typer.Option("", help="Encoder in place of the config's: hub name or folder"),
    lists: str = typer.Option("", help="Folder of the word lists that the gazetteer knows"),
    gpu_id: int = typer.Option(-1, help="GPU, -1 for the CPU"),
    seed: int = typer.Option(0, help="Seed of everything random"),
) -> None:
    overrides = {"system.seed": seed, **get_overrides(encoder, lists)}
    spacy_train(config_path, output_path, use_gpu=gpu_id, overrides=overrides)


def get_overrides(encoder: str, lists: str = "") -> dict[str, Any]:
    """Gather what is to be changed in the config.

    encoder (str): Encoder in place of the config's, or nothing.
    lists (str): Lists in place of the config's, or nothing. They are for the gazetteer: surrogates
        are drawn from the project's own, whose values are common.
    RETURNS (dict[str, Any]): Values by dotted name. Those of the environment variable
        SPACY_CONFIG_OVERRIDES win.
    """
    given = {
        "paths.encoder": encoder,
        "initialize.components.gazetteer_matcher.lists.path": lists,
    }
    overrides = {name: value for name, value in given.items() if value}
    return {**overrides, **parse_config_overrides([])}


if __name__ == "__main__":
    typer.run(train)
