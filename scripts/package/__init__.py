"""Finds personal health information in Swedish medical chat messages and replaces it."""

import os

from .command_line import asks_for_help, is_command
from .registered import IS_PROJECT

if is_command():
    # Threads that wait let others work. Read when torch is imported, and only then.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("KMP_BLOCKTIME", "0")
if not asks_for_help() and not IS_PROJECT:
    from .pipeline import (  # noqa: F401
        Vault,
        __version__,
        clean_text,
        components,
        configure,
        deidentify,
        deidentify_conversation,
        deidentify_frame,
        evaluate,
        explain,
        load,
        pipe_conversations,
    )
