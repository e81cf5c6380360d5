"""Counting of steps, which no load of the machine changes."""

import sys
from collections.abc import Callable


def count_steps(run: Callable[[], object]) -> int:
    """How many lines of Python a call runs."""
    steps = 0

    def trace(frame, event, arg):
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return steps
