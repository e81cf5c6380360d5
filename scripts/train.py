"""Train a pipeline by a config, with the encoder of one's choice."""

from pathlib import Path
from typing import Any

import typer
from spacy.cli._util import parse_config_overrides
from spacy.cli.train import train as spacy_train
from spacy.util import load_config
from transformers import AutoConfig
from wasabi import msg

import components  # noqa: F401


def train(
    config_path: Path = typer.Argument(..., help="The config"),
    output_path: Path = typer.Argument(..., help="Where model-best and model-last go"),
    encoder: str = typer.Option("", help="Encoder in place of the config's: hub name or folder"),
    gpu_id: int = typer.Option(-1, help="GPU, -1 for the CPU"),
    seed: int = typer.Option(0, help="Seed of everything random"),
) -> None:
    overrides: dict[str, Any] = {"system.seed": seed}
    if encoder:
        overrides["paths.encoder"] = encoder
    # Those of the environment variable SPACY_CONFIG_OVERRIDES win.
    overrides.update(parse_config_overrides([]))
    config = load_config(config_path, overrides=overrides, interpolate=True)
    check_encoder(config["components"]["transformer"]["model"]["name"])
    spacy_train(config_path, output_path, use_gpu=gpu_id, overrides=overrides)


def check_encoder(name: str) -> None:
    """Fail at once, with a word of what to do, if the encoder cannot be had.

    name (str): Name on the hub, or a folder.
    """
    try:
        AutoConfig.from_pretrained(name)
    except (OSError, ValueError):
        msg.fail(
            f"The encoder '{name}' is neither a local folder with an encoder nor can it be fetched.",
            "Without network, fetch the weights on another machine (for KB-BERT: `huggingface-cli "
            "download KB/bert-base-swedish-cased --local-dir bert-base-swedish-cased`), copy the "
            "folder here and name it: `spacy project run all . --vars.config kb_bert "
            "--vars.encoder bert-base-swedish-cased`.",
            exits=1,
        )


if __name__ == "__main__":
    typer.run(train)
