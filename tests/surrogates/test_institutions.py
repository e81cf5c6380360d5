"""Towns that are the seat of a hospital, a university or a court, with the lists of the project."""

from collections.abc import Sequence

from components.surrogates import Mention, Scope
from components.surrogates.organisations.institutions import STAND_INS, Institutions, get_sort
from components.surrogates.organisations.organisation_reader import fold_name
from components.surrogates.organisations.organisation_words import OrganisationWords
from components.text.casing import fold
from tests.cases import cases
from tests.surrogates.project_lists import CLASSES, LISTS

READER = CLASSES["ORGANISATION"].reader
PLACES = CLASSES["LOCATION"].places
ROWS = [
    {"name": name, "abbreviation": short, "place": place, "type": type_}
    for name, short, place, type_ in (
        ("Bys lasarett", "", "By", "local_hospital"), ("Bys sjukhus", "", "By", "local_hospital"),
        ("Dals lasarett", "", "Dal", "local_hospital"),
        ("Stads lasarett", "", "Stad", "local_hospital"),
        ("Länssjukhuset Stad", "LS", "Stad", "regional_hospital"),
        ("Lids sjukstuga", "", "Lid", "local_hospital"),
        ("Stads universitet", "", "Stad", "university"),
        ("Högskolan i Dal", "", "Dal", "university"), ("Dals bageri", "", "Dal", "food"),
    )
]  # fmt: skip
WORDS = OrganisationWords(LISTS["organisation_words"])
SEATS = Institutions(ROWS, WORDS)


def replace(scope: str, organisations: Sequence[str], places: Sequence[str] = ()):
    mentions = {
        "LOCATION": [Mention(text) for text in places],
        "ORGANISATION": [Mention(text) for text in organisations],
    }
    scoped = Scope(b"key", scope, True, [*organisations, *places], mentions, whole=True)
    return [CLASSES[label].surrogates(own, scoped) for label, own in mentions.items()]


@cases
def test_read(text, seats):
    towns = {"dal", "by", "stad"}
    read = SEATS.read(text, lambda word: word.lower() if word.lower() in towns else "")
    assert [(seat.town, seat.sort) for seat in read] == seats


@cases
def test_towns(sorts, towns):
    assert SEATS.get_towns(sorts) == towns


@cases
def test_names(town, like, names):
    (row,) = (row for row in ROWS if row["name"] == like)
    assert SEATS.get_names(town, row) == names


def test_no_list():
    assert Institutions([], WORDS).read("Bys lasarett", str.lower) == []


def test_seats_of_the_list_are_towns():
    rows = [row for row in LISTS["organisations"] if row["place"] and get_sort(row)]
    towns = {PLACES.resolve(fold(row["place"])) for row in rows}
    known = {town for town in towns if PLACES.is_town(town)}
    assert len(known) > 100 and {get_sort(row) for row in rows} == {*STAND_INS}


@cases
def test_goes_where_its_town_goes(scope, name, town):
    (place,), (new,) = replace(scope, [name], [town])
    row = READER.find(fold_name(new))
    assert row and fold(row["place"]) == fold(place)
    assert get_sort(row) == get_sort(CLASSES["LOCATION"].institutions.find(name))


def test_part_of_a_hospital(scope):
    _, (new,) = replace(scope, ["Onkologen Lunds lasarett"])
    head, _, rest = new.partition(" ")
    assert head == "Onkologen" and get_sort(READER.find(fold_name(rest))) == "university_hospital"


@cases
def test_stays_in_a_county_that_is_named(scope, county, name):
    (kept,), (new,) = replace(scope, [name], [county])
    row = READER.find(fold_name(new))
    within = PLACES.get_within(fold(row["place"]))
    assert kept == county and within == {"Öland": "Kalmar"}.get(county, county)


def test_another_town_where_one_is_named_in_lower_case_and_in_the_genitive(scope):
    _, (new,) = replace(scope, ["kungälvs sjukhus"])
    assert new == new.lower() and READER.find(fold_name(new))
    _, (other,) = replace(scope, ["Kungälvs sjukhus"])
    assert other.lower() == new
