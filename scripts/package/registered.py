"""What spaCy finds by the entry points of this package: `spacy.load` of a pipeline that was saved anywhere
needs no import of it.
"""

from typing import Any

from catalogue import REGISTRY

# In a process of the project itself, whose own code is registered by these names, that counts.
IS_PROJECT = ("spacy", "callbacks", "sv_deid_chat.ChatLanguage.v1") in REGISTRY


def __getattr__(attribute: str) -> Any:
    """Find what is registered.

    attribute (str): Registry and name: `spacy__callbacks__sv_deid_chat__ChatLanguage__v1`.
    RETURNS (Any): The function; None while this package is being imported.
    """
    library, registry, name = (attribute.split("__", 2) + ["", ""])[:3]
    if library not in ("spacy", "thinc"):
        raise AttributeError(attribute)
    if not IS_PROJECT:
        from . import pipeline  # noqa: F401
    return REGISTRY.get((library, registry, name.replace("__", ".")))
