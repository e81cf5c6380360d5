"""What follows a town, a country or a county, with the lists of the project."""

import pytest

from components.surrogates.core.number_words import WORDS
from components.surrogates.places.place_list import get_size
from components.text.casing import fold
from tests.cases import cases
from tests.surrogates.test_geography import HEADS, LOCATIONS, head, replace, row


def test_island_abroad_follows_its_country(scope):
    island, country = replace(["Koh Lanta", "Thailand"], scope)
    assert row(island)["within"] == country and row(island)["kind"] == "worldisland"


@cases
def test_preposition_of_a_district(scope, district, prep):
    (new,) = replace([f"{prep} [{district}"], scope)
    assert row(district)["prep"] == prep == row(new)["prep"]


@pytest.mark.parametrize("town", ["Ekerö", "Mörbylånga", "Borgholm", "Visby"])
def test_size_where_there_are_few(town, scope):
    (new,) = replace([town], scope)
    assert abs(get_size(row(new)) - get_size(row(town))) <= 1


@pytest.mark.parametrize("address", ["981 92 Nattavaara", "981 31 Kiruna"])
def test_code_of_a_town_with_the_same_first_digits(address, scope):
    (new,) = replace([address], scope)
    town = fold(new.split(maxsplit=2)[2])
    assert head(new) in HEADS[town] and head(new) != head(address)


@cases
def test_lake_lies_where_the_town_does(scope, lake, town):
    new, place = replace([lake, town], scope)
    assert row(new)["kind"] == "lake" and "lake" in row(new)["sort"]
    assert row(new)["within"] == row(place)["within"]


@cases
def test_number_of_a_house_in_words(scope, text, behind):
    (new,) = replace([text], scope)
    words = new.split()
    letter = words.pop() if behind else ""
    assert WORDS[words[-1]] != WORDS[text.split()[1]] and letter in behind
    assert letter != text.split()[-1] and words[0].casefold() != text.split()[0].casefold()


@pytest.mark.parametrize("text", ["Storgatan", "Trä fjorton", "Fjorton", "Gatan ett hus"])
def test_no_number_of_a_house(text):
    assert not LOCATIONS.reader.read(text).spelled


def test_letters_of_places():
    places = LOCATIONS.places
    assert places.is_foreign("al qamishiya") and not places.is_foreign("skogstorpsby")
