import pytest

from components.surrogates.people.spellings import get_sound, get_words, spell
from tests.cases import cases


@cases
def test_names_that_sound_alike(one, other, alike):
    assert (get_sound(one) == get_sound(other)) == alike


NAMES = {"anna", "ek", "jan", "lind"}


@cases
def test_words_that_are_spelled_out(text, before, words):
    named = {word.casefold() for word in text.replace(",", "").split() if len(word) > 1}
    found = get_words(text, before, lambda: named, NAMES.__contains__)
    assert [word.text for word in found] == words
    assert all(text[w.start : w.end] == (spell(w.text, w.gap) if w.gap else w.text) for w in found)


@pytest.mark.parametrize("key", [*"abcdef"])
@cases
def test_what_is_spelled_out_is_spelled_out_again(replace, key, whole, spelled, gap):
    name, letters, both = replace(f"[{whole}] [{spelled}] [{whole}, {spelled}] {key}", "PERSON")
    surname = name.split()[-1]
    assert letters.replace(gap, "").casefold() == surname.casefold()
    assert letters == gap.join(letters.replace(gap, ""))
    assert both == f"{name}, {letters}"


def test_spelled_name_that_nothing_else_tells(replace):
    (new,) = replace("det stavas [B-X-Q-V]", "PERSON")
    assert new.replace("-", "").isupper() and "-" in new and "B-X" not in new
