"""Make the pipeline of what ships, encoder and head, without any training."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from spacy.util import load_config
from wasabi import msg

from scripts.train import get_overrides, read_config, register
from training_tools.assembly import set_thresholds, take_out
from training_tools.conversion import load_lean
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language
from training_tools.head import choose_head, read_head, set_head

# The network is initialized with a message.
MESSAGE = "Hej!"


def assemble(
    config_path: Annotated[Path, typer.Argument(help="The config")],
    output_path: Annotated[Path, typer.Argument(help="Where the pipeline goes")],
    lists: Annotated[
        str, typer.Option(help="Folder of the word lists that the gazetteer knows")
    ] = "",
) -> None:
    """Make the pipeline of what ships, encoder and head, without any training."""
    register()
    with clean_errors(), TemporaryDirectory() as folder:
        sample, trained = Path(folder, "train.spacy"), Path(folder, "trained")
        DocBin(docs=[chat_language()(MESSAGE)]).to_disk(sample)
        # To name the lists that the config has already must not make another pipeline.
        is_own = Path(lists) == Path(load_config(config_path)["paths"]["lists"])
        config = read_config(config_path, get_overrides("", "" if is_own else lists), 1)
        own = {split: config["paths"][split] for split in ("train", "dev")}
        config["paths"] |= dict.fromkeys(own, str(sample))
        head_path = choose_head(config)
        if head_path is None:
            raise ValueError(f"No head ships with the encoder of {config_path}: train it (`all`).")
        take_out(config)
        nlp = init_nlp(config)
        head = read_head(head_path)
        set_head(nlp, head)
        nlp.to_disk(trained)
        nlp = load_lean(trained)
    nlp.config["paths"].update(own)
    set_thresholds(nlp, *head.thresholds)
    output_path.parent.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(output_path)
    msg.good("Made the pipeline, without training", output_path)


if __name__ == "__main__":
    typer.run(assemble)
