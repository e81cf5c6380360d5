"""The frame of a page: style, tables and plots. A page is one file and loads nothing."""

import re
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #8886; --mark: #8882; --accent: #2f6fad; }
@media (prefers-color-scheme: dark) { :root { --accent: #8ab8e6; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1, h2, h3, h4 { line-height: 1.2; }
a { color: var(--accent); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
caption { font-weight: 600; padding: .25rem 0; text-align: left; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: right; }
thead th { background: var(--mark); }
tbody th { font-weight: 400; }
td { white-space: nowrap; }
tbody th, th:first-child, .text { text-align: left; white-space: normal; }
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
    """Write a page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


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
    own = IDS.sub(f"{name}-", svg).replace("<svg", '<svg role="img"', 1)
    own = own.replace('<svg role="img"', f'<svg role="img" aria-label="{escape(title)}"', 1)
    caption = f"<figcaption>{escape(title)}</figcaption>"
    return f'<figure>{caption}<div class="wide">{own}</div></figure>'
