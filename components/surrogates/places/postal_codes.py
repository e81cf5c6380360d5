"""Postal codes that belong to their towns."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from ...text.casing import fold
from ..core.scope import Scope

Row = Mapping[str, str]

HEAD = 3  # digits of a code that tell the town
REGION = 2  # and the region
TAILS = 100  # codes of one head


class PostalCodes:
    """The first digits of the postal codes by town, and back; whole codes where these were
    imported."""

    def __init__(self, rows: Sequence[Row], codes: Sequence[Row] = ()) -> None:
        self._rows = rows
        self._codes = codes

    @cached_property
    def heads(self) -> dict[str, list[str]]:
        """The first three digits by town, its name folded."""
        return {fold(row["town"]): [*_read_ranges(row["codes"])] for row in self._rows}

    @cached_property
    def _whole(self) -> dict[str, list[str]]:
        """The whole codes by town."""
        codes: dict[str, list[str]] = defaultdict(list)
        for row in self._codes:
            codes[fold(row["town"])].append(row["code"].replace(" ", ""))
        return codes

    @cached_property
    def _towns(self) -> dict[str, list[str]]:
        """The towns by the first three digits and by the first two."""
        towns: dict[str, list[str]] = defaultdict(list)
        for town, heads in self.heads.items():
            for head in heads:
                towns[head].append(town)
            for region in sorted({head[:REGION] for head in heads}):
                towns[region].append(town)
        return towns

    def is_apart(self, one: str, other: str) -> bool:
        """Whether a place has codes that another has not, if the codes of both are known."""
        heads = self.heads.get(one, ())
        return not heads or not {*heads} <= {*self.heads.get(other, ())}

    def get_towns(self, code: str) -> list[str]:
        """Find the towns that a code may be of."""
        return self._towns.get(code[:HEAD]) or self._towns.get(code[:REGION], [])

    def choose(
        self, code: str, town: str, near: Sequence[str], scope: Scope, taken: Collection[str]
    ) -> str:
        """Choose a code that belongs to a town, or to one of those near it if it has none of its
        own, or those of the original. Codes with the same first digits share theirs; those taken
        are chosen last."""
        own = code[:HEAD]
        listed = [
            other
            for other in self._whole.get(town, ())
            if other not in taken and not other.startswith(own)
        ]
        if listed:
            return listed[scope.number(len(listed), "postal", code, town)]
        heads = [head for head in self.heads.get(town, ()) if head != own]
        if not heads:
            heads = sorted({h for name in near for h in self.heads.get(name, ()) if h != own})
        heads = heads or self.heads.get(town, [])
        start = scope.number(max(1, len(heads)), "postal", own, town)
        for head in heads[start:] + heads[:start]:
            for tail in scope.cycle(TAILS, int(code[HEAD:]), "postal", own):
                if f"{head}{tail:02}" not in taken:
                    return f"{head}{tail:02}"
        # Another code of the region.
        new = code[:REGION] + scope.digits(code[REGION:], "postal", code[:REGION])
        while new in taken and new != code:
            new = new[:REGION] + scope.digits(new[REGION:], "postal", code[:REGION])
        return new


def _read_ranges(text: str) -> Iterator[str]:
    """`111-118,120` are nine numbers."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from map(str, range(int(first), int(last or first) + 1))
