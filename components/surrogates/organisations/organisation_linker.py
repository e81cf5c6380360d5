"""Which names of organisations are forms of one another."""

from collections.abc import Iterable

from ...lists.neighbours import FUZZY_MIN, Neighbours
from .organisation_reader import OrganisationReader, fold_name


def link(texts: Iterable[str], reader: OrganisationReader) -> dict[str, tuple[str, str]]:
    """Find unlisted names that are the genitive or a misspelling of another one: of each the other one and
    the ending."""
    # A name in lower case may look like an ordinary word.
    ordered = sorted(texts, key=lambda text: (text.isupper() or text.islower(), text))
    folded = {text: fold_name(text) for text in ordered}
    spelled: dict[str, list[str]] = {}
    for text, name in folded.items():
        spelled.setdefault(name, []).append(text)
    order = {text: i for i, text in enumerate(ordered)}
    neighbours = Neighbours(spelled)
    same: dict[str, tuple[str, str]] = {}
    for text, name in folded.items():
        if reader.stays(name) or reader.find(name) or reader.find(name.removesuffix("s")):
            continue
        first = spelled[name][0]
        if first != text:
            same[text] = (first, "")
            continue
        if name.endswith("s") and name[:-1] in spelled:
            same[text] = (spelled[name[:-1]][0], text[-1])
            continue
        near = (
            other
            for other_name in (neighbours.find(name) if len(name) >= FUZZY_MIN else ())
            if other_name != name
            and (reader.find(other_name) or other_name < name)
            and not reader.stays(other_name)
            for other in spelled[other_name]
            if other not in same
        )
        found = min(near, key=order.__getitem__, default=None)
        if found:
            same[text] = (found, "")
    return same
