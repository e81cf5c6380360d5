"""HTML: markup is removed, every value in it stays. Entities become characters: `&ouml;`, `&#246;`."""

import re
from html import unescape
from html.entities import html5

from ...shared.words import read_words
from .edits import Edit

# What may be a tag: behind its name it ends, or goes on with an attribute. `<Anna Berg>`,
# `<anna@x.se>` and `x <y` are none. No part of it can match a `<`, so all are linear together.
OPENER = re.compile(
    r"<(?:!--|!\[CDATA\[|!DOCTYPE html>|(?P<slash>/?)(?P<name>[a-z][\w:.-]*)"
    r"(?=[\s/]*>|[\s/]+(?:[\w:.@*-]+\s*=|(?P<bare>[\w:.-]+))))"
    r"|--!?>|\]\]>",
    re.IGNORECASE,
)
# The name of a tag that only looks like one, as it has attributes: `<custom-tag title="Anna">`.
UNKNOWN = re.compile(r"<[^\W\d_][\w:.-]*(?=\s+[\w:.@*-]+\s*=\s*[\"'])")
CLOSER = re.compile(r"[\s/]*>")
ATTRIBUTE = re.compile(r"[\s/]*([^\s<>\"'=/]+)(?:(\s*=\s*)([\"']?))?")
SCHEME = re.compile(r"(?:mailto|tel|sms|callto):(?://)?", re.IGNORECASE)
UNQUOTED = re.compile(r"[^\s<>\"']*")
STRAY = re.compile(r"[\s/]*[\"'=]")
PARTS = re.compile(r"[\s:;,.()'\"!&/_-]+")
# A colour, a size or a style of Office.
LOOK = re.compile(
    r"#[0-9a-f]{3,8}|\d{1,4}(?:px|pt|em|rem|%|cm|mm|in|vh|vw)?|mso[a-z]*|wordsection\d"
)
SYMBOL = re.compile(r"[a-z][a-z0-9_-]*")
BREAK, CELL = "\n", "\t"
# The words of HTML. Everything else in a tag is text, and is read.
WORDS = {name: frozenset(words) for name, words in read_words(__file__, "html.txt").items()}
BLOCKS, CELLS, INLINES, LOOKS = (WORDS[name] for name in ("blocks", "cells", "inlines", "looks"))
TAGS = BLOCKS | CELLS | INLINES
ATTRIBUTES = LOOKS | WORDS["attributes"]

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

# A part of a tag that stays: its attribute ("" for words without one), start and end.
Kept = tuple[str, int, int]


def find_tags(text: str) -> list[Edit]:
    """Find the markup of a text."""
    return _Markup(text).find()


class _Markup:
    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[Edit] = []
        # Behind the last quote of each sort nothing has to be looked for again.
        self.last = {quote: text.rfind(quote) for quote in "\"'"}

    def find(self) -> list[Edit]:
        position = 0
        # The ends of the open comments.
        open_ends: set[str] = set()
        while opener := OPENER.search(self.text, position):
            start, position = opener.span()
            token = opener[0].lower()
            if token in ("<!--", "<![cdata["):
                open_ends.add(">" if token == "<!--" else "]")
                self._cut(start, position, BREAK)
            elif token[0] != "<":
                # An arrow, or the end of a comment.
                end = "]" if token[0] == "]" else ">"
                if end in open_ends:
                    open_ends.discard(end)
                    self._cut(start, position, BREAK)
            elif token.startswith("<!"):
                self._cut(start, position, BREAK)
            else:
                position = self._take_tag(opener)
        return self.edits

    def _take_tag(self, opener: re.Match) -> int:
        """Take out a tag, if it is one. RETURNS (int): Where to go on."""
        name = opener["name"]
        kept: list[Kept] = []
        if not _is_known(opener):
            unknown = UNKNOWN.match(self.text, opener.start())
            if unknown is None:
                return opener.end()
            name = ""
            kept.append(("", unknown.start() + 1, unknown.end()))
        start = opener.start()
        at = kept[0][2] if kept else opener.end()
        end = self._read(at, kept)
        name = name.lower()
        if name in INLINES and kept and self._is_within_word(start, end):
            kept = [stretch for stretch in kept if not self._is_symbol(stretch)]
        for _, at, until in kept:
            self._cut(start, at, BREAK)
            start = until
        mark = BREAK if kept or name in BLOCKS else CELL if name in CELLS else ""
        self._cut(start, end, mark)
        return end

    def _read(self, position: int, kept: list[Kept]) -> int:
        """Read the attributes of a tag. RETURNS (int): Where it ends."""
        text = self.text
        while True:
            if closer := CLOSER.match(text, position):
                return closer.end()
            attribute = ATTRIBUTE.match(text, position)
            if attribute is None:
                stray = STRAY.match(text, position)
                if stray is None:
                    return position
                self._keep_word(kept, stray.end() - 1, stray.end())
                position = stray.end()
                continue
            name = attribute[1].lower()
            position = attribute.end()
            if name not in ATTRIBUTES:
                self._keep_word(kept, *attribute.span(1))
            if attribute[2]:
                position = self._read_value(attribute[3], name, position, kept)

    def _read_value(self, quote: str, name: str, start: int, kept: list[Kept]) -> int:
        if quote and self.last[quote] >= start:
            end = self.text.index(quote, start)
            after = end + 1
        else:
            unquoted = UNQUOTED.match(self.text, start)
            end = after = unquoted.end() if unquoted else start
            if self.text[end - 1 : end + 1] == "/>":
                end -= 1
        if scheme := SCHEME.match(self.text, start, end):
            start = scheme.end()
        if start < end and not (name in LOOKS and _is_plain(self.text[start:end])):
            kept.append((name, start, end))
        return after

    def _keep_word(self, kept: list[Kept], start: int, end: int) -> None:
        # Words that are no attributes stay together, with the blanks between them.
        if kept and not kept[-1][0] and not self.text[kept[-1][2] : start].strip():
            start = kept.pop()[1]
        kept.append(("", start, end))

    def _is_within_word(self, start: int, end: int) -> bool:
        text = self.text
        return text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()

    def _is_symbol(self, stretch: Kept) -> bool:
        name, start, end = stretch
        return name in LOOKS and SYMBOL.fullmatch(self.text, start, end) is not None

    def _cut(self, start: int, end: int, new: str) -> None:
        if start == end:
            return
        if self.edits and self.edits[-1].end == start:
            before = self.edits.pop()
            # A line break is more than a tab, and that more than nothing.
            start = before.start
            new = BREAK if BREAK in (before.new, new) else before.new or new
        self.edits.append(Edit(start, end, new))


def _is_known(opener: re.Match) -> bool:
    name = opener["name"]
    # `<Li>` and `<Em>` may be people.
    if name.lower() not in TAGS or not (name.islower() or name.isupper()):
        return False
    return opener["bare"] is None or opener["bare"].lower() in ATTRIBUTES


def _is_plain(value: str) -> bool:
    """Whether a value is nothing but words and sizes of a style."""
    words = [word for word in PARTS.split(value.lower()) if word]
    # Several numbers alone are rather one of a person.
    return all(word in WORDS["plain"] or LOOK.fullmatch(word) for word in words) and (
        len(words) < 2 or not all(map(str.isdigit, words))
    )


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
