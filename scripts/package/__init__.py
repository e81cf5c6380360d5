"""Finds personal health information in Swedish medical chat messages and replaces it."""

from .registered import IS_PROJECT
from .show_help import asks_for_help

if not asks_for_help() and not IS_PROJECT:
    from .pipeline import (  # noqa: F401
        __version__,
        components,
        deidentify_conversation,
        deidentify_frame,
        explain,
        load,
        pipe_conversations,
    )
