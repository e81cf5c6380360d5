"""Messages to read, chosen at random, in a file of their own."""

import os
import re
import stat
from collections import Counter

from components.reports.before_after import Change
from components.reports.pages import COLOURS
from components.reports.sample import WARNING, choose_rows, write_sample
from components.shared.labels import LABELS
from tests.conftest import ROOT
from tests.pages import Page
from tests.reports.making import make_change, make_message

KEY = b"a key of the tests"


def test_each_row_is_as_likely():
    counts = Counter(n for i in range(600) for n in choose_rows(10, 3, b"%d" % i))
    # Of 600 draws of 3 from 10: 180 each, standard deviation 11.
    assert all(135 < counts[n] < 225 for n in range(10))


def test_same_rows_for_the_same_key():
    chosen = choose_rows(10**4, 3, KEY)
    assert chosen == sorted({*choose_rows(10**4, 3, KEY)}) != choose_rows(10**4, 3, b"another")
    assert choose_rows(2, 3, KEY) == [0, 1] and choose_rows(9, 0, KEY) == []


def test_file(tmp_path):
    path = tmp_path / "sample.html"
    path.write_text("old")
    path.chmod(0o644)
    old_mask = os.umask(0)
    try:
        changes = [make_change(make_message(), "question"), Change("<b>\x00", "<i>", [])]
        write_sample(path, [(1234, changes)])
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]
    reader = Page(path.read_text(encoding="utf8"))
    assert reader.words[3] == WARNING  # after title, style and heading
    assert "Row 1,234, question" in reader.words
    assert reader.words.count("PERSON") == 2
    assert reader.words.count("ORGANISATION, kept") == 2
    assert {"Anna Lind", "Eva Berg", "<b>␀", "<i>"} <= {*reader.words}


def test_file_of_nothing(tmp_path):
    write_sample(tmp_path / "sample.html", [])
    assert "No row." in (tmp_path / "sample.html").read_text()


def test_colours_are_those_of_the_pages():
    css = (ROOT / "components/serve/static/classes.css").read_text(encoding="utf8")
    for label, colour in zip(LABELS, COLOURS):
        assert f"--{label.lower()}: {colour};" in css
    # No other sheet has colours of its own.
    for path in (ROOT / "components/serve/static").rglob("*.css"):
        rules = re.findall(rf"\.(?:{'|'.join(LABELS)})\b", path.read_text(encoding="utf8"))
        assert len(rules) == (len(LABELS) if path.name == "classes.css" else 0)
