"""The features of a token are those of the paper."""

import pytest

from lab.systems.crf import describe, get_casing, get_features


def test_of_a_word():
    assert describe("Anna8-") == {
        "word": "anna8-",
        "prefix2": "An",
        "prefix3": "Ann",
        "suffix2": "8-",
        "suffix3": "a8-",
        "length": "6",
        "letters": False,
        "number": False,
        "marks": False,
        "at": False,
        "casing": "title",
        "upper": pytest.approx(1 / 6),
        "digits": pytest.approx(1 / 6),
        "punctuation": pytest.approx(1 / 6),
    }


@pytest.mark.parametrize(
    ("word", "true"), [("Anna", "letters"), ("17", "number"), ("?!", "marks"), ("a@b", "at")]
)
def test_of_kinds(word, true):
    features = describe(word)
    assert [name for name in ("letters", "number", "marks", "at") if features[name]] == [true]


@pytest.mark.parametrize(
    ("word", "casing"),
    [("anna", "lower"), ("Anna", "title"), ("ANNA", "upper"), ("McD", "mixed"), ("17", "none")],
)
def test_casing(word, casing):
    assert get_casing(word) == casing


def test_neighbours_and_ends():
    first, second, third, fourth = get_features(["Jag", "heter", "Anna", "."])
    assert (first["first"], first["last"]) == (True, False)
    assert (fourth["first"], fourth["last"]) == (False, True)
    assert second["-1:word"] == "jag" and second["2:word"] == "."
    assert third["-2:casing"] == "title"
    assert "-1:word" not in first and "3:word" not in first and "1:prefix2" not in first
    assert first["size"] == "3"
