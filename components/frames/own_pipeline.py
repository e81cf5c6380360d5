"""The pipeline of a process, loaded once, for who gives none."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from spacy.language import Language

from ..conversations.configuration import configure
from ..shared.secret import read_secret
from ..surrogates.surrogate_generator import KEY_VARIABLE

Load = Callable[[], Language]

_lock = Lock()
# What loads the pipeline of the installed package, which binds it. In the project there is none.
_own: list[Load] = []
_loaded: dict[tuple[str, str | None], Language] = {}


def bind_pipeline(load: Load) -> None:
    """Tell how the pipeline is loaded where none is given."""
    _own[:] = [load]


def get_pipeline(
    load: Load | None = None, name: str = "", settings: Mapping[str, Any] | None = None
) -> Language:
    """Get the pipeline of this process. It is loaded when it is first asked for, and again when
    SV_DEID_KEY has changed since: a pipeline reads its key when it is loaded.
    """
    if load is None and not _own:
        raise ValueError(
            "Which pipeline? Only the installed package has one of its own; elsewhere give it: "
            'nlp=spacy.load("training/small/model-tuned").'
        )
    with _lock:
        nlp = _loaded.get((name, read_secret(KEY_VARIABLE)))
        if nlp is None:
            # One is held at a time.
            _loaded.clear()
            nlp = (load or _own[0])()
            configure(nlp, settings)
            # The key may be one that was set for the loading.
            _loaded[name, read_secret(KEY_VARIABLE)] = nlp
        return nlp
