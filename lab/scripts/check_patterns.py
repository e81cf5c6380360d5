"""Check that every pattern takes time in proportion to the text: each one alone, on text that is
one piece over and over.

    python -m lab.scripts.check_patterns assets/patterns.jsonl metrics/patterns.json
"""

import math
import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import spacy
import srsly
import typer
from wasabi import msg

import components  # noqa: F401
from components.rules.phi_entity_ruler import PhiEntityRuler
from training_tools.errors import clean_errors

# So many characters, eight times as many, and how many times the time these may take.
SHORT, TIMES, MAX_GROWTH = 512, 8, 20
# The text grows to that by a tenth at a time, and a pattern that takes so many seconds gets no more
# of it: one whose time doubles with each character is seen before it hangs.
FIRST, GROWTH, MAX_SECONDS = 12, 1.1, 0.1
# What takes less is too short to be measured.
MIN_SECONDS = 0.0005
RUNS = 5
# fmt: off
PIECES = (
    "a_", "1-", "a@a.", " ", "den 3 maj ", "1", "a ", "A", "a", "a.", "www.a.se.", "0 7 0 ",
    "Anna ", "i ", "är ", ",", "\n", "12 34 ", "aa bb, ", "år ", "(", "a-", "x1", "gatan ", "3:e ",
    "/", "fyra sista ", "tel ", "1. ", "Åa b ", "mån ", "0", "1/2-", "+46 0 ", "A. ", "Ab-", "- ",
    "a' ", "@", "1,", ". ", "_", "jag är ju 1 ", "vecka 10, gravid ", "[", "a a_",
)
# fmt: on
# The words of a pattern, how many of them, and what is made of each.
LITERAL = re.compile(r"(?<![\\\wåäö])[a-zåäö]{2,}(?![}\wåäö])")
N_LITERALS = 3
FRAMES = ("{} ", "{}_", "{}-", "{}", "{} 1 ", "{} a_")


class Figure(NamedTuple):
    """How a pattern fares on a text."""

    id: str
    piece: str
    growth: float
    seconds: float


def check_patterns(
    patterns_path: Annotated[Path, typer.Argument(help="The patterns, JSONL.")],
    metrics_path: Annotated[Path, typer.Argument(help="Where to write the figures, JSON.")],
) -> None:
    """Check that every pattern takes time in proportion to the text."""
    ruler = PhiEntityRuler(spacy.blank("sv"))
    with clean_errors():
        ruler.add_patterns(srsly.read_jsonl(patterns_path))
    worst: dict[str, Figure] = {}
    for name, regex in ruler.regexes.items():
        figures = [measure(name, regex, piece) for piece in get_pieces(regex)]
        worst[name] = max(figures, key=lambda figure: (figure.growth, figure.seconds))
    slow = [figure._asdict() for figure in worst.values() if figure.growth > MAX_GROWTH]
    slowest = sorted(worst.values(), key=lambda figure: -figure.seconds)[:10]
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    slowest_rows = [figure._asdict() for figure in slowest]
    srsly.write_json(metrics_path, {"patterns": len(worst), "slow": slow, "slowest": slowest_rows})
    for row in slow:
        msg.fail(f"{row['id']} on {row['piece']!r}: {row['growth']:.0f} times the time")
    if slow:
        raise typer.Exit(1)
    msg.good(f"{len(worst)} patterns", metrics_path)


def get_pieces(regex: re.Pattern) -> Iterator[str]:
    """YIELDS (str): What to repeat: the pieces for all, and some of the pattern's own words."""
    yield from PIECES
    words = list(dict.fromkeys(LITERAL.findall(regex.pattern)))
    for word in words[:: math.ceil(len(words) / N_LITERALS) or 1]:
        yield from (frame.format(word) for frame in FRAMES)


def measure(name: str, regex: re.Pattern, piece: str) -> Figure:
    """Measure how the time that a pattern takes grows with the text.

    name (str): The pattern's id.
    regex (re.Pattern): The pattern.
    piece (str): What the text repeats.
    RETURNS (Figure): The growth, infinite if the pattern was stopped, and the time that it took.
    """
    length = FIRST
    while length < SHORT:
        seconds = _time(regex, piece, length)
        if seconds > MAX_SECONDS:
            return Figure(name, piece, math.inf, seconds)
        length = int(length * GROWTH)
    figure = _compare(name, regex, piece, runs=1)
    return _compare(name, regex, piece, runs=RUNS) if figure.growth > MAX_GROWTH else figure


def _compare(name: str, regex: re.Pattern, piece: str, runs: int) -> Figure:
    short = min(_time(regex, piece, SHORT) for _ in range(runs))
    seconds = min(_time(regex, piece, SHORT * TIMES) for _ in range(runs))
    growth = seconds / max(short, MIN_SECONDS / TIMES)
    return Figure(name, piece, growth, seconds)


def _time(regex: re.Pattern, piece: str, length: int) -> float:
    text = piece * (length // len(piece) + 1)
    start = time.process_time()
    deque(regex.finditer(text), maxlen=0)
    return time.process_time() - start


if __name__ == "__main__":
    typer.run(check_patterns)
