"""Which of many mentions stands next to another."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator


class NearestValue:
    """Values by where they stand, in groups: finds the one next to a place, of several as near the
    least.

    Places are told apart by where they start, or by their number where they start alike: of
    mentions that do not say where they start the numbers tell.

    values (Iterable[tuple[Hashable, int, int, int]]): Their group, start, number, and the values.
    """

    def __init__(self, values: Iterable[tuple[Hashable, int, int, int]]) -> None:
        # By group the places, and by group and start the least value.
        self._places: dict[Hashable, list[tuple[int, int, int]]] = defaultdict(list)
        self._least: dict[tuple[Hashable, int], int] = {}
        for group, start, number, value in values:
            self._places[group].append((start, number, value))
            self._least[group, start] = min(value, self._least.get((group, start), value))
        for places in self._places.values():
            places.sort()

    def find(self, group: Hashable, start: int, number: int) -> tuple[int, int] | None:
        """Find the value next to a place.

        RETURNS (tuple[int, int] | None): The distance and the value, None if the group has none.
        """
        return min(self._get_near(group, start, number), default=None)

    def _get_near(self, group: Hashable, start: int, number: int) -> Iterator[tuple[int, int]]:
        """Distance and value of what may be the nearest."""
        places = self._places.get(group, ())
        at = bisect_left(places, (start, number))
        first, end = bisect_left(places, (start,)), bisect_left(places, (start + 1,))
        for i in (at - 1, at):
            if first <= i < end:
                yield abs(places[i][1] - number), places[i][2]
        for i in (first - 1, end):
            if 0 <= i < len(places):
                there = places[i][0]
                yield abs(there - start), self._least[group, there]
