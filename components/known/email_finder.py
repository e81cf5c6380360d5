"""Finds known e-mail addresses."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ..text.casing import fold
from .typo_finder import ONE_ERROR, TypoFinder

ADDRESS = re.compile(r"[^\s<>()\[\],;:]+")
# Some people put spaces around the signs of an address, against address collectors.
SIGN = re.compile(r"\s?\.\s?|@\s*")
IN_ADDRESS, IN_DOMAIN = re.compile(r"[\w.+-]"), re.compile(r"[\w-]")


class EmailFinder:
    """Finds addresses, also with spaces around their signs, with so many errors at most."""

    def __init__(self, addresses: Iterable[str], errors: int) -> None:
        self.addresses = dict.fromkeys(_squeeze(fold(address))[0] for address in addresses)
        # By local part, the lengths of its domains.
        self._domains: dict[str, set[int]] = {}
        for address in self.addresses:
            local, at, domain = address.rpartition("@")
            if at:
                self._domains.setdefault(local, set()).add(len(domain))
        self._lengths = sorted({len(local) for local in self._domains})
        limits = {address: min(errors, len(address) // ONE_ERROR) for address in self.addresses}
        self._near = TypoFinder(limits)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the addresses in a folded text. The same may come twice."""
        if not self.addresses or "@" not in text:
            return
        plain, places = _squeeze(text)
        lower = plain.lower()
        for match in re.finditer("@", lower):
            at = match.start()
            for length in self._lengths[: bisect_left(self._lengths, at + 1)]:
                first = at - length
                before = places[first] - 1
                if before >= 0 and IN_ADDRESS.match(text, before):
                    continue
                for behind in self._domains.get(lower[first:at], ()):
                    last = at + behind
                    if lower[first : last + 1] not in self.addresses:
                        continue
                    if not IN_DOMAIN.match(text, places[last] + 1):
                        yield places[first], places[last] + 1
        if self._near:
            for match in get_addresses(text):
                start, end = strip_address(text, *match.span())
                if self._near.find([fold(text[start:end])]):
                    yield start, end


def get_addresses(text: str) -> Iterator[re.Match]:
    """Find what may be an e-mail address: an @ with something on both sides of it."""
    return (match for match in ADDRESS.finditer(text) if "@" in match[0][1:-1])


def strip_address(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the punctuation around an address."""
    while end > start and text[end - 1] in ".,!?'\"":
        end -= 1
    while start < end and text[start] in ".,!?'\"/":
        start += 1
    return start, end


def _squeeze(text: str) -> tuple[str, list[int]]:
    """Leave out the spaces around the signs of addresses."""
    out: list[str] = []
    places: list[int] = []
    last = 0
    for match in SIGN.finditer(text):
        sign = "@" if match[0][0] == "@" else "."
        before = text[last : match.start()]
        before = before.rstrip() if sign == "@" else before
        out += (before, sign)
        places += range(last, last + len(before))
        places.append(match.start() + match[0].index(sign))
        last = match.end()
    return "".join(out) + text[last:], [*places, *range(last, len(text))]
