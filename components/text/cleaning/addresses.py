"""Web addresses: the fields of queries."""

import re

from .edits import Edit

# A field of a query, `?name=anna+berg`, and the signs between its words.
FIELD = re.compile(r"[?&]([\w.-]+)=([^\s?&#\"'<>]*)")
PARTS = re.compile(r"[+_]")


def find_fields(text: str) -> list[Edit]:
    """Find what parts the fields of queries, and the words in them."""
    edits: list[Edit] = []
    for match in FIELD.finditer(text):
        start, end = match.span(1)
        edits += (Edit(start - 1, start, "\n"), Edit(end, end + 1, "\n"))
        if "@" not in match[2]:
            edits += (Edit(*part.span(), " ") for part in PARTS.finditer(text, *match.span(2)))
    return edits
