"""Entities of HTML: `&ouml;`, `&#246;`, `&#xF6;`."""

import re
from html import unescape
from html.entities import html5

from .edits import Edit

# Letters, digits and signs of text. Entities of mathematics stay: no name has them, and `&Xi;` may
# be a name.
NAMED = {
    name[:-1]: char
    for name, char in html5.items()
    if name.endswith(";") and len(char) == 1 and (char < "\u0250" or "\u2000" <= char < "\u20d0")
}
# These may lack the semicolon. HTML 5 allows more, such as `&eth`, which would destroy
# `Anna&ethel`.
ENDINGS = "uml|ring|acute|grave|circ|tilde|cedil|slash"
# Of numbers, too, only those of Latin-1 may lack it: others may be a date or a phone number.
ENTITY = re.compile(
    r"&(?:#(?:x(?P<hex>[0-9a-f]{1,6});|0{0,4}(?P<number>[1-9]\d{0,5});|(?:1[6-9]|2[0-5])\d(?!\d))"
    rf"|(?P<name>[a-z][a-z0-9]{{1,30}});|(?P<open>[a-z](?:{ENDINGS})|nbsp))",
    re.IGNORECASE,
)
# The last character that is no ideograph. A higher number is rather a date: `&#160203;`.
LAST = 0x1FFFF


def find_entities(text: str) -> list[Edit]:
    """Find the entities of a text."""
    edits = []
    for match in ENTITY.finditer(text):
        new = _decode(match)
        if new is not None:
            edits.append(Edit(match.start(), match.end(), new))
    return edits


def _decode(match: re.Match) -> str | None:
    name = match["name"] or match["open"]
    if name:
        # `BJ&OUML;RN` and `&NBSP;` were written in capitals with their text.
        lower = name.lower()
        return NAMED.get(name) or NAMED.get(name[0] + lower[1:]) or NAMED.get(lower)
    if match["hex"] or match["number"]:
        code = int(match["hex"], 16) if match["hex"] else int(match["number"])
        if code > LAST:
            return None
    return unescape(match[0])
