"""Places of one conversation, with the lists of the project."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from components.surrogates import LocationSurrogates, Mention, Scope
from components.surrogates.core.pools import MIN_POOL
from components.surrogates.core.resemblance import shows
from components.surrogates.places.place_list import TOWNS, VILLAGE, get_size
from components.surrogates.places.postal_codes import HEAD
from components.text.casing import fold
from tests.cases import cases
from tests.strategies import KEYS
from tests.surrogates.project_lists import LISTS

LOCATIONS = LocationSurrogates(LISTS)
ROWS = {folded: row for folded, row in LOCATIONS.rows.items()}
HEADS = LOCATIONS.postal.heads
COUNTRIES = {"Holland": "Nederländerna", "Syria": "Syrien"}


def replace(
    texts: Sequence[str], scope: str, whole: bool = True, known: Sequence[str] = ()
) -> list[str]:
    """Replace places; what stands in front of a bracket is what stands in front of the place."""
    parts = [text.rpartition("[") for text in texts]
    mentions = [Mention(text, before) for before, _, text in parts]
    originals = [mention.text for mention in mentions]
    scoped = Scope(
        b"key", scope, True, originals, {"LOCATION": mentions}, whole, [("LOCATION", k) for k in known]
    )  # fmt: skip
    return LOCATIONS.surrogates(mentions, scoped)


def row(name: str) -> dict[str, str]:
    return ROWS[fold(name)]


def head(text: str) -> str:
    return "".join(re.findall(r"\d", text))[:HEAD]


# The lists


def test_every_town_has_a_size_a_county_and_codes():
    counties = {county["county"] for county in LISTS["counties"]}
    for town in LISTS["places"]:
        if town["kind"] not in TOWNS:
            assert not town["size"], town["name"]
            continue
        assert town["within"] in counties and town["size"] in tuple("12345"), town["name"]
        assert town["same"] or HEADS[fold(town["name"])], town["name"]


def test_names_of_counties_are_of_places_that_stay():
    for county in LISTS["counties"]:
        assert {fold(name) for name in county["names"].split(", ")} <= LOCATIONS.kept


def test_codes_have_three_digits_and_a_town():
    for town, heads in HEADS.items():
        assert ROWS[town]["kind"] in {*TOWNS, "island"}
        assert heads and all(re.fullmatch(r"[1-9]\d\d", code) for code in heads), town


def test_other_name_is_of_a_listed_place_of_the_kind():
    for other in (place for place in LISTS["places"] if place["same"]):
        main = row(other["same"])
        assert not main["same"]
        assert main["kind"] == other["kind"] or {main["kind"], other["kind"]} <= TOWNS | {
            "district"
        }


# Towns


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_size_stays(size, whole):
    """Those of a county are but a few sizes apart, and no town becomes a hamlet."""
    towns = [
        r for r in ROWS.values() if r["kind"] in TOWNS and get_size(r) == size and not r["same"]
    ]
    for town in towns[:: len(towns) // 12 or 1]:
        for scope in KEYS:
            (new,) = replace([town["name"]], scope, whole)
            if town["prep"] == "i" and town["within"] not in ("Gotland", "Öland"):
                assert get_size(row(new)) == size, (town["name"], new)


@cases
def test_nobody_can_guess(name):
    new = Counter(replace([name], f"{i}")[0] for i in range(60))
    assert len(new) >= MIN_POOL - 1 and max(new.values()) < 25


@cases
def test_county_that_is_named(scope, county, towns):
    name, *new = replace([county, *towns], scope)
    assert name == county
    for old, other in zip(towns, new):
        assert row(other)["within"] == row(old)["within"] and other != old


def test_towns_of_a_county_stay_together(scope):
    new = replace(["Hoting", "Backe", "Östersund", "Strömsund"], scope)
    assert len({row(name)["within"] for name in new}) == 1 and len({*new}) == 4
    assert get_size(row(new[0])) >= VILLAGE and get_size(row(new[2])) == 2


@pytest.mark.parametrize("whole", [True, False])
@cases
def test_island_or_country_stays(scope, whole, place, within):
    (new,) = replace([place], scope, whole)
    assert row(new)["within"] == within and new != place


def test_districts_follow_their_town(scope):
    one, town, other = replace(["Rosengård", "Malmö", "i [Limhamn"], scope)
    assert row(one)["within"] == row(other)["within"] == town and one != other


def test_district_alone_is_of_a_town_of_like_size(scope):
    (new,) = replace(["Hisingen"], scope)
    assert row(new)["kind"] == "district" and get_size(row(row(new)["within"])) == 1


# The world


@cases
def test_cities_follow_their_country(scope, country, cities):
    name, *new = replace([country, *cities], scope)
    swedish = ROWS.get(LOCATIONS.places.swedish.get(fold(name), fold(name)))
    assert {row(city)["within"] for city in new} == {swedish["name"]}
    old = ROWS[fold(COUNTRIES.get(country, country))]
    assert old["sort"] == swedish["sort"] and old["within"] == swedish["within"]
    assert len({*new}) == len(cities) and swedish["sort"] != "old"


@pytest.mark.parametrize("name", ["Holland", "Kyiv", "Gbg", "S:t Petersburg", "Alnön"])
def test_other_names_of_a_place_are_no_surrogates(name):
    same = {fold(p["name"]) for p in LISTS["places"] if p["same"]}
    for i in range(80):
        (new,) = replace([name], f"{i}")
        assert fold(new) not in same or row(new)["sort"] == "short"
        assert fold(row(name)["same"]) != fold(new)


def test_abbreviation_is_its_town(scope):
    town, short, lower = replace(["Göteborg", "Gbg", "gbg"], scope)
    shorts = {p["same"]: p["name"] for p in LISTS["places"] if p["sort"] == "short"}
    assert short == shorts.get(town, town) and lower == short.lower()


# Kinds


@cases
def test_kind_fits(scope, text, kind, sort):
    (new,) = replace([text], scope)
    assert row(new)["kind"] == kind
    assert not sort or row(new)["sort"] == sort


def test_island_becomes_one_that_one_lives_on(scope):
    (new,) = replace(["bor på [Ekerö"], scope)
    assert row(new)["prep"] == "på"


def test_island_stays_by_its_nearest_town(scope):
    """Another town, far from it, makes no difference."""
    _, town, island = replace(["Umeå", "Grisslehamn", "Singö"], scope)
    at = LOCATIONS.places.map.spots
    assert abs(at[fold(town)].at - at[fold(island)].at) < 40


@pytest.mark.parametrize("text", ["bor i [Qvarnamåla", "E45 norr om [Vik", "Tallsjöhult"])
def test_unlisted_place_becomes_a_common_one(scope, text):
    (new,) = replace([text], scope)
    assert row(new)["kind"] in TOWNS and get_size(row(new)) in (3, 4)


def test_unlisted_foreign_place(scope):
    (alone,) = replace(["in [Bani Walid"], scope)
    assert row(alone)["kind"] == "worldcity"
    city, country = replace(["i [Chachapoya", "Peru"], scope)
    assert row(city)["within"] == country


def test_unlisted_place_lies_where_its_code_does(scope):
    place, code = replace(["Qvarnamåla", "343 71 Qvarnamåla"], scope)
    assert code.endswith(f" {place}") and head(code) in HEADS[fold(place)]
    near, _ = replace(["Qvarnamåla", "Växjö"], scope)
    assert row(near)["kind"] in TOWNS


# Codes


@pytest.mark.parametrize("whole", [True, False])
@cases
def test_code_belongs_to_the_new_town(scope, whole, text):
    (new,) = replace([text], scope, whole)
    town = re.search(r"[^\W\d_]+$", new)[0]
    assert head(new) in HEADS[fold(town)] and head(new) != head(text)
    assert re.sub(r"\d", "0", new[: -len(town)]) == re.sub(r"\d", "0", text[: text.rindex(" ") + 1])
    assert town.isupper() == text.isupper() and town.islower() == text.split()[-1].islower()


@pytest.mark.parametrize("town", ["Göteborg", "Hisingen"])
def test_code_goes_with_the_town_of_the_conversation(scope, town):
    code, spaced, name = replace(["41345", "413 45", town], scope)
    new = row(name)["within"] if row(name)["kind"] == "district" else name
    assert head(code) in HEADS[fold(new)] and code == spaced.replace(" ", "")


@pytest.mark.parametrize("whole", [True, False])
def test_codes_change_and_stay_apart(whole):
    for scope in KEYS:
        codes = [f"{n} {m}" for n in (114, 169, 226, 413, 584, 903, 980) for m in (20, 45, 46)]
        new = replace(codes, scope, whole)
        assert all(head(a) != head(b) for a, b in zip(codes, new))
        assert not whole or len({*new}) == len(codes)
    (unread,) = replace(["000 00"], "x", whole)
    assert unread != "000 00"


def test_code_that_is_known_is_none(scope):
    (first,) = replace(["584 35 Linköping"], scope)
    (second,) = replace(["584 35 Linköping"], scope, known=[first[:6]])
    assert second[:6] != first[:6]


def test_whole_codes_where_they_were_imported():
    codes = [{"code": f"{town} {n}", "town": name} for n in (31, 33, 37, 38, 41, 45)
             for town, name in ((582, "Linköping"), (702, "Örebro"), (852, "Sundsvall"), (831, "Östersund"))]  # fmt: skip
    locations = LocationSurrogates({**LISTS, "postal_codes": codes})
    met = 0
    for name in KEYS:
        mentions = [Mention("583 33 Linköping"), Mention("903 31 Umeå")]
        scope = Scope(b"key", name, True, mentions={"LOCATION": mentions}, whole=True)
        for new in locations.surrogates(mentions, scope):
            if new.endswith(("Örebro", "Sundsvall")):
                met += 1
                assert {"code": new[:6], "town": new[7:]} in codes
    assert met


# Streets


@cases
def test_address(scope, text, form):
    (new,) = replace([text], scope)
    assert re.fullmatch(form, new)
    assert not shows(text, new)


# Forms


@cases
def test_form_stays(scope, text, form):
    (new,) = replace([text], scope)
    assert re.fullmatch(form, new)
    names = re.compile(r"lund|malmö|hjo|göteborg|bangkok")
    assert not {*names.findall(fold(text))} & {*names.findall(fold(new))}


@cases
def test_identities(text, same):
    assert LOCATIONS.identities([Mention(text)]) == [same]


# What stays must stay, and nothing else


def test_kept_is_kept_in_company():
    (new,) = replace(["Skåne/Halland"], "x")
    scope = Scope(b"key", "x", True)
    assert new == "Skåne/Halland" and LOCATIONS.keeps(Mention(new), scope)
    assert not LOCATIONS.keeps(Mention("Skåne/Lund"), scope)


def test_word_in_an_organisation_tells_where():
    """Its town goes with the others of the county."""
    for name in KEYS:
        places = [Mention("Hoting"), Mention("Backe")]
        mentions = {"LOCATION": places, "ORGANISATION": [Mention("Östersunds sjukhus")]}
        scope = Scope(b"key", name, True, mentions=mentions, whole=True)
        new = LOCATIONS.surrogates(places, scope)
        hospital = LOCATIONS.choose("östersund", scope)
        assert {row(town)["within"] for town in new} == {row(hospital)["within"]}


def test_one_by_one_is_as_in_any_order(scope):
    names = ["Lund", "Malmö", "Hoting", "Rosengård", "Bangkok", "413 45"]
    one_by_one = [replace([name], scope, whole=False)[0] for name in names]
    assert replace(names[::-1], scope, whole=False)[::-1] == one_by_one


# One map


@cases
def test_conversation_moves_as_a_whole(scope, towns):
    """Places of a municipality stay in one, and all as far from one another as they were."""
    places = LOCATIONS.places
    old, new = ([fold(name) for name in names] for names in (towns, replace(towns, scope)))
    for (one, one_new), (two, two_new) in combinations(zip(old, new), 2):
        was, is_ = (
            abs(places.map.spots[a].at - places.map.spots[b].at)
            for a, b in ((one, two), (one_new, two_new))
        )
        assert abs(is_ - was) <= max(30, 0.35 * was), (one, two, one_new, two_new)
        if places.get_municipality(one) == places.get_municipality(two):
            assert places.get_municipality(one_new) == places.get_municipality(two_new)


@cases
def test_story_stays_true(scope, text, trait):
    (new,) = replace([text], scope)
    assert trait in LOCATIONS.places.map.get_traits(fold(new))


@cases
def test_town_has_what_is_said_of_it(scope, text, sort):
    (new,) = replace([text], scope)
    assert fold(new) in LOCATIONS.institutions.get_towns([sort])


@cases
def test_language_area_stays(scope, country, others):
    (new,) = replace([country], scope)
    assert new != country and new in others


@pytest.mark.parametrize("text", ["Hörbys station", "Lund station"])
def test_form_of_a_station_stays(scope, text):
    (new,) = replace([text], scope)
    assert new.endswith(" station")
    assert fold(new.split()[0]) in ROWS or "s" in (text.split()[0][-1], new.split()[0][-1])


def test_list_without_coordinates():
    bare = [
        {k: v for k, v in r.items() if k not in ("municipality", "at", "traits")}
        for r in LISTS["places"]
    ]
    locations = LocationSurrogates({**LISTS, "places": bare})
    mentions = [Mention("Kisa"), Mention("Linköping"), Mention("Siljan")]
    scope = Scope(b"key", "0", True, mentions={"LOCATION": mentions}, whole=True)
    new = locations.surrogates(mentions, scope)
    assert {row(name)["kind"] for name in new} <= {*TOWNS, "lake"} and len({*new}) == 3
    assert row(new[0])["within"] == row(new[1])["within"]
