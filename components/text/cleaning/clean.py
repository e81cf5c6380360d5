"""The cleaning of a text before the pipeline reads it."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from ..folding import Folded
from .characters import (
    ALIKES,
    CONTROL,
    DECOMPOSED,
    INVISIBLE,
    find_controls,
    find_decomposed,
    find_invisible,
    find_look_alikes,
)
from .edits import Edit, Mapped, rewrite
from .escapes import find_backslashes, find_fields, find_percents, find_quoted
from .html import find_entities, find_tags
from .json_text import find_json
from .mojibake import FOLLOWERS, find_mojibake


class Step(NamedTuple):
    """A step of the cleaning.

    chars (Iterable[str]): The step has nothing to do in a text without any of these.
    finders (tuple[Callable, ...]): Functions that find the edits, one after another.
    sign (re.Pattern | None): Without chars: nor in a text without this.
    """

    chars: Iterable[str]
    finders: tuple[Callable[[str], list[Edit]], ...]
    sign: re.Pattern | None = None


ESCAPES = re.compile(r"\\[nrtux\"'/]|%u[0-9a-fA-F]{4}|=[0-9A-F]{2}|^[ \t]*[{\[]", re.MULTILINE)
# `<38`, `95 %` and `R & D` are no HTML.
HTML = re.compile(r"<[a-zA-Z/!]|&(?:#|[a-zA-Z]{2})|%[0-9a-fA-F]{2}|\?[\w.-]+=")
# In the order in which they run. JSON comes before the HTML in its strings, mojibake before control
# characters, which may be half a letter.
_STEPS = {
    "escapes": Step((), (find_json, find_backslashes, find_quoted), ESCAPES),
    "html": Step((), (find_tags, find_entities, find_fields, find_percents), HTML),
    "mojibake": Step(FOLLOWERS, (find_mojibake,)),
    "control": Step(CONTROL, (find_controls,)),
    "invisible": Step(INVISIBLE, (find_invisible,)),
    "unicode": Step(DECOMPOSED, (find_decomposed,)),
    "look-alikes": Step(ALIKES, (find_look_alikes,)),
}
BEYOND = "\U00010000-\U0010ffff"
STEPS = (*_STEPS,)
DEFAULT_STEPS = ("escapes", "html", "control")
# `&amp;lt;b&amp;gt;`, a tag that was escaped twice, takes three rounds.
ROUNDS = 4


def parse_steps(value: str) -> tuple[str, ...]:
    """Read which steps are wanted, with commas, or `all`, `none`; ValueError for unknown ones."""
    names = [name.strip().lower() for name in value.split(",")]
    if names == ["all"]:
        return STEPS
    if names == ["none"]:
        return ()
    _check(names)
    return tuple(step for step in STEPS if step in names)


def _check(names: Iterable[str]) -> None:
    unknown = [name for name in names if name not in _STEPS]
    if unknown:
        raise ValueError(
            f"There is no step {', '.join(map(repr, unknown))} of the cleaning. Give some of "
            f"{', '.join(STEPS)} with commas between them, or all, or none."
        )


def clean_text(text: str, steps: tuple[str, ...] = DEFAULT_STEPS) -> Folded:
    """Clean a text.

    text (str): Any text.
    steps (tuple[str, ...]): Some of `STEPS`, in any order.
    RETURNS (Folded): The cleaned text, which the pipeline reads, and where each of its characters
        stands in the original.
    """
    needs, wanted = _prepare(steps)
    for need in needs:
        if need.search(text):
            break
    else:
        return Folded(text, text)
    mapped = Mapped(text)
    for _ in range(ROUNDS):
        before = mapped.text
        for step in wanted:
            for find in step.finders:
                mapped = rewrite(mapped, find(mapped.text))
        if mapped.text == before:
            break
    if mapped.starts is None or mapped.ends is None:
        return Folded(mapped.text, text)
    # Plain lists, which a doc can be saved with.
    return Folded(mapped.text, text, [*mapped.starts], [*mapped.ends])


@lru_cache
def _prepare(steps: tuple[str, ...]) -> tuple[list[re.Pattern], list[Step]]:
    """What a text has of that needs cleaning; and the steps."""
    _check(steps)
    wanted = [step for name, step in _STEPS.items() if name in steps]
    chars = sorted(char for step in wanted for char in step.chars)
    needs = [step.sign for step in wanted if step.sign]
    if chars:
        # A class with single characters beyond the first 65,536 would be slow.
        beyond = BEYOND if chars[-1] >= BEYOND[0] else ""
        single = "".join(char for char in chars if char < BEYOND[0])
        needs.append(re.compile(f"[{re.escape(single)}{beyond}]"))
    return needs, wanted
