"""Lets the API reference read docstrings in spaCy's style: it writes them in Google's, which griffe knows.

doc (Doc): The Doc to process.
RETURNS (Doc): The processed Doc.
"""

import re
from typing import Any

from griffe import Extension, Object

ENTRY = re.compile(r"(\*{0,2}[A-Za-z_]\w*) \((.+?)\): (.*)")
# Underscores would be read as emphasis.
ATTRIBUTE = re.compile(r"(?<![`\w])\w+\._\.\w+")
SECTIONS = {"RETURNS": "Returns:", "YIELDS": "Yields:", "RAISES": "Raises:"}


def convert(text: str) -> str:
    """Convert a docstring.

    text (str): A docstring in spaCy's style.
    RETURNS (str): The docstring in Google's style.
    """
    lines = []
    section = ""
    for line in ATTRIBUTE.sub(r"`\g<0>`", text).splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            name, kind, meaning = entry.groups()
            title = SECTIONS.get(name, "Args:")
            if title != section:
                lines += ["", title]
                section = title
            head = f"{name} ({kind})" if title == "Args:" else kind
            lines.append(f"    {head}: {meaning}")
        elif section and line.startswith("    "):
            lines.append(f"    {line}")
        else:
            section = ""
            lines.append(line)
    return "\n".join(lines)


class SpacyDocstrings(Extension):
    """Converts the docstrings of all objects."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Convert a docstring where there is one.

        obj (Object): A module, class, function or attribute.
        """
        if obj.docstring:
            obj.docstring.value = convert(obj.docstring.value)
