"""The guidelines, as a page of their own beside the messages."""

import re
from functools import cache
from html import escape
from pathlib import Path

# It comes with typer, by rich.
from markdown_it import MarkdownIt

# The project's page; `package_pipeline` puts it into the package.
HERE = Path(__file__).resolve()
PLACES = (HERE.parents[1] / "templates/annotate/labels.md", HERE.parents[3] / "docs/labels.md")
MARKED = re.compile(r"\[\[([A-Z]+)\|([^\]]+)\]\]")
MISSING = "The guidelines are in the documentation of the project: docs/labels.md."


@cache
def render_guidelines() -> str:
    """RETURNS (str): The guidelines as HTML, with examples marked by class."""
    path = next((path for path in PLACES if path.exists()), None)
    if path is None:
        return f"<p>{escape(MISSING)}</p>"
    # No HTML of the page's own, and no address that leads away.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image"])
    html = markdown.render(path.read_text(encoding="utf8"))
    return MARKED.sub(r'<mark class="\1" data-label="\1">\2</mark>', html)
