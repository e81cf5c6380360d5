"""Web and e-mail addresses: escapes (`%40`), and the fields of queries."""

import re

from .edits import Edit

ESCAPED = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
WORD = re.compile(r"\S+")
# A word with escapes is an address if it has one of these: `5%20` is none.
ADDRESS = re.compile(r"[/:=?@]|[^\W\d]%|%40")
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


def find_escapes(text: str) -> list[Edit]:
    """Find what is escaped in addresses: `mailto:anna%40example.se`."""
    if "%" not in text:
        return []
    edits: list[Edit] = []
    for word in WORD.finditer(text):
        if "%" in word[0] and ADDRESS.search(word[0]):
            for run in ESCAPED.finditer(text, *word.span()):
                edits += _unescape(run)
    return edits


def _unescape(run: re.Match) -> list[Edit]:
    edits = []
    raw = bytes.fromhex(run[0].replace("%", ""))
    at = 0
    while at < len(raw):
        first = raw[at]
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        try:
            char = raw[at : at + length].decode("utf8")
        except UnicodeDecodeError:
            at += 1
            continue
        start = run.start() + 3 * at
        edits.append(Edit(start, start + 3 * length, char))
        at += length
    return edits
