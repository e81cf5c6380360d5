"""What a text must hold for a regex to match in it: so that of two hundred patterns only those
are run that may hit. After Cox, Regular Expression Matching with a Trigram Index (2012), with pieces
of up to twelve characters.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from string import ascii_lowercase, digits, punctuation
from typing import Any, NamedTuple

from ahocorasick import Automaton

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as _parser  # type: ignore[no-redef]

# What is looked for is at most so long, and one of so many at most.
LONGEST = 12
MOST = 400
# Of the needs of a pattern, so many are looked at: those that fewest texts meet.
N_NEEDS = 3
# Characters whose case a regex that ignores case folds as `str.lower` does, once the text is folded.
PLAIN = frozenset(ascii_lowercase + "åäöéü" + digits + punctuation + " \n\r")
DIGITS = str.maketrans(digits[1:], "0" * 9)
# A rough share of the texts that hold a character: a digit stands for all ten.
COMMON = {" ": 0.9, "0": 0.5, ".": 0.6, ",": 0.5, "-": 0.3}
RARE = 0.25

# One of these is in each text in which the regex matches.
Need = frozenset[str]


class Node(NamedTuple):
    """What is known of a part of a regex.

    whole (Optional[Set[str]]): All that it matches, None if that is not known or too much.
    needs (List[Need]): What each text must hold in which it matches, `whole` not counted.
    """

    whole: frozenset[str] | None
    needs: list[Need]

    def get_needs(self) -> list[Need]:
        """RETURNS (List[Need]): What each text must hold in which it matches."""
        if self.whole is None or "" in self.whole:
            return self.needs
        return [*self.needs, self.whole]


NOTHING = Node(frozenset([""]), [])
ANYTHING = Node(None, [])


def normalize(text: str) -> str:
    """text (str): A folded text.
    RETURNS (str): The text in which needs are looked for: in lower case, each digit a zero.
    """
    return text.lower().translate(DIGITS)


def get_needs(regex: str) -> list[Need]:
    """Derive what a text must hold for a regex to match in it, whatever the case.

    regex (str): The regex.
    RETURNS (List[Need]): One string of each of them is in every such text, in the form of `normalize`.
        The most telling ones, none if nothing is known.
    RAISES (re.error): If it is no regex to `re`, though it may be one to others.
    """
    needs = {_simplify(need) for need in _read(_parser.parse(regex, re.IGNORECASE)).get_needs()}
    return sorted(needs, key=lambda need: (_guess(need), sorted(need)))[:N_NEEDS]


def _simplify(need: Need) -> Need:
    """Leave out what holds another one."""
    return frozenset(a for a in need if not any(a != b and b in a for b in need))


def _guess(need: Need) -> float:
    """Guess the share of the texts that meet a need."""
    shares = []
    for piece in need:
        share = 1.0
        for char in piece:
            share *= COMMON.get(char, RARE)
        shares.append(share)
    return sum(shares)


def _read(items: Iterable[tuple[Any, Any]]) -> Node:
    return _chain(_read_item(str(op), value) for op, value in items)


def _read_item(op: str, value: Any) -> Node:
    if op == "LITERAL":
        return _choose([value])
    if op == "IN":
        return _read_set(value)
    if op.endswith("_REPEAT"):
        return _repeat(*value)
    if op == "SUBPATTERN":
        return _read(value[3])
    if op == "ATOMIC_GROUP":
        return _read(value)
    if op == "BRANCH":
        return _branch([_read(branch) for branch in value[1]])
    if op in ("ASSERT", "ASSERT_NOT"):
        return _look_around(op == "ASSERT", *value)
    return NOTHING if op == "AT" else ANYTHING


def _look_around(is_there: bool, direction: int, items: Any) -> Node:
    least, most = items.getwidth()
    if direction < 0 and least != most:
        # What parses is not checked for it yet.
        raise re.error("look-behind requires fixed-width pattern")
    # What is around a match is in the text, too.
    return Node(NOTHING.whole, _read(items).get_needs()) if is_there else NOTHING


def _read_set(items: Iterable[tuple[Any, Any]]) -> Node:
    codes: list[int] = []
    for op, value in items:
        if str(op) == "LITERAL":
            codes.append(value)
        elif str(op) == "RANGE" and value[1] - value[0] < MOST:
            codes.extend(range(value[0], value[1] + 1))
        elif str(op) == "CATEGORY" and str(value) == "CATEGORY_DIGIT":
            codes.append(ord("0"))
        else:
            return ANYTHING
    return _choose(codes)


def _choose(codes: Iterable[int]) -> Node:
    chars = frozenset(normalize(chr(code)) for code in codes)
    return Node(chars, []) if chars <= PLAIN else ANYTHING


def _repeat(least: int, most: Any, items: Iterable[tuple[Any, Any]]) -> Node:
    node = _read(items)
    if node.whole is not None and len(node.whole) == 1:
        (piece,) = node.whole
        if len(piece) * int(most) <= LONGEST:
            most = most if piece else least
            powers = frozenset(piece * n for n in range(least, int(most) + 1))
            return Node(powers, node.needs if least else [])
    if least == 0:
        return _branch([node, NOTHING]) if int(most) == 1 else ANYTHING
    rest = [] if least == int(most) else [ANYTHING]
    return _chain([*[node] * min(least, 2 * LONGEST), *rest])


def _chain(nodes: Iterable[Node]) -> Node:
    needs: list[Need] = []
    current = frozenset([""])
    is_whole = True
    for whole, others in nodes:
        needs += others
        joined = None if whole is None else _join(current, whole)
        if joined is not None:
            current = joined
            continue
        is_whole = False
        needs += Node(current, []).get_needs()
        current = frozenset([""]) if whole is None else whole
    if is_whole:
        return Node(current, needs)
    return Node(None, [*needs, *Node(current, []).get_needs()])


def _join(first: frozenset[str], second: frozenset[str]) -> frozenset[str] | None:
    """Join what two parts match, unless that is too much or too long."""
    if len(first) * len(second) > MOST:
        return None
    joined = frozenset(a + b for a in first for b in second)
    return joined if max(map(len, joined)) <= LONGEST else None


def _branch(nodes: Sequence[Node]) -> Node:
    wholes = [node.whole for node in nodes if node.whole is not None]
    if len(wholes) == len(nodes):
        whole = frozenset(chain.from_iterable(wholes))
        if len(whole) <= MOST:
            return Node(whole, [])
    need: set[str] = set()
    for node in nodes:
        needs = node.get_needs()
        if not needs:
            return ANYTHING
        best: Need = min(needs, key=_guess)
        need |= best
    return Node(None, [frozenset(need)])


class Sieve:
    """Tells which regexes may match in a text, in one pass over it (Aho and Corasick 1975).

    needs (Sequence[List[Need]]): What each of them needs, see `get_needs`.
    """

    def __init__(self, needs: Sequence[list[Need]]) -> None:
        # Each need is a bit.
        bits = {need: 1 << i for i, need in enumerate(dict.fromkeys(chain.from_iterable(needs)))}
        self._masks = [(i, sum(bits[need] for need in all_)) for i, all_ in enumerate(needs)]
        met: dict[str, int] = {}
        for need, bit in bits.items():
            for piece in need:
                met[piece] = met.get(piece, 0) | bit
        self._automaton = Automaton()
        for piece, mask in met.items():
            self._automaton.add_word(piece, mask)
        if met:
            self._automaton.make_automaton()

    def find(self, text: str) -> list[int]:
        """Find the regexes that may match.

        text (str): A folded text.
        RETURNS (List[int]): Their numbers, in order.
        """
        met = 0
        if len(self._automaton):
            for _, mask in self._automaton.iter(normalize(text)):
                met |= mask
        return [i for i, mask in self._masks if met & mask == mask]
