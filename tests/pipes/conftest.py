import pytest
import spacy

from components.swedish.tokenizer import create_chat_tokenizer


@pytest.fixture(scope="module")
def nlp():
    """No pipe yet, but the tokenizer for messages."""
    nlp = spacy.blank("sv")
    nlp.tokenizer = create_chat_tokenizer()(nlp)
    return nlp
