"""Which unlisted places or organisations are one with another of the conversation."""

from collections.abc import Callable, Iterable

from ...lists.neighbours import FUZZY_MIN, Neighbours

MIN_PART = 4  # a shorter word is not taken for a part of another name


def link_names(
    names: Iterable[str], is_listed: Callable[[str], bool], with_parts: bool = False
) -> dict[str, str]:
    """Find unlisted names that are a misspelling or the genitive of another one.

    names (Iterable[str]): The names of a conversation, folded.
    is_listed (Callable[[str], bool]): Tells which are listed: they stand for themselves.
    with_parts (bool): Whether a part of a name is linked, too: `Lanta` of `Koh Lanta`.
    RETURNS (dict[str, str]): By name the other one.
    """
    # The listed first, and of two that differ in a letter the longer.
    ordered = sorted({*names}, key=lambda name: (not is_listed(name), -len(name), name))
    order = {name: i for i, name in enumerate(ordered)}
    same: dict[str, str] = {}
    near = Neighbours()
    # By word the name that has it, "" where several do.
    parts: dict[str, str] = {}
    for name in ordered:
        if not is_listed(name):
            fits = near.find(name)[:1] if len(name) >= FUZZY_MIN else []
            if with_parts and len(name) >= MIN_PART and parts.get(name):
                fits.append(parts[name])
            if fits:
                first = min(fits, key=order.__getitem__)
                same[name] = same.get(first, first)
        near.add(name)
        first = same.get(name, name)
        for part in name.split():
            parts[part] = first if parts.get(part, first) == first else ""
    return same
