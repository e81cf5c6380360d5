"""Check that what the training needs is there."""

import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import torch
import typer
from huggingface_hub import model_info
from spacy.util import load_config
from thinc.api import require_gpu
from transformers import AutoConfig
from wasabi import msg

from scripts.train import get_overrides, read_config
from training_tools.errors import clean_errors
from training_tools.generator.corpus import SPLITS
from training_tools.head import choose_head
from training_tools.options import Encoder, FromHead
from training_tools.steps import demand_covered, describe_steps, plan_size

# The next command makes them.
MADE = [Path("corpus", f"{split}.jsonl") for split in SPLITS]

# Files of an encoder beside its config.
WEIGHTS = ("*.safetensors", "*.bin")


def check_encoder(
    config_path: Annotated[Path, typer.Argument(help="The config")],
    encoder: Encoder = "",
    gpu_id: Annotated[int, typer.Option(help="GPU, -1 for the CPU")] = -1,
    needs: Annotated[
        list[Path] | None,
        typer.Option(help="File or folder that will be needed; empty for none; repeat it"),
    ] = None,
    size: Annotated[
        int, typer.Option(help="Messages of the training corpus; 0: as many as the config plans")
    ] = 0,
    from_head: FromHead = True,
) -> None:
    """Fail at once if the config, its encoder, the GPU or a file is missing."""
    with clean_errors():
        check_files(config_path, needs or [])
        check_gpu(gpu_id)
        # As it stands, for who trains without `scripts.train`, too.
        given = get_overrides(encoder)
        whole = load_config(config_path, overrides=given, interpolate=True)
        head = choose_head(whole) if from_head else None
        own = load_config(config_path, interpolate=True)
        demand_covered(own["training"], size or plan_size(own, has_head=False))
        size = size or plan_size(whole, head is not None)
        config = read_config(config_path, given, size, head is not None).interpolate()
    name = config["paths"]["encoder"]
    if not is_local(name) and not is_on_hub(name):
        msg.fail(
            f"The encoder '{name}' is no folder with an encoder, and it cannot be fetched.",
            "Without network, fetch the weights on another machine (for KB-BERT: `hf "
            "download KB/bert-base-swedish-cased --local-dir bert-base-swedish-cased`), copy the "
            "folder here and name it: `spacy project run all . --vars.config kb_bert "
            "--vars.encoder bert-base-swedish-cased`.",
            exits=1,
        )
    msg.good("Encoder found, with a head" if head else "Encoder found", name)
    msg.info(
        f"Steps of the training over {size:,} messages (own ones add to them)",
        describe_steps(config["training"]),
    )


def check_files(config_path: Path, needs: Iterable[Path]) -> None:
    if not config_path.is_file():
        names = sorted(path.stem for path in config_path.parent.glob("*.cfg"))
        raise ValueError(
            f"There is no config {config_path}: choose one of {', '.join(names)} (--vars.config)."
        )
    for path in needs:
        is_empty = path.is_dir() and not any(path.iterdir())
        if (is_empty or not path.exists()) and path not in MADE:
            state = f"{path} is empty" if is_empty else f"There is no {path}"
            raise ValueError(f"{state}: name a file or folder that is there.")


def check_gpu(gpu_id: int) -> None:
    if gpu_id < 0:
        return
    try:
        require_gpu(gpu_id)
        if platform.system() != "Darwin" and not torch.cuda.is_available():
            raise ValueError("PyTorch was installed without CUDA")
    except Exception as error:  # noqa: BLE001  (CuPy's own, which may not be there to be named)
        raise ValueError(
            f"GPU {gpu_id} cannot be used ({error}): `pip install -r requirements-cuda.txt` where "
            "there is one, or train on the CPU (--vars.gpu -1)."
        ) from None


def is_local(name: str) -> bool:
    """RETURNS (bool): Whether this is a folder with an encoder, or one fetched before."""
    try:
        AutoConfig.from_pretrained(name, local_files_only=True)
    except (OSError, ValueError):
        return False
    folder = Path(name)
    return not folder.is_dir() or any(any(folder.glob(weights)) for weights in WEIGHTS)


def is_on_hub(name: str) -> bool:
    """Tell whether the hub can be reached and has the encoder."""
    try:
        # Without a timeout, the client tries for half a minute where there is no network.
        return not Path(name).is_dir() and bool(model_info(name, timeout=5))
    except (OSError, ValueError):
        return False


if __name__ == "__main__":
    typer.run(check_encoder)
