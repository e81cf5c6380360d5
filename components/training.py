"""Callbacks for the training: what is frozen, and how its memory stays flat."""

import ctypes
from collections.abc import Callable
from typing import Any

from spacy.language import Language
from spacy.util import registry


@registry.callbacks("sv_deid_chat.release_memory.v1")
def configure_release_memory(every: int) -> Callable[[Language, dict[str, Any]], None]:
    """Configure a callback for `[training.before_update]` that hands free memory back.

    Batches differ in shape, and the holes that their arrays leave in the heap of glibc are seldom
    used again: on a CPU a training grows by some 11 MB a step, to 13 GB and more.

    every (int): Steps between two calls.
    RETURNS (Callable[[Language, dict[str, Any]], None]): The callback. Where the C library is not
        glibc, it does nothing.
    """
    malloc_trim = _find_malloc_trim()

    def release_memory(nlp: Language, args: dict[str, Any]) -> None:
        if malloc_trim is not None and args["step"] % every == 0:
            malloc_trim(0)

    return release_memory


@registry.callbacks("sv_deid_chat.freeze_embeddings.v1")
def configure_freeze_embeddings(component: str) -> Callable[[Language], Language]:
    """Configure a callback for `[initialize.after_init]` that freezes the embeddings of the word
    pieces. The training corpus has only some of them: trained further, these move away from their
    neighbours, which other people's messages hold.

    component (str): The transformer pipe.
    RETURNS (Callable[[Language], Language]): The callback.
    """

    def freeze_embeddings(nlp: Language) -> Language:
        encoder = nlp.get_pipe(component).model.transformer
        encoder.embeddings.word_embeddings.requires_grad_(False)
        return nlp

    return freeze_embeddings


def _find_malloc_trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL("libc.so.6").malloc_trim
    except (OSError, AttributeError):
        return None
