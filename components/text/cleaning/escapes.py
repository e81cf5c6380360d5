"""Characters that are written as escapes: `\\u00f6` and `\\n`, `%C3%B6`, `=C3=B6`; and the fields of queries in
web addresses."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from .edits import Edit

# In a string of JSON.
JSON_ESCAPE = re.compile(r'\\(?:u[dD][89abAB].{2}\\u[dD][c-fC-F].{2}|u.{4}|["\\/bfnrt])', re.DOTALL)
# Elsewhere. A string within a string has several backslashes, which are looked at once.
UNITS = re.compile(
    r"((?<!\\)\\+|%)u(?:[dD][89abAB][0-9a-fA-F]{2}\1u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})"
)
SIGN = re.compile(r"""(?<!\\)\\+([nrt"'/])""")
SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
# Nothing in `C:\nils\text.doc` and `\\server\nils` is an escape. Nobody is called so: `A:\nHej`.
PATH = re.compile(r"(?<!\S)[\"'(]?(?:[A-Za-z]:\\+(?![nrt][A-ZÅÄÖ])|\\\\[\w.-]+\\(?!\\))\S*")
HEX = "([0-9a-fA-F]{2})"
BYTE = re.compile(rf"(?<!\\)\\+x{HEX}")
PERCENT = re.compile(rf"%{HEX}")
QUOTED = re.compile(rf"={HEX}")
WORD = re.compile(r"\S+")
# A word with escapes is an address, or a word of one, if it has one of these: `5%20` has none.
ADDRESS = re.compile(r"[/:=?@]|[^\W\d]%|%40|%[c-fC-F][0-9a-fA-F]%[89abAB]")
# A text is quoted-printable if it has a character of UTF-8, or a letter of Latin-1 beside others.
SURELY_QUOTED = re.compile(
    r"=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])=[89AB][0-9A-F]"
    r"|(?:(?<=[a-z])|(?<!\S))=(?:C4|C5|D6|E4|E5|E9|F6)[g-z]"
)
SOFT_BREAK = re.compile(r"=[ \t]*\r?\n")
# A byte that is not UTF-8 may be one of these.
LATIN_1 = frozenset("ÅÄÖåäöÉéÈèÜüØøÆæ")

# A field of a query, `?name=anna+berg`, and the signs between its words.
FIELD = re.compile(r"[?&]([\w.-]+)=([^\s?&#\"'<>]*)")
FIELD_PARTS = re.compile(r"[+_]")


def find_json_escapes(text: str, start: int, end: int) -> Iterator[Edit]:
    """Find the escapes in a string of JSON. Half a surrogate pair is no character, and stays."""
    for match in JSON_ESCAPE.finditer(text, start, end):
        char = json.loads(f'"{match[0]}"')
        if not "\ud800" <= char <= "\udfff":
            yield Edit(*match.span(), char)


def find_backslashes(text: str) -> list[Edit]:
    """Find the escapes of a text that is no JSON, but has strings of JSON or of a program."""
    edits: list[Edit] = []
    position = 0
    for path in (*PATH.finditer(text), None):
        start, end = path.span() if path else (len(text), 0)
        edits += _find_backslashes(text, position, start)
        position = end
    return edits


def _find_backslashes(text: str, start: int, end: int) -> list[Edit]:
    edits = _find_bytes(BYTE, text, start, end)
    for sign in SIGN.finditer(text, start, end):
        edits.append(Edit(*sign.span(), SIGNS.get(sign[1], sign[1])))
    for units in UNITS.finditer(text, start, end):
        code = re.sub(r"[\\%]+u", "", units[0])
        char = bytes.fromhex(code).decode("utf-16-be", "ignore")
        if char:
            edits.append(Edit(*units.span(), char))
    return sorted(edits)


def find_quoted(text: str) -> list[Edit]:
    """Find the escapes of quoted-printable, in which mail is sent: `Bj=C3=B6rn`."""
    if not SURELY_QUOTED.search(text):
        return []
    breaks = (Edit(*match.span(), "") for match in SOFT_BREAK.finditer(text))
    return sorted([*_find_bytes(QUOTED, text, 0, len(text)), *breaks])


def find_percents(text: str) -> list[Edit]:
    """Find the escapes of addresses: `mailto:anna%40example.se`."""
    if "%" not in text:
        return []
    edits: list[Edit] = []
    for word in WORD.finditer(text):
        if "%" in word[0] and ADDRESS.search(word[0]):
            edits += _find_bytes(PERCENT, text, *word.span())
    return edits


def find_fields(text: str) -> list[Edit]:
    """Find what parts the fields of queries, and the words in them."""
    edits: list[Edit] = []
    for match in FIELD.finditer(text):
        start, end = match.span(1)
        edits += (Edit(start - 1, start, "\n"), Edit(end, end + 1, "\n"))
        if "@" not in match[2]:
            edits += (
                Edit(*part.span(), " ") for part in FIELD_PARTS.finditer(text, *match.span(2))
            )
    return edits


def _find_bytes(byte: re.Pattern, text: str, start: int, end: int) -> list[Edit]:
    """Find the characters that are written byte by byte."""
    edits = []
    units = [(*unit.span(), int(unit[1], 16)) for unit in byte.finditer(text, start, end)]
    at = 0
    while at < len(units):
        first = units[at][2]
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        char = _decode(units[at : at + length])
        if not char:
            length = 1
            char = chr(first) if chr(first) in LATIN_1 else ""
        if char:
            edits.append(Edit(units[at][0], units[at + length - 1][1], char))
        at += length
    return edits


def _decode(units: list[tuple[int, int, int]]) -> str:
    if any(before[1] != after[0] for before, after in pairwise(units)):
        return ""
    try:
        return bytes(code for _, _, code in units).decode("utf8")
    except UnicodeDecodeError:
        return ""
