"""Files of words, which a contributor may edit."""

from pathlib import Path


def read_words(module: str, name: str) -> dict[str, list[str]]:
    """Read a file of words: lines with a name, a colon and words, which may go on in indented lines.
    A line with `#` in front is a remark.

    RETURNS (dict[str, list[str]]): The words by name, in their order.
    RAISES (ValueError): If a name stands twice, or a line has none.
    """
    words: dict[str, list[str]] = {}
    own: list[str] = []
    for line in Path(module).with_name(name).read_text(encoding="utf8").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            key, colon, line = line.partition(":")
            if not colon or key in words:
                raise ValueError(f"{name}: {key!r} has no colon behind it, or stands twice.")
            own = words[key] = []
        own += line.split()
    return words
