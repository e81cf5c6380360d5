"""The frame of a page: style and tables. A page is one file and loads nothing."""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #8886; --mark: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.warning { border-left: .3rem solid #c33; padding: .2rem 1rem; }
.message { border: 1px solid var(--line); border-radius: .4rem; margin: 1rem 0; padding: .6rem 1rem; }
.message ul { margin: .4rem 0 0; padding-left: 1.2rem; }
.entities { white-space: pre-wrap; overflow-wrap: anywhere; }
"""


def make_page(title: str, parts: Iterable[str]) -> str:
    """Write a page.

    title (str): Its title.
    parts (Iterable[str]): What is on it, HTML.
    RETURNS (str): The whole page.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def make_table(head: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """Write a table.

    head (Sequence[str]): The names of the columns.
    rows (Iterable[Sequence[str | int]]): The cells, row by row; the first names the row. A zero is
        left blank.
    RETURNS (str): HTML.
    """
    lines = ["<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>"]
    for row in rows:
        cells = ("" if cell == 0 else escape(str(cell)) for cell in row)
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return '<div class="wide"><table>\n' + "\n".join(lines) + "\n</table></div>"
