"""The pipeline, as spaCy loads it."""

from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.util import get_model_meta, load_model_from_init_py

from . import components
from .components import (
    Vault,
    clean_text,
    configure,
    deidentify,
    deidentify_conversation,
    deidentify_frame,
    evaluate,
    explain,
    pipe_conversations,
)
from .components.frames.own_pipeline import bind_pipeline

__all__ = [
    "Vault",
    "clean_text",
    "components",
    "configure",
    "deidentify",
    "deidentify_conversation",
    "deidentify_frame",
    "evaluate",
    "explain",
    "load",
    "pipe_conversations",
]
__version__ = get_model_meta(Path(__file__).parent)["version"]


def load(**overrides: Any) -> Language:
    """Load the pipeline.

    **overrides (Any): Arguments of `spacy.load`, for instance `exclude`.
    RETURNS (Language): The pipeline.
    """
    return load_model_from_init_py(Path(__file__).with_name("__init__.py"), **overrides)


bind_pipeline(load)
