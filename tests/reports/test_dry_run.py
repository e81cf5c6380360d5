"""Messages before and after on the terminal."""

import io
import re
import sys

import pytest

from components.reports.before_after import Change
from components.reports.dry_run import COLOURS, WARNING, show_changes
from components.shared.labels import LABELS
from tests.reports.making import make_change, make_message

ESCAPES = re.compile("\x1b\\[[0-9;]*m")
CHANGES = [
    make_change(make_message()),
    Change("två\nrader\x1b[2J", "två\nrader\x1b[2J", [], "b"),
]
PLAIN = f"""{WARNING}

1
before  Hej jag heter Anna Lind , 34 år , från Lund , vårdcentralen
after   Hej jag heter Eva Berg , 36 år , från Ystad , vårdcentralen
        PERSON        'Anna Lind' → 'Eva Berg'
        AGE           '34 år' → '36 år'
        LOCATION      'Lund' → 'Ystad'
        ORGANISATION  'vårdcentralen' → 'vårdcentralen'  (kept)

2 (b)
before  två
        rader␛[2J
after   två
        rader␛[2J
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def show(monkeypatch):
    """Shows the messages on some standard output."""
    monkeypatch.delenv("NO_COLOR", raising=False)

    def show_on(file):
        monkeypatch.setattr(sys, "stdout", file)
        show_changes(CHANGES)
        return file.getvalue()

    return show_on


def test_plain_where_no_terminal_is(show):
    assert show(io.StringIO()) == PLAIN


def test_colours_on_a_terminal(show):
    shown = show(Terminal())
    assert ESCAPES.sub("", shown) == PLAIN
    # Before, after, and in the list.
    for label in ("PERSON", "AGE", "LOCATION", "ORGANISATION"):
        assert shown.count(f"\x1b[38;5;{COLOURS[LABELS.index(label)]}m") == 3
    assert re.search(r"\x1b\[38;5;\d+m\x1b\[1mAnna Lind\x1b\[0m", shown)


def test_no_colours_where_they_are_not_wanted(show, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert show(Terminal()) == PLAIN
