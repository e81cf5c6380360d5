"""Fail at once, with a word of what to do, if the encoder of a config cannot be had."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import typer
from huggingface_hub.constants import ENDPOINT
from spacy.util import load_config
from transformers import AutoConfig
from wasabi import msg

from scripts.train import get_overrides


def check_encoder(
    config_path: Path = typer.Argument(..., help="The config"),
    encoder: str = typer.Option("", help="Encoder in place of the config's: hub name or folder"),
) -> None:
    name = load_config(config_path, overrides=get_overrides(encoder))["paths"]["encoder"]
    if not is_local(name) and not is_on_hub(name):
        msg.fail(
            f"The encoder '{name}' is no folder with an encoder, and it cannot be fetched.",
            "Without network, fetch the weights on another machine (for KB-BERT: `huggingface-cli "
            "download KB/bert-base-swedish-cased --local-dir bert-base-swedish-cased`), copy the "
            "folder here and name it: `spacy project run all . --vars.config kb_bert "
            "--vars.encoder bert-base-swedish-cased`.",
            exits=1,
        )
    msg.good("Encoder found", name)


def is_local(name: str) -> bool:
    """RETURNS (bool): Whether this is a folder with an encoder, or one fetched before."""
    try:
        AutoConfig.from_pretrained(name, local_files_only=True)
    except (OSError, ValueError):
        return False
    return True


def is_on_hub(name: str) -> bool:
    """RETURNS (bool): Whether the hub can be reached and has the encoder."""
    hub = urlsplit(ENDPOINT)
    try:
        # Without network the hub's client tries for half a minute.
        socket.create_connection((hub.hostname, hub.port or 443), timeout=5).close()
        AutoConfig.from_pretrained(name)
    except (OSError, ValueError):
        return False
    return True


if __name__ == "__main__":
    typer.run(check_encoder)
