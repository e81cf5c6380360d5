"""Train the pipes that learn. `training_tools.assembly.load_trained` adds the others afterwards: neither a
surrogate nor a help text is a reason to train again.
"""

import shutil
import sys
from filecmp import cmp
from pathlib import Path
from typing import Annotated, Any

import typer
from spacy.cli._util import parse_config_overrides, setup_gpu, show_validation_error
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_nlp
from spacy.util import load_config
from thinc.api import Config
from wasabi import msg

from training_tools.assembly import take_out
from training_tools.errors import clean_errors
from training_tools.head import choose_head, read_head, set_head
from training_tools.options import Encoder, FromHead
from training_tools.steps import demand_covered, fit_steps, plan_steps

# Of the encoder, in the folder of a trained pipeline.
WEIGHTS = Path("transformer", "model.safetensors")


def train(
    config_path: Annotated[Path, typer.Argument(help="The config")],
    output_path: Annotated[Path, typer.Argument(help="Where model-best and model-last go")],
    encoder: Encoder = "",
    lists: Annotated[
        str, typer.Option(help="Folder of the word lists that the gazetteer knows")
    ] = "",
    corpus: Annotated[
        str, typer.Option(help="Folder of train.spacy and dev.spacy in place of the config's")
    ] = "",
    from_head: FromHead = True,
    extra: Annotated[
        str, typer.Option(help="The file of your own messages, if they are in the corpus")
    ] = "",
    epochs: Annotated[
        float | None, typer.Option(help="How often the corpus is read, in place of the config's")
    ] = None,
    gpu_id: Annotated[int, typer.Option(help="GPU, -1 for the CPU")] = -1,
    seed: Annotated[int, typer.Option(help="Seed of everything random")] = 0,
) -> None:
    """Train the pipes that learn, over those that they read, by a config."""
    register()
    given = {"system.seed": seed, **get_overrides(encoder, lists, corpus)}
    with clean_errors():
        whole = load_config(config_path, overrides=given, interpolate=True)
        messages = len(DocBin().from_disk(whole["paths"]["train"]))
        head = choose_head(whole) if from_head else None
        config = read_config(config_path, given, messages, head is not None, epochs)
    take_out(config)
    setup_gpu(gpu_id)
    with show_validation_error(config_path, hint_fill=False):
        nlp = init_nlp(config, use_gpu=gpu_id)
    if head:
        with clean_errors():
            set_head(nlp, read_head(head))
        msg.info("The training goes on from the head that ships with the encoder", head)
    output_path.mkdir(parents=True, exist_ok=True)
    train_nlp(nlp, output_path, use_gpu=gpu_id, stdout=sys.stdout, stderr=sys.stderr)
    if extra:
        keep_last(output_path)
        msg.info("The weights after the last step are kept")
    elif head:
        best, last = (output_path / model / WEIGHTS for model in ("model-best", "model-last"))
        kept = "as trained further" if cmp(best, last, shallow=False) else "as it ships"
        msg.info(f"The better head on the dev split is kept: the one {kept}")


def keep_last(path: Path) -> None:
    """Take the last weights for the best: the dev split has none of your own messages."""
    shutil.rmtree(path / "model-best", ignore_errors=True)
    shutil.copytree(path / "model-last", path / "model-best")


def register() -> None:
    """Import what a training needs, no more: what the config names is registered by it."""
    import training_tools.registered  # noqa: F401
    from components.language import language  # noqa: F401
    from components.lists import (
        gazetteer_matcher,  # noqa: F401
        lists,  # noqa: F401
    )
    from components.model import chat_encoder, evidence, phi_ner, scoring, training  # noqa: F401
    from components.rules import phi_entity_ruler  # noqa: F401
    from components.text import tokenizer  # noqa: F401


def read_config(
    path: Path,
    given: dict[str, Any],
    messages: int,
    has_head: bool = False,
    epochs: float | None = None,
) -> Config:
    """Read a config, with the steps that the corpus makes, and those that a head leaves to make."""
    own = load_config(path)
    if has_head:
        own["schedule"] |= own["schedule"].pop("with_head")
    if epochs:
        own["schedule"]["epochs"] = epochs
    steps = given.get("training.max_steps")
    planned = plan_steps(own, steps) if steps else fit_steps(own, messages)
    config = load_config(path, overrides={**planned, **given})
    demand_covered(config.interpolate()["training"], messages)
    return config


def get_overrides(encoder: str, lists: str = "", corpus: str = "") -> dict[str, Any]:
    """Gather what is to be changed in the config, by dotted name. Those of the environment variable
    SPACY_CONFIG_OVERRIDES win. The lists are for the gazetteer: surrogates are drawn from the project's
    own, whose values are common.
    """
    given = {"paths.encoder": encoder, "initialize.components.gazetteer_matcher.lists.path": lists}
    if corpus:
        given |= {f"paths.{split}": f"{corpus}/{split}.spacy" for split in ("train", "dev")}
    overrides = {name: value for name, value in given.items() if value}
    return {**overrides, **parse_config_overrides([])}


if __name__ == "__main__":
    typer.run(train)
