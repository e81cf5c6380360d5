"""How e-mail addresses are written: plain, spoken, with spaces, on two lines."""

import re
from typing import NamedTuple

from ...text.validators import LINE_END

# What is written or said in place of a sign.
WORDS = {
    "@": r"at|a|snabel-?\s?a|alfakrull|@",
    ".": r"dot|punkt",
    "_": r"understreck|underscore",
    "-": r"bindestreck|minus",
}
SIGN = re.compile(
    "|".join(
        rf"(?P<{name}>\s{{0,3}}[(\[{{]\s{{0,3}}(?:{words})\s{{0,3}}[)\]}}]\s{{0,3}}"
        rf"|(?<=\w)\s{{1,3}}(?:{words})\s{{1,3}}(?=\w)|\s{{0,3}}{sign}\s{{0,3}})"
        for name, words, sign in (
            ("at", WORDS["@"], "@"),
            ("dot", WORDS["."], "[.,]"),
            ("under", WORDS["_"], "_"),
            ("hyphen", WORDS["-"], "-"),
        )
    ),
    re.IGNORECASE,
)
SIGNS = {"at": "@", "dot": ".", "under": "_", "hyphen": "-"}


class EmailAddress(NamedTuple):
    """An e-mail address, how its signs are written in front of the @ and behind it, and the end of
    the line within it, in front of the @ or behind it."""

    text: str
    signs: dict[tuple[str, bool], str]
    line_end: str
    at_end: bool


def read_address(text: str) -> EmailAddress:
    """Read an e-mail address."""
    line_end = LINE_END.search(text)
    if line_end is not None:
        at_end = "@" not in text[: line_end.start()]
        text = text[: line_end.start()] + text[line_end.end() :]
    signs: dict[tuple[str, bool], str] = {}
    out, position = "", 0
    for match in SIGN.finditer(text):
        sign = SIGNS[str(match.lastgroup)]
        signs.setdefault((sign, "@" in out), match[0])
        out += text[position : match.start()] + sign
        position = match.end()
    out += text[position:]
    if line_end is None:
        return EmailAddress(out, signs, "", False)
    return EmailAddress(out, signs, line_end[0], at_end)


def write_address(address: EmailAddress, new: str) -> str:
    """Write another address in the same form."""
    local, _, domain = new.partition("@")
    at = address.signs.get(("@", False), "@")
    if address.line_end:
        at = f"{address.line_end}{at}" if address.at_end else f"{at}{address.line_end}"
    written = []
    for part, behind in ((local, False), (domain, True)):
        written.append("".join(address.signs.get((char, behind), char) for char in part))
    return at.join(written)
