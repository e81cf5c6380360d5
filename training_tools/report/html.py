"""Tables, plots and messages of the report. The frame of its pages is that of the run report."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from components.reports.pages import make_page as make_frame

STYLE = """
tbody th, .text { white-space: normal; }
td { white-space: nowrap; }
figure { margin: 1rem 0; }
figure svg { height: auto; max-width: 100%; min-width: 30rem; }
figure svg text { fill: currentColor !important; }
.warning { border-left: .3rem solid #c33; padding: .2rem 1rem; }
.message { border: 1px solid var(--line); border-radius: .4rem; margin: 1rem 0; padding: .6rem 1rem; }
.message ul { margin: .4rem 0 0; padding-left: 1.2rem; }
mark { border-radius: .3rem; color: #111; padding: .15rem .35rem; }
mark small { font-weight: 600; margin-left: .4rem; }
.entities { line-height: 2; white-space: pre-wrap; overflow-wrap: anywhere; }
"""
# A cell that is no figure begins with a letter.
WORDS = re.compile(r"[^\W\d_]")
TEXT = ' class="text"'
IDS = re.compile(r"""(?<=\bid=["'])|(?<=url\(#)|(?<=href=["']\#)""")


def make_page(title: str, parts: Iterable[str], style: str = "") -> str:
    """Write a page that loads nothing."""
    return make_frame(title, parts, STYLE + style)


def make_table(head: Sequence[str], rows: Iterable[Sequence[str | int]], caption: str = "") -> str:
    """Write a table."""
    rows = [*rows]
    lines = [f"<caption>{escape(caption)}</caption>"] if caption else []
    names = "".join(
        f'<th scope="col"{TEXT if place and _is_text(rows, place) else ""}>{escape(name)}</th>'
        for place, name in enumerate(head)
    )
    lines.append(f"<thead><tr>{names}</tr></thead>\n<tbody>")
    for first, *rest in rows:
        cells = "".join(_make_cell(cell) for cell in rest)
        lines.append(f'<tr><th scope="row">{escape(str(first))}</th>{cells}</tr>')
    return '<div class="wide"><table>\n' + "\n".join(lines) + "\n</tbody></table></div>"


def _is_text(rows: Sequence[Sequence[str | int]], place: int) -> bool:
    return any(WORDS.match(str(row[place])) for row in rows)


def _make_cell(cell: str | int) -> str:
    text = "" if cell == 0 else str(cell)
    kind = TEXT if WORDS.match(text) else ""
    return f"<td{kind}>{escape(text)}</td>"


def make_figure(svg: str, title: str, name: str) -> str:
    """Put a plot into a page."""
    label = f'<svg role="img" aria-label="{escape(title)}"'
    own = IDS.sub(f"{name}-", svg).replace("<svg", label, 1)
    caption = f"<figcaption>{escape(title)}</figcaption>"
    return f'<figure>{caption}<div class="wide">{own}</div></figure>'
