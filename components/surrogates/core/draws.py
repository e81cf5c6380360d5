"""Choices by key: the same key, name and value give the same choice on any machine, in any order, and
nothing is remembered.
"""

import hmac
from array import array
from collections.abc import Iterator, Sequence

ROUNDS = 6
TABLE_BITS = 5  # networks of up to this many bits a side draw their rounds at once
CHUNK = 18  # this many digits are permuted at once


class Draws:
    """Draws numbers by HMAC-SHA256 under a key that is derived from a secret key and a name.

    key (bytes): The secret key.
    name (str): The name, such as that of a conversation.
    """

    def __init__(self, key: bytes, name: str) -> None:
        self._key = hmac.digest(key, name.encode("utf8", "surrogatepass"), "sha256")
        # What was drawn already, to save time.
        self._tables: dict[tuple[int, tuple[str, ...]], bytes] = {}
        self._orders: dict[tuple[str, int], Sequence[int]] = {}

    def number(self, below: int, *parts: str) -> int:
        """Draw a number from 0 to below - 1 by key. The parts say what it is for."""
        message = "\0".join(parts).encode("utf8", "surrogatepass")
        return int.from_bytes(hmac.digest(self._key, message, "sha256")[:16], "big") % below

    def cycle(self, size: int, index: int, *parts: str) -> Iterator[int]:
        """Walk once around the numbers below a size in a keyed cyclic order. The first step is a
        permutation of them without fixed points.

        YIELDS (int): The numbers after the index, which itself is left out.
        """
        position = self.get_position(size, index, parts)
        for step in range(1, size):
            yield self._permute(size, (position + step) % size, parts, range(ROUNDS))

    def get_position(self, size: int, index: int, parts: tuple[str, ...]) -> int:
        """The position of a number in the cyclic order."""
        return self._permute(size, index, parts, range(ROUNDS - 1, -1, -1))

    def _permute(self, size: int, index: int, parts: tuple[str, ...], rounds: range) -> int:
        """Cycle-walking Feistel network; the rounds backwards are its inverse."""
        bits = max(1, ((size - 1).bit_length() + 1) // 2)
        mask = (1 << bits) - 1
        forward = rounds.step > 0
        tables = self._get_table(bits, parts) if bits <= TABLE_BITS else None
        while True:
            left, right = index >> bits, index & mask
            for number in rounds:
                seed = right if forward else left
                if tables:
                    mix = tables[number << bits | seed] & mask
                else:
                    mix = self.number(mask + 1, *parts, str(number), str(seed))
                left, right = (right, left ^ mix) if forward else (right ^ mix, left)
            index = left << bits | right
            if index < size:
                return index

    def _get_table(self, bits: int, parts: tuple[str, ...]) -> bytes:
        """The round functions of a small network, drawn at once: a byte for each value."""
        key = bits, parts
        if key not in self._tables:
            message = "\0".join((*parts, str(bits), "")).encode("utf8", "surrogatepass")
            self._tables[key] = b"".join(
                hmac.digest(self._key, message + b"%d" % block, "sha256")
                for block in range(-(-(ROUNDS << bits) // 32))
            )
        return self._tables[key]

    def get_order(self, field: str, size: int) -> Sequence[int]:
        """All numbers below a size in their cyclic order."""
        if (field, size) not in self._orders:
            order = (self._permute(size, i, (field,), range(ROUNDS)) for i in range(size))
            self._orders[field, size] = array("l", order)
        return self._orders[field, size]

    def digits(self, text: str, *parts: str) -> str:
        """Replace a digit string by another one of the same length: a permutation of all digit
        strings of that length, without fixed points."""
        out = []
        for start in range(0, len(text), CHUNK):
            chunk = text[start : start + CHUNK]
            other = next(self.cycle(10 ** len(chunk), int(chunk), "digits", str(start), *parts))
            out.append(str(other).zfill(len(chunk)))
        return "".join(out)
