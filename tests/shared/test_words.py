"""Files of words."""

import pytest

from components.shared.words import read_words


def read(tmp_path, text):
    (tmp_path / "words.txt").write_text(text, encoding="utf8")
    return read_words(str(tmp_path / "code.py"), "words.txt")


def test_words_go_on_in_indented_lines(tmp_path):
    text = "# A remark\n\none: a b\n  c\n  # another\ntwo:\n"
    assert read(tmp_path, text) == {"one": ["a", "b", "c"], "two": []}


@pytest.mark.parametrize("text", ["one: a\none: b\n", "one: a\nb c\n"])
def test_a_slip_is_named(tmp_path, text):
    with pytest.raises(ValueError, match=r"words\.txt: .* colon behind it, or stands twice"):
        read(tmp_path, text)
