"""Contrast sets, and what is right of them."""

import pytest

from components.measures.gold import check_message
from lab.measures.contrast import PLAIN, is_right, name_sides, read_groups
from lab.scripts.contrast import count, write_tables

SET = """# Of the tests.

# verb
[[PERSON|Liv]] ringde igår
mitt liv är bra

# drug
tar en [[PERSON|Sten]]s
en sten
12 av [[DATE|3 maj]] och [[PERSON|Bo]]
"""


def write(tmp_path, text):
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf8")
    return path


def test_groups(tmp_path):
    pair, triple = read_groups(write(tmp_path, SET.replace("]]s", "s]]")))
    assert (pair.kind, triple.kind) == ("verb", "drug")
    assert name_sides([pair]) == ["PERSON", PLAIN]
    assert name_sides([triple, pair, pair]) == ["PERSON", PLAIN, "DATE, PERSON"]
    assert [row["text"] for row in pair.rows] == ["Liv ringde igår", "mitt liv är bra"]
    texts = [row["text"][s["start"] : s["end"]] for row in triple.rows for s in row["spans"]]
    assert texts == ["Stens", "3 maj", "Bo"]
    assert all(check_message(row) for group in (pair, triple) for row in group.rows)


def test_what_all_sides_have_is_no_contrast(tmp_path):
    text = "[[PERSON|Bo]] tog [[DATE|3/5]]\n[[PERSON|Bo]] tog 3/5\n"
    (group,) = read_groups(write(tmp_path, text))
    assert name_sides([group]) == ["DATE", PLAIN] and group.kind == ""


def test_a_sentence_may_mislead(tmp_path):
    text = "har sonen Perthes\nhar sonen [[PERSON|Perthes]] som läkare\n"
    assert name_sides(read_groups(write(tmp_path, text))) == [PLAIN, "PERSON"]


@pytest.mark.parametrize("text", ["# Of the file.\na\nb\n\nc\nd", "\n\n# Of the file.\n\na\nb\n"])
def test_a_comment_of_the_file_is_no_kind(tmp_path, text):
    assert {group.kind for group in read_groups(write(tmp_path, text))} == {""}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a\nb\n\nEva\n", "line 4: .* 1 sides"),
        ("a\nb\nc\nd\n", "line 4: .* 4 sides"),
        ("a\nb\n\nc\n[[PERSON|Eva\n", ":5: the bracket"),
        (SET, ":8: a letter right after"),
        ("# nothing\n", "no group"),
    ],
)
def test_errors_name_file_and_line_and_no_text(tmp_path, text, error):
    with pytest.raises(ValueError, match=rf"set\.txt.*{error}|(?s:.*){error}") as caught:
        read_groups(write(tmp_path, text))
    assert "Eva" not in str(caught.value) and "set.txt" in str(caught.value)


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ([(5, 13, "PERSON")], True),
        ([(5, 8, "PERSON"), (9, 13, "PERSON")], True),
        ([(5, 14, "PERSON")], True),
        ([(5, 12, "PERSON")], False),
        ([(5, 13, "LOCATION")], False),
        ([(0, 13, "PERSON")], False),
        ([(5, 13, "PERSON"), (14, 17, "DATE")], False),
        ([], False),
    ],
)
def test_right(found, right):
    row = {"text": "Ring Liv Berg, mar", "spans": [{"start": 5, "end": 13, "label": "PERSON"}]}
    assert is_right(row, found) == right


def test_a_rule_that_wins_one_side_at_the_cost_of_the_other_gains_nothing(tmp_path):
    text = "# verb\n[[PERSON|Liv]] ringde\nmitt liv\n\n[[PERSON|Bo]] ringde\natt bo\n"
    groups = read_groups(write(tmp_path, f"# Of the file.\n\n{text}"))
    nothing = count(groups, [[], [], [], []])
    greedy = count(groups, [[(0, 3, "PERSON")], [(5, 8, "PERSON")], [(0, 2, "PERSON")], []])
    assert nothing["ALL"] == {"groups": [0, 2], "sides": [[0, 2], [2, 2]]}
    assert greedy["ALL"] == {"groups": [1, 2], "sides": [[2, 2], [1, 2]]}
    assert greedy["verb"] == {"groups": [0, 1], "sides": [[1, 1], [0, 1]]}
    counts = {"as written": {"merged": greedy}, "lower case": {"merged": nothing}}
    table = write_tables("names", {"sides": name_sides(groups), "counts": counts})
    assert "| as written | merged | 1.000 | .500 | .500 (.013-.987) |" in table
    assert "| verb | 1 | 1.000 | .000 | .000 (.000-.975) | .000 (.000-.975) |" in table
