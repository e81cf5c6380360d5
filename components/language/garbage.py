"""The garbage collector, while a stream of messages is read."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Whether objects are frozen by us. To count the frozen ones takes as long as to go through them.
_has_frozen = False


@contextmanager
def spare_old_objects() -> Iterator[None]:
    """Spare the objects that are there already, until the end. The lists and patterns of a pipeline are a
    million of them, and with each full search for garbage Python would go through them all: some six per
    cent of the time of a stream.
    """
    global _has_frozen
    # Of others who have frozen objects, ourselves further up among them, none is to be set free.
    if _has_frozen or gc.get_freeze_count():
        yield
        return
    spare_for_good()
    try:
        yield
    finally:
        gc.unfreeze()
        _has_frozen = False


def spare_for_good() -> None:
    """Spare the objects that are there already, for as long as the process runs."""
    global _has_frozen
    gc.freeze()
    _has_frozen = True
