"""What is made on first use, so that a pipeline loads fast and pays for no class that it never
meets.

Nothing is locked: two threads that are the first to ask may both make the same, equal thing, and
from then on all of them use the one that was there first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Row = Mapping[str, str]


class ClassMaker(NamedTuple):
    """How the surrogates of a class are made.

    make (Callable[..., Any]): Makes them. It gets those of the classes that they build upon.
    builds_on (tuple[str, ...]): The classes whose surrogates they choose from, too.
    follows (tuple[str, ...]): The classes that must have chosen before them, besides these.
    """

    make: Callable[..., Any]
    builds_on: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()


class Classes(Mapping[str, Any]):
    """The surrogates of each class, by label, each behind those that it builds upon or follows.

    makers (Mapping[str, ClassMaker]): How each is made.
    modes (Mapping[str, str]): By label the `mode` of those that have one.
    """

    def __init__(self, makers: Mapping[str, ClassMaker], modes: Mapping[str, str]) -> None:
        self._makers = makers
        self._modes = modes
        self._made: dict[str, Any] = {}
        self._order: dict[str, None] = {}
        for label in makers:
            self._place(label)

    def _place(self, label: str) -> None:
        maker = self._makers[label]
        for other in (*maker.builds_on, *maker.follows):
            self._place(other)
        self._order.setdefault(label)

    def __getitem__(self, label: str) -> Any:
        if label not in self._made:
            maker = self._makers[label]
            made = maker.make(*(self[other] for other in maker.builds_on))
            if label in self._modes:
                made.mode = self._modes[label]
            self._made.setdefault(label, made)
        return self._made[label]

    def __contains__(self, label: object) -> bool:
        return label in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._makers)


class Lists(Mapping[str, Sequence[Row]]):
    """Lists that are held by columns, and whose rows are made each time they are asked for."""

    def __init__(self, columns: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> Sequence[Row]:
        cells = self.columns[name]
        return [dict(zip(cells, row)) for row in zip(*cells.values())]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)
