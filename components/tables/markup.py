"""XML that is cut: elements of one name are read, and all else stays to the byte."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO
from xml.parsers.expat import ParserCreate
from xml.sax.saxutils import escape, quoteattr

from .errors import FileError

# So few that what is read of them is gone before the garbage collector looks for it.
CHUNK = 1 << 12
# What is larger is held by no memory.
MAX_ELEMENT = 1 << 28
# How a workbook writes what XML has no sign for, and an underscore that would begin such a code.
CODE = re.compile(r"_x([0-9A-Fa-f]{4})_")
NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|_(?=x[0-9A-Fa-f]{4}_)")


class Node:
    """An element.

    prefix (str), name (str): Its name in two parts: `x:` and `row`.
    start (int), end (int): Where its bytes lie in the file.
    text (str): The text in it, without that of other elements.
    data (bytes): Its bytes, if it is no part of another element that was read.
    """

    __slots__ = ("attributes", "children", "data", "end", "name", "prefix", "start", "text")

    def __init__(self, name: str, attributes: dict[str, str], start: int) -> None:
        prefix, colon, self.name = name.rpartition(":")
        self.prefix = prefix + colon
        self.attributes = attributes
        self.start = start
        self.end = 0
        # A list only where there are any: most elements of a sheet have none.
        self.children: Sequence[Node] = ()
        self.text = ""
        self.data = b""

    def add(self, child: "Node") -> None:
        if isinstance(self.children, list):
            self.children.append(child)
        else:
            self.children = [child]

    def find(self, *path: str) -> "list[Node]":
        """The elements at a path below it."""
        nodes: list[Node] = [self]
        for name in path:
            nodes = [child for node in nodes for child in node.children if child.name == name]
        return nodes

    def write(self, inner: str = "", **attributes: str) -> bytes:
        """An element of its name with other attributes, and with this inside."""
        given = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        return f"<{self.prefix}{self.name}{given}>{inner}</{self.prefix}{self.name}>".encode()


def cut(
    file: BinaryIO, tag: str, name: str, seen: list[Node] | None = None
) -> Iterator[bytes | Node]:
    """Cut a file into elements of one name and what stands between them.

    tag (str): The name of the elements, without a prefix.
    name (str): What the file is called, for errors.
    seen (list[Node] | None): Gets all other elements, with the text that follows on their beginning.
    RAISES (FileError): If an element is larger than memory, or the file defines entities.
    RAISES (ValueError, ExpatError): If it is no XML in UTF-8.
    """
    parser = ParserCreate("utf-8")
    parser.buffer_text = True
    data, base = bytearray(), 0
    opened: list[Node] = []
    done: list[Node] = []
    outside = [] if seen is None else seen

    def begin(full_name: str, attributes: dict[str, str]) -> None:
        node = Node(full_name, attributes, parser.CurrentByteIndex)
        if opened:
            opened[-1].add(node)
        (opened if opened or node.name == tag else outside).append(node)

    def end(_: str) -> None:
        if opened:
            node = opened.pop()
            at = parser.CurrentByteIndex - base
            # Of `<c/>` the parser is at its end by now, of `</c>` at its beginning.
            is_over = not node.children and not node.text and data[at - 2 : at] == b"/>"
            node.end = base + (at if is_over else data.index(b">", at) + 1)
            if not opened:
                done.append(node)

    def take(text: str) -> None:
        (opened or outside)[-1].text += text

    def refuse(*_: object) -> None:
        raise FileError(f"{name} defines its own signs, as no workbook does: look what it is.")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = take
    parser.StartDoctypeDeclHandler = refuse
    is_last = False
    while not is_last:
        chunk = file.read(CHUNK)
        is_last = not chunk
        if b"\0" in chunk:
            raise ValueError("UTF-16: places in it are others")
        data += chunk
        parser.Parse(chunk, is_last)
        for node in done:
            start, stop = node.start - base, node.end - base
            yield bytes(data[:start])
            node.data = bytes(data[start:stop])
            del data[:stop]
            base = node.end
            yield node
        done.clear()
        if len(data) > MAX_ELEMENT:
            raise FileError(f"{name} has a row of over {MAX_ELEMENT >> 20} MiB: look what it is.")
    yield bytes(data)


def read_text(node: Node) -> str:
    """The text of a cell or of a shared string, without its fonts and its reading aids."""
    parts = (
        part
        for child in node.children
        for part in ([child] if child.name == "t" else child.find("t") if child.name == "r" else [])
    )
    return decode("".join(part.text for part in parts))


def decode(text: str) -> str:
    return CODE.sub(lambda match: chr(int(match[1], 16)), text)


def encode(text: str) -> str:
    """A text as XML of a workbook."""
    return escape(NO_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", text))
