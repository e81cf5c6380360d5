"""The sample of a run marks what was replaced."""

import pytest

from .conftest import make_rows, set_run, write_jsonl
from .test_tables import write


@pytest.mark.parametrize("n_process", [1, 2])
@pytest.mark.parametrize("name", ["in.jsonl", "in.parquet"])
def test_finds_are_marked_without_spans(finish, tmp_path, name, n_process):
    """With their class and from end to end, as with --spans; and OUT gets no column for it."""
    path = write(tmp_path / name, make_rows(30))
    out = f"out{name[2:]}"
    args = [*set_run(tmp_path, "sample_size = 5"), "--n-process", n_process]
    assert finish(path, out, *args, "--sample", "a.html")[0] == 0
    plain = (tmp_path / out).read_bytes()
    assert finish(path, f"spans{name[2:]}", *args, "--sample", "b.html", "--spans")[0] == 0
    page = (tmp_path / "a.html").read_text()
    assert page == (tmp_path / "b.html").read_text()
    assert page.count("<small>PHONE</small>") == 10 and "CHANGED" not in page
    assert b"replacements" not in plain


def test_of_several_columns(finish, tmp_path):
    rows = [{"text": "Hej Anna Lind", "note": "070-174 06 05"}]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    args = ["--text-field", "text", "--text-field", "note", "--sample", "a.html"]
    assert finish(path, "out.jsonl", *args)[0] == 0
    page = (tmp_path / "a.html").read_text()
    assert page.count("<small>PHONE</small>") == 2 and page.count("<small>PERSON</small>") >= 2
