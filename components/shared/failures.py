"""A message that a pipe fails on is masked whole and marked, and the stream goes on. A lost text is better
than a name that slips through because of an error.
"""

import logging
from pathlib import Path

from spacy.tokens import Doc

from .labels import SINGLE_CLASS

MASK = "***"

# One name, in the project and in the wheel.
logger = logging.getLogger("sv_deid_chat")


class SetupError(ValueError):
    """The pipeline itself is wrong, not a message: the stream stops."""


def mark_failed(doc: Doc, name: str, error: Exception) -> None:
    """Mark a message that a pipe failed on, and log it. The text of an error may quote the message, so
    only the kind of the error and its place in the code are written.
    """
    doc._.failed = f"{name} ({describe_error(error)})"
    logger.warning("A message is masked whole, as a pipe failed on it: %s", doc._.failed)


def describe_error(error: BaseException) -> str:
    """Describe an error without quoting any text: its kind, and its place in the code."""
    trace, kind = error.__traceback__, type(error).__name__
    if trace is None:
        return kind
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{kind}, {Path(trace.tb_frame.f_code.co_filename).name} line {trace.tb_lineno}"


def is_masked(doc: Doc) -> bool:
    """Whether a message comes out wholly masked: a pipe failed on it, or it is withheld."""
    return doc._.failed is not None or doc._.withheld is not None


def mask_whole(doc: Doc) -> None:
    """Write a message that is wholly masked."""
    doc._.deidentified = MASK if doc.text else ""
    end = len(doc.text)
    replacement = {"start": 0, "end": end, "label": SINGLE_CLASS, "replacement": MASK}
    doc._.replacements = [{**replacement, "out_start": 0, "out_end": len(MASK)}] if end else []
