"""A surrogate is written in the escapes of what it replaces, so that a text can be read as before."""

import json
import re

from ..folding import Folded

ESCAPED = re.compile(
    r"(?P<unit>(?:\\+|%)u)[0-9a-fA-F]{4}|(?P<byte>\\+x|%(?:25)*|=)[0-9a-fA-F]{2}"
    r"|(?P<entity>&(?:amp;)*)#?\w+;?|\\+[nrtbf\"'/\\]"
)
# Characters that mean something themselves where there are such escapes.
SYNTAX = {"%": frozenset(' %?#&+<>"'), "=": frozenset("="), "&": frozenset("&<>")}
# What stands for a blank in the query of an address.
BLANKS = ("+", "_")


def spell(new: str, folded: Folded, start: int, end: int, in_json: bool) -> str:
    """Write a surrogate as what it replaces in the cleaned text is written: with escapes where it
    needs them.
    """
    if folded.starts is None:
        return new
    written: dict[str, str] = {}
    sample: re.Match | None = None
    plain: set[str] = set()
    for i in range(start, end):
        char = folded.text[i]
        piece = folded.original[slice(*folded.to_original(i, i + 1))]
        if piece == char:
            plain.add(char)
        elif escaped := ESCAPED.match(piece):
            written.setdefault(char, piece)
            if escaped.lastgroup and (sample is None or not char.isascii()):
                sample = escaped
        elif char == " " and piece in BLANKS:
            written[" "] = piece
    special = SYNTAX.get(sample[0][0], frozenset()) - plain if sample else frozenset()
    # Letters have escapes only where none goes without.
    only_ascii = all(map(str.isascii, plain))
    to_ascii = "\\u" in folded.original

    def write(char: str) -> str:
        if char in written:
            return written[char]
        if sample and (char in special or only_ascii and not char.isascii()):
            return _escape(char, sample)
        return json.dumps(char, ensure_ascii=to_ascii)[1:-1] if in_json else char

    return "".join(map(write, new))


def _escape(char: str, sample: re.Match) -> str:
    """Write a character in escapes of the same kind."""
    kind = sample.lastgroup or ""
    intro = sample[kind]
    if kind == "entity":
        return f"{intro}#{ord(char)};"
    if kind == "unit":
        code = char.encode("utf-16-be").hex()
        return "".join(intro + code[i : i + 4] for i in range(0, len(code), 4))
    # A letter in one byte is Latin-1.
    is_latin = int(sample[0][-2:], 16) > 0x7F and len(sample.string) == len(sample[0])
    try:
        codes = char.encode("latin-1" if is_latin else "utf8")
    except UnicodeEncodeError:
        codes = char.encode("utf8")
    form = "{:02x}" if intro[0] == "\\" else "{:02X}"
    return "".join(intro + form.format(code) for code in codes)
