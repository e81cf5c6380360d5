"""Save what a training has learnt as the head that ships with its encoder."""

from pathlib import Path
from typing import Annotated

import spacy
import typer
from wasabi import msg

import components  # noqa: F401
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.head import write_head


def save_head(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline, with its threshold")],
    encoder_path: Annotated[Path, typer.Argument(help="The folder of its encoder")],
) -> None:
    """Save what a training has learnt as the head that ships with its encoder."""
    with clean_errors():
        demand_pipeline(model_path)
        path = write_head(spacy.load(model_path), encoder_path)
    msg.good(f"Saved the head ({path.stat().st_size / 1e6:.1f} MB)", path)


if __name__ == "__main__":
    typer.run(save_head)
