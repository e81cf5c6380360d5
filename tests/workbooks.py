"""Workbooks for tests."""

import io

import openpyxl


def save(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_book(*sheets):
    """A workbook of sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    return book
