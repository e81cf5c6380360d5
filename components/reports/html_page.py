"""The frame of a page: style, tables, bars. A page is one file and loads nothing."""

from collections.abc import Iterable, Sequence
from html import escape

# Light and dark as the reader's system is; colours of text and ground with a contrast over 4.5.
STYLE = """
:root { color-scheme: light dark; --line: #8886; --head: #8881; --bar: #2f6fad; --soft: #595959; }
@media (prefers-color-scheme: dark) { :root { --bar: #8ab8e6; --soft: #b0b0b0; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 66rem; padding: 1rem; }
h1, h2 { line-height: 1.2; }
h2 { border-top: 2px solid var(--line); margin-top: 2.5rem; padding-top: 1rem; }
p, li { max-width: 46rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.warnings { border-left: .4rem solid #c33; padding: .1rem 1rem; }
.fine { border-left: .4rem solid #3f9b57; padding: .1rem 1rem; }
.cards { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
  list-style: none; padding: 0; }
.cards li { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; }
.cards b { display: block; font-size: 1.7rem; line-height: 1.2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
caption { font-weight: 600; padding: .25rem 0; text-align: left; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: right; }
thead th { background: var(--head); }
tbody th { font-weight: 400; overflow-wrap: break-word; }
th:first-child, .text { text-align: left; }
.bar { min-width: 6rem; padding: .25rem 0; width: 14rem; }
.bar svg { display: block; height: 1rem; width: 100%; }
.bar rect { fill: var(--bar); }
@media (max-width: 40rem) { .bar { min-width: 4rem; width: 5rem; } }
@media print {
  body { font-size: 12px; max-width: none; }
  .wide { overflow: visible; }
  th, td { padding: .1rem .3rem; }
  .cards li, section, tr { break-inside: avoid; }
}
"""
# Whatever got into a page: it runs nothing and loads nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
TEXT = ' class="text"'
ZERO = ' class="soft"'
# The bar repeats a number: who hears the page does not need it.
HIDDEN = ' class="bar" aria-hidden="true"'
EMPTY = f"<td{HIDDEN}></td>"


def make_page(title: str, parts: Iterable[str], style: str = "") -> str:
    """Write a page.

    title (str): Its title.
    parts (Iterable[str]): What is on it, HTML.
    style (str): More style than that of all pages.
    RETURNS (str): The whole page.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def make_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str | int]],
    bars: bool = False,
) -> str:
    """Write a table.

    caption (str): What it shows.
    head (Sequence[str]): The names of the columns.
    rows (Sequence[Sequence[str | int]]): The cells, row by row; the first names the row.
    bars (bool): Whether to draw the second cell of each row, a count, as a bar beside it.
    RETURNS (str): HTML.
    """
    names = [_make_name(name, [row[place] for row in rows]) for place, name in enumerate(head)]
    lines = [
        [f'<th scope="row">{escape(str(first))}</th>', *map(_make_cell, rest)]
        for first, *rest in rows
    ]
    if bars:
        counts = [int(row[1]) for row in rows]
        names.insert(2, EMPTY)
        for line, count in zip(lines, counts):
            line.insert(2, _make_bar(count, max(counts)))
    body = "\n".join(f"<tr>{''.join(line)}</tr>" for line in lines)
    # Who has no mouse scrolls what is too wide with the keys.
    return (
        f'<div class="wide" tabindex="0"><table>\n<caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{''.join(names)}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _make_name(name: str, cells: Sequence[str | int]) -> str:
    is_text = any(isinstance(cell, str) for cell in cells)
    return f'<th scope="col"{TEXT if is_text else ""}>{escape(name)}</th>'


def _make_cell(cell: str | int) -> str:
    if isinstance(cell, int):
        return f"<td{'' if cell else ZERO}>{cell:,}</td>"
    return f"<td{TEXT}>{escape(cell)}</td>"


def _make_bar(count: int, most: int) -> str:
    width = 100 * count / most if most else 0
    return (
        f'<td{HIDDEN}><svg viewBox="0 0 100 10" preserveAspectRatio="none">'
        f'<rect width="{width:.2f}" height="10"/></svg></td>'
    )
