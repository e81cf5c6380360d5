"""What is made on first use, so that a pipeline loads fast and pays for no class that it never
meets.

Nothing is locked: two threads that are the first to ask may both make the same, equal thing, and
from then on all of them use the one that was there first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, str]


class Classes(Mapping[str, Any]):
    """The surrogates of each class, by label, each behind those that it builds upon or follows, as `make_classes` gives them.

    makers (Mapping[str, Callable[[Classes], Any]]): Make each, in this order. A maker gets all
        classes, and asks for those that it builds upon.
    modes (Mapping[str, str]): By label the `mode` of those that have one.
    """

    def __init__(
        self, makers: Mapping[str, Callable[["Classes"], Any]], modes: Mapping[str, str]
    ) -> None:
        self._makers = makers
        self._modes = modes
        self._made: dict[str, Any] = {}

    def __getitem__(self, label: str) -> Any:
        if label not in self._made:
            made = self._makers[label](self)
            if label in self._modes:
                made.mode = self._modes[label]
            self._made.setdefault(label, made)
        return self._made[label]

    def __contains__(self, label: object) -> bool:
        return label in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class Lists(Mapping[str, Sequence[Row]]):
    """Lists that are held by columns, and whose rows are made each time they are asked for."""

    def __init__(self, columns: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> Sequence[Row]:
        cells = self.columns[name]
        return [dict(zip(cells, row)) for row in zip(*cells.values())]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)
