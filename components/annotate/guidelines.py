"""The guidelines, as a page of their own beside the messages."""

import re
from functools import cache
from pathlib import Path

# It comes with typer, by rich.
from markdown_it import MarkdownIt

from ..serve.languages import FILES
from ..shared.labels import LABELS

# The project's page; `package_pipeline` puts it into the package.
HERE = Path(__file__).resolve()
FOLDERS = (HERE.parents[1] / "serve/templates/annotate", HERE.parents[2] / "docs")
PAGES = {"en": "labels.md", "sv": "labels.sv.md"}
MARKED = re.compile(r"\[\[([A-Z]+)\|([^\]]+)\]\]")
LINK = re.compile(r"(?<!\[)\[([^\[\]]+)\]\([^)]+\)")
CLASS = re.compile(rf"(?<!\[\[)\b({'|'.join(LABELS)})\b")


@cache
def render_guidelines(language: str) -> str:
    """RETURNS (str): The guidelines as HTML in a language of the pages, examples marked."""
    paths = (folder / PAGES[language] for folder in FOLDERS)
    path = next(path for path in paths if path.exists())
    names = FILES[language]["labels"]
    # No HTML of the page's own, and no address that leads away.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image"])
    html = markdown.render(LINK.sub(r"\1", path.read_text(encoding="utf8")))
    html = CLASS.sub(lambda match: names[match[1]], html)
    return MARKED.sub(r'<mark class="\1">\2</mark>', html)
