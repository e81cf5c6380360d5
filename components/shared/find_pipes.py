"""Pipes are found by class, as they may be renamed, and a pipeline may have several of one class."""

from typing import TypeVar

from spacy.language import Language
from spacy.ty import ListenedToComponent

Pipe = TypeVar("Pipe")


def get_names(nlp: Language, *classes: type) -> list[str]:
    """The names of all enabled pipes of some classes, in the order of the pipeline."""
    return [name for name, pipe in nlp.pipeline if isinstance(pipe, classes)]


def find_pipes(nlp: Language, class_: type[Pipe]) -> list[Pipe]:
    """All enabled pipes of a class, in the order of the pipeline."""
    return [pipe for _, pipe in nlp.pipeline if isinstance(pipe, class_)]


def find_pipe(nlp: Language, class_: type[Pipe]) -> Pipe | None:
    """The first enabled pipe of a class, None if there is none."""
    return next(iter(find_pipes(nlp, class_)), None)


def get_encoder_names(nlp: Language) -> list[str]:
    """The names of enabled pipes that give others their vectors, such as a `chat_encoder`."""
    return [name for name, pipe in nlp.pipeline if isinstance(pipe, ListenedToComponent)]
