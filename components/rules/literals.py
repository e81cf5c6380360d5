"""The literals that a regex requires, so that of two hundred patterns only those are run that may
hit. After Cox, Regular Expression Matching with a Trigram Index (2012), with literals of up to twelve
characters.
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

# Raised when literals are derived or looked for in another way: those that an older version saved are
# then derived again.
VERSION = 3
# A literal has at most so many characters, a set of them at most so many members.
LONGEST = 12
MOST = 400
FEW = 20
# Of a regex, so many sets are kept: those that the fewest texts meet. A set that more than this share
# of the texts meet is not worth looking for.
N_SETS = 3
USELESS = 0.9
# So many sets are kept while a regex is read.
N_KEPT = 12
# Characters whose case a regex that ignores case folds as `str.lower` does, once the text is folded.
PLAIN = frozenset(ascii_lowercase + "åäöéü" + digits + punctuation + "½°§’´ \n\r")
# A folded text has no other white space than these, and all of them count as one.
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

# A text in which the regex matches holds at least one of these.
Literals = frozenset[str]
EMPTY: Literals = frozenset([""])


class Node(NamedTuple):
    """What is known of a part of a regex: all that it matches (None: unknown or too much), what
    matches begin and end with, whether it may be empty, and further sets that texts meet.
    """

    whole: Literals | None
    starts: Literals
    ends: Literals
    can_skip: bool
    required: list[Literals]

    def get_required(self) -> list[Literals]:
        """RETURNS (list[Literals]): The sets that a text meets in which it matches."""
        edges = [] if self.can_skip else [self.starts, self.ends]
        return [*self.required, *(edge for edge in edges if "" not in edge)]

    def skip(self) -> "Node":
        """RETURNS (Node): The same part, but optional."""
        if self.whole is not None:
            return _make_whole(self.whole | EMPTY)
        return Node(None, self.starts, self.ends, True, [])


def _make_whole(pieces: Literals, required: list[Literals] | None = None) -> Node:
    return Node(pieces, pieces - EMPTY, pieces - EMPTY, "" in pieces, required or [])


NOTHING = _make_whole(EMPTY)
ANYTHING = Node(None, EMPTY, EMPTY, True, [])


def normalize(text: str) -> str:
    """Lower case, zeros for digits and single spaces: the form in which literals are found."""
    text = DIGIT.sub("0", text.lower())
    for blank in BLANKS:
        text = text.replace(blank, " ")
    return SPACES.sub(" ", text) if "  " in text else text


@lru_cache(maxsize=4096)
def get_literals(regex: str) -> tuple[Literals, ...]:
    """Derive the literals without which a regex that ignores case cannot match: a text in which it does holds at
    least one of each set, in the form of `normalize`. Only the rarest sets; none if nothing is known.

    RAISES (re.error): If it is no regex to `re`, though it may be one to others.
    """
    required = sorted(_read(_parser.parse(regex, re.IGNORECASE)).get_required(), key=_guess_share)
    required = [*{_simplify(literals) for literals in required[:N_KEPT]}]
    chosen: list[Literals] = []
    for literals in sorted(required, key=lambda one: (_guess_share(one), sorted(one))):
        useless = _guess_share(literals) > USELESS or any(_implies(one, literals) for one in chosen)
        if not chosen or not useless:
            chosen.append(literals)
        if len(chosen) == N_SETS:
            break
    return tuple(chosen)


def _implies(literals: Literals, other: Literals) -> bool:
    """Whether each text that meets the one set meets the other, too."""
    return all(_holds_any(piece, other) for piece in literals)


def _simplify(literals: Literals) -> Literals:
    """Leave out each literal that holds another one."""
    kept: set[str] = set()
    for piece in sorted(literals, key=len):
        if not _holds_any(piece, kept):
            kept.add(piece)
    return frozenset(kept)


def _holds_any(piece: str, pieces: Collection[str]) -> bool:
    ends = range(1, len(piece) + 1)
    return any(piece[start:end] in pieces for end in ends for start in range(end))


@lru_cache(maxsize=4096)
def _guess_share(literals: Literals) -> float:
    """Guess the share of the texts that meet a set."""
    return 1.0 - exp(-fsum(map(_rate, literals)))


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
        # `re.compile` would refuse it, the parser does not.
        raise re.error("look-behind requires fixed-width pattern")
    # What is around a match is in the text, too.
    return _make_whole(EMPTY, _read(items).get_required()) if is_there else NOTHING


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
            return _make_whole(powers, node.required if least else [])
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
            repeated.required,
        )
    return repeated if least else repeated.skip()


def _chain(nodes: Iterable[Node]) -> Node:
    joined = NOTHING
    for node in nodes:
        joined = _follow(joined, node)
    return joined


def _follow(first: Node, second: Node) -> Node:
    """What is known of two parts, one behind the other."""
    required = first.required + second.required
    if first.whole is not None and second.whole is not None:
        pieces = _join(first.whole, second.whole)
        if pieces is not None:
            return _make_whole(pieces, required)
    behind = second.starts | EMPTY if second.can_skip else second.starts
    before = first.ends | EMPTY if first.can_skip else first.ends
    starts = first.starts if first.whole is None else _pair(first.starts, behind, True)
    ends = second.ends if second.whole is None else _pair(before, second.ends, False)
    if first.can_skip:
        starts = _cut(starts | second.starts, MOST, True)
    if second.can_skip:
        ends = _cut(ends | first.ends, MOST, False)
    # What stands where they meet, and what is about to be cut.
    required += [*first.get_required(), *second.get_required(), _meet(before, behind)]
    required = [literals for literals in dict.fromkeys(required) if "" not in literals]
    if len(required) > N_KEPT:
        required = sorted(required, key=_guess_share)[:N_KEPT]
    return Node(None, starts, ends, first.can_skip and second.can_skip, required)


def _join(first: Literals, second: Literals) -> Literals | None:
    """Join what two parts match, unless that is too much or too long."""
    if len(first) * len(second) > MOST:
        return None
    joined = frozenset(_glue(a, b) for a in first for b in second)
    return joined if max(map(len, joined)) <= LONGEST else None


def _glue(first: str, second: str) -> str:
    return first + (second[1:] if first[-1:] == second[:1] == " " else second)


def _pair(first: Literals, second: Literals, is_start: bool) -> Literals:
    """What two parts, one behind the other, begin with (`is_start`) or end with."""
    if is_start:
        second = _cut(second, MOST // max(1, len(first)), True)
    else:
        first = _cut(first, MOST // max(1, len(second)), False)
    return _cut(frozenset(_glue(a, b) for a in first for b in second), MOST, is_start)


def _meet(first: Literals, second: Literals) -> Literals:
    """What stands where two parts meet: what the one ends with and the other begins with."""
    first = _cut(first, max(FEW, MOST // max(1, len(second))), False)
    second = _cut(second, MOST // max(1, len(first)), True)
    half = LONGEST // 2
    return frozenset(_glue(a[-half:], b[:half]) for a in first for b in second)


def _cut(pieces: Literals, most: int, is_start: bool) -> Literals:
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
    literals: set[str] = set()
    for node in nodes:
        required = node.get_required()
        if not required:
            return Node(None, starts, ends, can_skip, [])
        literals |= min(required, key=_guess_share)
    return Node(None, starts, ends, can_skip, [frozenset(literals)])


class Prefilter:
    """Tells in one pass which regexes may match, by their literals (Aho and Corasick 1975)."""

    def __init__(self, required: Sequence[Sequence[Collection[str]]]) -> None:
        # A bit for each regex and each of its sets: a row of the first sets, one of the second.
        self._size = len(required)
        self._n_rows = max(map(len, required), default=0)
        # A set that a regex does not have counts as met.
        self._met = 0
        met: dict[str, int] = {}
        for i, all_ in enumerate(required):
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
        """The numbers of the regexes that may match in a folded text, in order."""
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
