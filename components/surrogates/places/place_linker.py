"""Which unlisted places are one with another place of the conversation."""

from collections.abc import Container, Sequence

from ...lists.neighbours import FUZZY_MIN, Neighbours
from .place_reader import PlaceMention

MIN_PART = 4  # a shorter word is not taken for a part of another place's name


def link_places(
    places: Sequence[PlaceMention], streets: Container[str], rows: Container[str]
) -> None:
    """Give unlisted places the name of another one in the scope of which theirs is a
    misspelling or a part: `Lanta` of `Koh Lanta`."""
    for kinds, listed in (
        (("street",), streets),
        (("place", "postal"), rows),
    ):
        own = [place for place in places if place.base and place.kind in kinds]
        # The listed first, and of two that differ in a letter the longer.
        bases = sorted(
            {p.base for p in own}, key=lambda base: (base not in listed, -len(base), base)
        )
        if all(base in listed for base in bases):
            continue
        same: dict[str, str] = {}
        near = Neighbours()
        # By word the place that has it, "" where several do.
        parts: dict[str, str] = {}
        order = {base: i for i, base in enumerate(bases)}
        for base in bases:
            if base not in listed:
                fits = near.find(base)[:1] if len(base) >= FUZZY_MIN else []
                fits += [parts[base]] if len(base) >= MIN_PART and parts.get(base) else []
                if fits:
                    first = min(fits, key=order.__getitem__)
                    same[base] = same.get(first, first)
            near.add(base)
            first = same.get(base, base)
            for part in base.split():
                parts[part] = first if parts.get(part, first) == first else ""
        for place in own:
            place.base = same.get(place.base, place.base)
