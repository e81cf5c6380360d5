"""The fixtures of the main project's tests."""

from tests.conftest import (  # noqa: F401
    encoder_path,
    lists_path,
    make_nlp,
    tiny_nlp,
    tiny_path,
)
