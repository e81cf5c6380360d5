"""Entities of HTML (`&ouml;`, `&#246;`, `&#xF6;`), and the same of addresses (`%40`)."""

import re
from html import unescape
from html.entities import html5

from .edits import Edit

# Letters, digits and signs of text. Those of mathematics are left as they stand: nobody has them in
# a name, and `&Xi;` may be one.
NAMED = {
    name[:-1]: char
    for name, char in html5.items()
    if name.endswith(";") and len(char) == 1 and (char < "\u0250" or "\u2000" <= char < "\u20d0")
}
# What may lack its semicolon: letters whose names are no words, and the blank. HTML 5 allows more,
# such as `&eth`, which would take the name out of `Anna&ethel`.
ENDINGS = "uml|ring|acute|grave|circ|tilde|cedil|slash"
# A number of more digits without a semicolon may be a date or a phone number.
ENTITY = re.compile(
    r"&(?:#(?:x(?P<hex>[0-9a-f]{1,6});|0{0,4}(?P<number>[1-9]\d{0,5});|[1-9]\d{1,2}(?!\d))"
    rf"|(?P<name>[a-z][a-z0-9]{{1,30}});|(?P<open>[a-z](?:{ENDINGS})|nbsp))",
    re.IGNORECASE,
)
# The last characters that are no ideographs. Beyond them a number is rather a date: `&#160203;`.
LAST = 0x1FFFF
ESCAPED = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
# A word with escapes that may be an address: `5%20` alone is none.
WORD = re.compile(r"\S*%\S*")
ADDRESS = re.compile(r"[/:=?@]|[^\W\d]%|%40")


def find_entities(text: str) -> list[Edit]:
    """Find the entities of a text.

    text (str): Any text.
    RETURNS (List[Edit]): The entities, and what they stand for.
    """
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


def find_escapes(text: str) -> list[Edit]:
    """Find what is escaped in addresses: `mailto:anna%40example.se`.

    text (str): Any text.
    RETURNS (List[Edit]): The escapes, and what they stand for. What is no UTF-8 stays.
    """
    if "%" not in text:
        return []
    edits: list[Edit] = []
    for word in WORD.finditer(text):
        if ADDRESS.search(word[0]):
            for run in ESCAPED.finditer(text, *word.span()):
                edits += _unescape(run)
    return edits


def _unescape(run: re.Match) -> list[Edit]:
    edits = []
    raw = bytes.fromhex(run[0].replace("%", ""))
    at = 0
    while at < len(raw):
        length = get_length(raw[at])
        try:
            char = raw[at : at + length].decode("utf8")
        except UnicodeDecodeError:
            at += 1
            continue
        start = run.start() + 3 * at
        edits.append(Edit(start, start + 3 * length, char))
        at += length
    return edits


def get_length(first: int) -> int:
    """first (int): The first byte of a character in UTF-8.
    RETURNS (int): How many bytes it has.
    """
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
