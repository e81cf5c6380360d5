"""Files of words, which a contributor may edit."""

from pathlib import Path


def read_words(module: str, name: str) -> dict[str, list[str]]:
    """Read a file of words: lines with a name, a colon and words, which may go on in indented lines.
    A line with `#` in front is a remark.

    RETURNS (dict[str, list[str]]): The words by name, in their order.
    """
    words: dict[str, list[str]] = {}
    own: list[str] = []
    for line in Path(module).with_name(name).read_text(encoding="utf8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line[0].isspace():
            key, _, line = line.partition(":")
            own = words[key] = []
        own += line.split()
    return words
