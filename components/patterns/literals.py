"""What a text must hold for a regex to match in it: so that of two hundred patterns only those
are run that may hit. After Cox, Regular Expression Matching with a Trigram Index (2012), with pieces
of up to twelve characters.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from math import exp, fsum
from string import ascii_lowercase, digits, punctuation
from typing import Any, NamedTuple

from ahocorasick import Automaton

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as _parser  # type: ignore[no-redef]

# Of the way in which needs are derived and looked for: saved ones of another version do not count.
VERSION = 2
# What is looked for is at most so long, and one of so many at most.
LONGEST = 12
MOST = 400
FEW = 20
# Of the needs of a pattern, so many are looked at: those that fewest texts meet, but none that
# almost each of them meets.
N_NEEDS = 3
USELESS = 0.9
# So many are kept on the way.
N_KEPT = 12
# Characters whose case a regex that ignores case folds as `str.lower` does, once the text is folded.
PLAIN = frozenset(ascii_lowercase + "åäöéü" + digits + punctuation + "½°§’´ \n\r")
# A folded text has no other white space than these, and none of them is told from another.
BLANKS = "\n\r"
DIGIT = re.compile("[1-9]")
SPACES = re.compile("  +")
# How often each character comes, in a thousand, and behind a digit.
RATES = {" ": 165.0, "0": 12.0, ".": 13.0, ",": 10.0, "-": 3.0, "/": 2.0} | dict(
    zip("abcdefghijklmnopqrstuvwxyzåäö", (
        75, 12, 11, 37, 79, 16, 27, 18, 43, 6, 26, 43, 29, 70, 34, 14, .5, 67, 50, 71, 14, 20, .5, 1,
        6, 1, 13, 17, 10,
    ))
)  # fmt: skip
RARE = 1.0
BEHIND_DIGIT = {"0": 0.4, ".": 0.1, ",": 0.08, "-": 0.08}
LENGTH = 120  # characters of a usual text

# One of these is in each text in which the regex matches.
Need = frozenset[str]
EMPTY: Need = frozenset([""])


class Node(NamedTuple):
    """What is known of a part of a regex.

    whole (Optional[Set[str]]): All that it matches, None if that is not known or too much.
    starts (Set[str]), ends (Set[str]): With one of these begins, and ends, what it matches.
    can_skip (bool): Whether it matches nothing, too, which is neither in `starts` nor in `ends`.
    needs (List[Need]): What each text must hold in which it matches, the others not counted.
    """

    whole: Need | None
    starts: Need
    ends: Need
    can_skip: bool
    needs: list[Need]

    def get_needs(self) -> list[Need]:
        """RETURNS (List[Need]): What each text must hold in which it matches."""
        edges = [] if self.can_skip else [self.starts, self.ends]
        return [*self.needs, *(edge for edge in edges if "" not in edge)]

    def skip(self) -> "Node":
        """RETURNS (Node): The same, but it may be left out."""
        if self.whole is not None:
            return _make_whole(self.whole | EMPTY)
        return Node(None, self.starts, self.ends, True, [])


def _make_whole(pieces: Need, needs: list[Need] | None = None) -> Node:
    return Node(pieces, pieces - EMPTY, pieces - EMPTY, "" in pieces, needs or [])


NOTHING = _make_whole(EMPTY)
ANYTHING = Node(None, EMPTY, EMPTY, True, [])


def normalize(text: str) -> str:
    """text (str): A folded text.
    RETURNS (str): The text in which needs are looked for: in lower case, each digit a zero, one
        space for any white space.
    """
    text = DIGIT.sub("0", text.lower())
    for blank in BLANKS:
        text = text.replace(blank, " ")
    return SPACES.sub(" ", text) if "  " in text else text


def get_needs(regex: str) -> list[Need]:
    """Derive what a text must hold for a regex to match in it, whatever the case.

    regex (str): The regex.
    RETURNS (List[Need]): One string of each of them is in every such text, in the form of `normalize`.
        The most telling ones, none if nothing is known.
    RAISES (re.error): If it is no regex to `re`, though it may be one to others.
    """
    needs = sorted(_read(_parser.parse(regex, re.IGNORECASE)).get_needs(), key=_guess)
    needs = [*{_simplify(need) for need in needs[:N_KEPT]}]
    chosen: list[Need] = []
    for need in sorted(needs, key=lambda need: (_guess(need), sorted(need))):
        useless = _guess(need) > USELESS or any(_implies(other, need) for other in chosen)
        if not chosen or not useless:
            chosen.append(need)
    return chosen[:N_NEEDS]


def _implies(need: Need, other: Need) -> bool:
    """Whether each text that meets a need meets the other, too."""
    return all(any(short in piece for short in other) for piece in need)


def _simplify(need: Need) -> Need:
    """Leave out what holds another one."""
    kept: set[str] = set()
    for piece in sorted(need, key=len):
        ends = range(1, len(piece) + 1)
        if not any(piece[start:end] in kept for end in ends for start in range(end)):
            kept.add(piece)
    return frozenset(kept)


@lru_cache(maxsize=4096)
def _guess(need: Need) -> float:
    """Guess the share of the texts that meet a need."""
    return 1.0 - exp(-fsum(map(_rate, need)))


@lru_cache(maxsize=65536)
def _rate(piece: str) -> float:
    """How often a text holds a piece."""
    rate, before = float(LENGTH), ""
    for char in piece:
        behind = BEHIND_DIGIT.get(char) if before == "0" else None
        rate *= behind or RATES.get(char, RARE) / 1000
        before = char
    return rate


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
    return _make_whole(EMPTY, _read(items).get_needs()) if is_there else NOTHING


def _read_set(items: Iterable[tuple[Any, Any]]) -> Node:
    codes: list[int] = []
    for op, value in items:
        if str(op) == "LITERAL":
            codes.append(value)
        elif str(op) == "RANGE" and value[1] - value[0] < MOST:
            codes.extend(range(value[0], value[1] + 1))
        elif str(op) == "CATEGORY" and str(value) == "CATEGORY_DIGIT":
            codes.append(ord("0"))
        elif str(op) == "CATEGORY" and str(value) == "CATEGORY_SPACE":
            codes.append(ord(" "))
        else:
            return ANYTHING
    return _choose(codes)


def _choose(codes: Iterable[int]) -> Node:
    chars = frozenset(normalize(chr(code)) for code in codes)
    return _make_whole(chars) if chars <= PLAIN else ANYTHING


def _repeat(least: int, most: Any, items: Iterable[tuple[Any, Any]]) -> Node:
    node = _read(items)
    least, most = int(least), int(most)
    if node.whole is not None and len(node.whole) == 1:
        (piece,) = node.whole
        if len(piece) * most <= LONGEST:
            most = most if piece else least
            powers = frozenset(SPACES.sub(" ", piece * n) for n in range(least, most + 1))
            return _make_whole(powers, node.needs if least else [])
    if most == 0:
        return NOTHING
    n_known = min(max(1, least), 2 * LONGEST)
    repeated = _chain([node] * n_known)
    if n_known < most:
        repeated = Node(
            None,
            _cut(repeated.starts, MOST, True),
            _cut(repeated.ends, MOST, False),
            repeated.can_skip,
            repeated.needs,
        )
    return repeated if least else repeated.skip()


def _chain(nodes: Iterable[Node]) -> Node:
    joined = NOTHING
    for node in nodes:
        joined = _follow(joined, node)
    return joined


def _follow(first: Node, second: Node) -> Node:
    """What is known of two parts, one behind the other."""
    needs = first.needs + second.needs
    if first.whole is not None and second.whole is not None:
        pieces = _join(first.whole, second.whole)
        if pieces is not None:
            return _make_whole(pieces, needs)
    behind = second.starts | EMPTY if second.can_skip else second.starts
    before = first.ends | EMPTY if first.can_skip else first.ends
    starts = first.starts if first.whole is None else _pair(first.starts, behind, True)
    ends = second.ends if second.whole is None else _pair(before, second.ends, False)
    if first.can_skip:
        starts = _cut(starts | second.starts, MOST, True)
    if second.can_skip:
        ends = _cut(ends | first.ends, MOST, False)
    # What stands where they meet, and what is about to be cut.
    needs += [*first.get_needs(), *second.get_needs(), _meet(before, behind)]
    needs = [need for need in dict.fromkeys(needs) if "" not in need]
    if len(needs) > N_KEPT:
        needs = sorted(needs, key=_guess)[:N_KEPT]
    return Node(None, starts, ends, first.can_skip and second.can_skip, needs)


def _join(first: Need, second: Need) -> Need | None:
    """Join what two parts match, unless that is too much or too long."""
    if len(first) * len(second) > MOST:
        return None
    joined = frozenset(_glue(a, b) for a in first for b in second)
    return joined if max(map(len, joined)) <= LONGEST else None


def _glue(first: str, second: str) -> str:
    return first + (second[1:] if first[-1:] == second[:1] == " " else second)


def _pair(first: Need, second: Need, is_start: bool) -> Need:
    """What two parts, one behind the other, begin with (`is_start`) or end with."""
    if is_start:
        second = _cut(second, MOST // max(1, len(first)), True)
    else:
        first = _cut(first, MOST // max(1, len(second)), False)
    return _cut(frozenset(_glue(a, b) for a in first for b in second), MOST, is_start)


def _meet(first: Need, second: Need) -> Need:
    """What stands where two parts meet: what the one ends with and the other begins with."""
    first = _cut(first, max(FEW, MOST // max(1, len(second))), False)
    second = _cut(second, MOST // max(1, len(first)), True)
    half = LONGEST // 2
    return frozenset(_glue(a[-half:], b[:half]) for a in first for b in second)


def _cut(pieces: Need, most: int, is_start: bool) -> Need:
    """Cut pieces to what they begin with, or end with, until they are few and short enough."""
    length = max(map(len, pieces), default=0)
    if length <= LONGEST and len(pieces) <= most:
        return pieces
    length = min(length, LONGEST)
    while True:
        cut = frozenset(
            piece[:length] if is_start else piece[max(0, len(piece) - length) :] for piece in pieces
        )
        if len(cut) <= most:
            return cut
        length -= 1


def _branch(nodes: Sequence[Node]) -> Node:
    wholes = [node.whole for node in nodes if node.whole is not None]
    if len(wholes) == len(nodes):
        whole = frozenset(chain.from_iterable(wholes))
        if len(whole) <= MOST:
            return _make_whole(whole)
    starts = _cut(frozenset(chain.from_iterable(node.starts for node in nodes)), MOST, True)
    ends = _cut(frozenset(chain.from_iterable(node.ends for node in nodes)), MOST, False)
    can_skip = any(node.can_skip for node in nodes)
    need: set[str] = set()
    for node in nodes:
        needs = node.get_needs()
        if not needs:
            return Node(None, starts, ends, can_skip, [])
        need |= min(needs, key=_guess)
    return Node(None, starts, ends, can_skip, [frozenset(need)])


class Sieve:
    """Tells which regexes may match in a text, in one pass over it (Aho and Corasick 1975).

    needs (Sequence[Sequence[Collection[str]]]): What each of them needs, see `get_needs`.
    """

    def __init__(self, needs: Sequence[Sequence[Collection[str]]]) -> None:
        # A bit for each regex and each of its needs, in rows of one need.
        self._size = len(needs)
        self._n_rows = max(map(len, needs), default=0)
        # What is lacking is met.
        self._met = 0
        met: dict[str, int] = {}
        for i, all_ in enumerate(needs):
            for row in range(self._n_rows):
                bit = 1 << (row * self._size + i)
                if row >= len(all_):
                    self._met |= bit
                    continue
                for piece in all_[row]:
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
        met = self._met
        if len(self._automaton):
            for _, mask in self._automaton.iter(normalize(text)):
                met |= mask
        may = (1 << self._size) - 1
        for _ in range(self._n_rows):
            may &= met
            met >>= self._size
        found = []
        while may:
            lowest = may & -may
            found.append(lowest.bit_length() - 1)
            may ^= lowest
        return found
