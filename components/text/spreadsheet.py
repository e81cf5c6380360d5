"""Cells of a spreadsheet: what one shows, and how one is written that is not calculated."""

import re
from decimal import Decimal, InvalidOperation

# A formula, or what is taken for one: a leading sign calculates unless a number follows.
FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s().,/-]*\Z)")
MARKED = re.compile(rf"'+(?:{FORMULA.pattern})")
STRING = re.compile(r'"((?:[^"]|"")*)"')
LINK = re.compile(r"(?:mailto|tel|sms):", re.IGNORECASE)
# `194805122384.0` of pandas and `1.94805122384E+11` of a spreadsheet are whole numbers.
NUMBER = re.compile(r"\d+(?:[.,]0+|(?:[.,]\d+)?[eE]\+?\d{1,2})")
# More digits than any number that stands for somebody.
LARGEST = 15


def read_shown(cell: str) -> list[str]:
    """What a spreadsheet shows of a cell such as `="0701740605"`; of a formula its strings."""
    cell = cell.strip()
    if cell.startswith("="):
        strings = [string.replace('""', '"') for string in STRING.findall(cell)]
        cells = strings or [cell.removeprefix("=")]
    else:
        cells = [cell.strip("'\"")]
    return [shown for each in cells if (shown := _read_number(LINK.sub("", each, count=1).strip()))]


def _read_number(cell: str) -> str:
    if not NUMBER.fullmatch(cell):
        return cell
    try:
        number = Decimal(cell.replace(",", "."))
    except InvalidOperation:
        return cell
    whole = number.adjusted() < LARGEST and number == int(number)
    return str(int(number)) if whole else cell


def neutralise(cell: str) -> str:
    """Put an apostrophe before a formula, so that nothing calculates it. `restore` removes it."""
    return f"'{cell}" if FORMULA.match(cell) or MARKED.match(cell) else cell


def restore(cell: str) -> str:
    """The cell that `neutralise` has written."""
    return cell[1:] if MARKED.match(cell) else cell
