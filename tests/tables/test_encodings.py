"""How a table is written: found out, or refused, and never guessed wrong."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.tables.encodings import GUESSED, find_encoding
from components.tables.errors import FileError
from components.tables.formats import Format, make_source
from components.tables.source import ReadOptions
from tests.cases import read_cases

SWEDISH = read_cases(__file__)["swedish"]
FOREIGN = read_cases(__file__)["foreign"]


def find(text, encoding):
    return find_encoding(text.encode(encoding, "ignore").splitlines(True), "in.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "mac-roman", "cp850"])
@pytest.mark.parametrize("text", SWEDISH)
def test_swedish_tells(text, encoding):
    """A line is enough."""
    found = find(text, encoding)
    assert found == ("utf-8" if encoding.startswith("utf-8") else encoding)


@pytest.mark.parametrize("text", FOREIGN)
@pytest.mark.parametrize("encoding", ["cp1252", "cp1250", "mac-roman", "cp850", "cp437", "latin-1"])
def test_what_does_not_tell_is_refused(text, encoding):
    data = text.encode(encoding, "ignore")
    if data.isascii():
        return
    with pytest.raises(FileError, match="--encoding cp1252, latin-1") as error:
        find_encoding([data], "in.csv")
    assert text not in str(error.value)


@given(
    st.lists(st.sampled_from(SWEDISH + FOREIGN), min_size=1, max_size=6), st.sampled_from(GUESSED)
)
def test_no_guess_is_wrong(lines, encoding):
    text = "\n".join(lines)
    try:
        found = find(text, encoding)
    except FileError:
        return
    data = text.encode(encoding, "ignore")
    assert data.decode(found) == data.decode(encoding)


@pytest.mark.parametrize(
    "data, found",
    [
        *read_cases(__file__)["test_lines_that_say_nothing"],
        ("Hej\n" * 1000 + "mår dåligt\n", "cp1252"),
    ],
)
def test_lines_that_say_nothing(data, found):
    data = data if isinstance(data, bytes) else data.encode("cp1252")
    assert find_encoding(data.splitlines(True), "in.csv") == found


@pytest.mark.parametrize(
    "data",
    [
        b"H\xff\n",
        "mår\n".encode("cp1252") * 2 + "mår\n".encode(),
        "mår\n".encode("cp1252") + "mår\n".encode("cp850"),
    ],
)
def test_mixtures_are_refused(data):
    with pytest.raises(FileError, match="name its encoding"):
        find_encoding(data.splitlines(True), "in.csv")


def test_letters_far_down():
    """A file is looked through to its end."""
    data = ("id;text\n" + "1;Hej\n" * 500 + "2;Hälsa Åsa\n").encode("cp1252")
    source = make_source(
        lambda: io.BytesIO(data), "in.csv", Format("csv"), ReadOptions(encoding="")
    )
    *_, last = source.scan()
    assert last.get_values()["text"] == "Hälsa Åsa"
