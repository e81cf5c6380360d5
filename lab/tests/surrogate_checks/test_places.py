"""Places and organisations: what stays of what they are."""

import pytest

from lab.surrogate_checks.known import Known
from lab.surrogate_checks.organisations import check_kinds
from lab.surrogate_checks.places import (
    check_municipalities,
    check_place_distances,
    check_postal_codes,
    check_prepositions,
    check_sizes,
    check_traits,
    check_within,
)
from lab.tests.surrogate_checks.talks import KNOWN, LISTS, make_talk, tell


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("413 45 Borås > 222 31 Lund", (1, 0)),
        ("413 45 Borås > 903 31 Umeå", (1, 0)),
        ("413 45 Borås > 413 62 Umeå", (1, 1)),
        # Those of the county, where the list has not the town.
        ("413 45 Borås > 621 57 Visby", (1, 0)),
        ("SE-413 45 Borås > SE-413 57 Visby", (1, 1)),
        ("41345 Borås > 62157 visby", (1, 0)),
        ("413 45 Borås > 413 45 Knurvelby", (0, 0)),
        ("Borås > Lund", (0, 0)),
    ],
)
def test_postal_codes(pairs, counts):
    assert tell(check_postal_codes, pairs, "LOCATION") == counts


def test_postal_codes_without_a_list():
    known = Known({name: rows for name, rows in LISTS.items() if name != "postal"})
    good, bad = (
        check_postal_codes(make_talk(f"413 45 Borås > {new}", "LOCATION"), known)
        for new in ("224 44 Lund", "413 44 Lund")
    )
    assert good[:2] == (1, 0) and bad[:2] == (1, 1) and not known.postal and KNOWN.postal


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Lund > Umeå", (1, 0)),
        ("Lund > Eslöv", (1, 0)),
        ("Lunds > Höör", (1, 1)),
        ("Lund > Lund", (0, 0)),
        ("Majorna > Klinte", (0, 0)),
    ],
)
def test_sizes(pairs, counts):
    assert tell(check_sizes, pairs, "LOCATION") == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Göteborg > Visby; Majorna > Klinte", (1, 0)),
        ("Göteborg > Borås; Majorna > Klinte", (1, 1)),
        ("Skåne > Skåne; Lund > Höör", (1, 0)),
        ("Skåne > Skåne; Lund > Umeå", (1, 1)),
        ("Majorna > Klinte; Lund > Umeå", (0, 0)),
    ],
)
def test_within(pairs, counts):
    assert tell(check_within, pairs, "LOCATION") == counts


@pytest.mark.parametrize(
    ("pairs", "before", "counts"),
    [
        ("Lund > Höör", "bor i ", (1, 0)),
        ("Lund > Ornö", "bor i ", (1, 1)),
        ("Ornö > Lund", "semester på ", (1, 1)),
        # The text does not say it as the list does.
        ("Ornö > Lund", "bor i ", (0, 0)),
        ("Lund > Ornö", "mot ", (0, 0)),
    ],
)
def test_prepositions(pairs, before, counts):
    assert tell(check_prepositions, pairs, "LOCATION", before=before) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Lunds lasarett > Ystads lasarett", (1, 0)),
        ("Lunds lasarett > Bjuvs bostäder", (1, 1)),
        # No list has it, but its words tell.
        ("Knurvels sjukhus > Ystads lasarett", (1, 0)),
        ("Knurvels vårdcentral > Bjuvs bostäder", (1, 1)),
        ("Tandläkarna Knurvel > Knurvels apotek", (1, 1)),
        ("Akuten Knurvel > Vårdcentralen Knarvel", (1, 0)),
        ("Pfizersprutan > Scaniasprutan", (1, 0)),
        ("Pfizersprutan > Capio Åsen", (1, 1)),
        ("SKV > Bjuvs bostäder", (1, 1)),
        ("Knurvels bussar > Knarveltrafik", (1, 0)),
        ("Knurvels bussar > Knurvelbanken", (1, 1)),
        ("Knurvels bussar > Scania", (1, 0)),
        ("Knurvel > Bjuvs bostäder", (0, 0)),
        # What begins like one is none.
        ("Scaniahälsan > Capio Åsen", (0, 0)),
        ("Skatteverket > Skatteverket", (0, 0)),
    ],
)
def test_kinds_of_organisations(pairs, counts):
    assert tell(check_kinds, pairs, "ORGANISATION") == counts


@pytest.mark.parametrize(
    ("county", "counts"), [("LOCATION: Skåne > Skåne; ", (1, 0)), ("", (1, 1))]
)
def test_hospital_of_another_size_where_a_county_stays(county, counts):
    pairs = f"{county}Bys centrallasarett > Dals lasarett"
    assert tell(check_kinds, pairs, "ORGANISATION") == counts


PLACES = [
    {"name": name, "kind": "city", "size": size, "at": at, "municipality": own, "traits": traits}
    for name, size, at, own, traits in (
        ("Lund", "1", "55.7 13.2", "", ""),
        ("Dalby", "4", "~55.7 13.3", "Lund", ""),
        ("Haparanda", "3", "65.8 24.1", "", "coast border finnish"),
        ("Pajala", "3", "67.2 23.4", "", "border finnish"),
        ("Kisa", "4", "58.0 15.6", "Kinda", ""),
    )
]
MAPPED = Known({"places": PLACES})


@pytest.mark.parametrize(
    ("check", "pairs", "counts"),
    [
        (check_municipalities, "Lund > Pajala; Dalby > Kisa", (1, 1)),
        (check_municipalities, "Haparanda > Pajala; Dalby > Kisa", (0, 0)),
        (check_place_distances, "Lund > Kisa; Dalby > Pajala", (1, 1)),
        (check_place_distances, "Pajala > Lund; Haparanda > Dalby", (1, 1)),
        (check_place_distances, "Kisa > Lund; Lund > Kisa", (1, 0)),
    ],
)
def test_places_move_as_a_whole(check, pairs, counts):
    assert check(make_talk(pairs, "LOCATION"), MAPPED)[:2] == counts


@pytest.mark.parametrize(
    ("new", "output", "counts"),
    [
        ("Pajala", "vid gränsen", (1, 0)),
        ("Kisa", "vid gränsen", (1, 1)),
        ("Kisa", "vid havet", (0, 0)),
    ],
)
def test_traits(new, output, counts):
    talk = make_talk(f"Haparanda > {new}", "LOCATION")._replace(outputs=[("0", output)])
    assert check_traits(talk, MAPPED)[:2] == counts
