"""The tokens of the pipeline without the pipeline."""

import spacy
from spacy.language import Language

from ...text import tokenizer  # noqa: F401


def chat_language() -> Language:
    """Make a pipeline without pipes that splits text as the project's pipeline does."""
    config = {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}
    return spacy.blank("sv", config={"nlp": {"tokenizer": config}})
