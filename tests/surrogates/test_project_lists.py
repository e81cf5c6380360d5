"""Places and organisations with the lists of the project."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import (
    LocationSurrogates,
    Mention,
    OrganisationSurrogates,
    PersonSurrogates,
    Scope,
)
from components.surrogates.organisations.organisation_reader import fold_name
from components.surrogates.people.name_reader import NameReader
from components.surrogates.places.place_list import KEPT
from components.text.casing import fold
from tests.strategies import KEYS
from tests.surrogates.project_lists import LISTS

ROWS = {fold(row["name"]): row for row in LISTS["places"]}
COUNTRIES = {row["name"]: row["within"] for row in LISTS["places"] if row["kind"] == "country"}
PERSON = PersonSurrogates(LISTS)
LOCATIONS = LocationSurrogates(LISTS)
ORGANISATIONS = OrganisationSurrogates(LISTS, LOCATIONS)
TOWNS = {"city", "municipality", "village"}
NAMES = sorted(
    row["name"]
    for row in ROWS.values()
    if row["kind"] not in (*KEPT, "province", "road")
    and row["name"] != "Sverige"
    and not row["same"]
)


def places(texts: list[str], scope: str, before: str = "") -> list[str]:
    mentions = [Mention(text, before) for text in texts]
    scope = Scope(b"key", scope, True, texts, {"LOCATION": mentions}, whole=True)
    return LOCATIONS.surrogates(mentions, scope)


def organisations(texts: list[str], scope: str, towns: Sequence[str] = ()) -> list[str]:
    mentions = [Mention(text) for text in texts]
    scope = Scope(b"key", scope, True, [*texts, *towns], whole=True)
    LOCATIONS.surrogates([Mention(town) for town in towns], scope)
    return ORGANISATIONS.surrogates(mentions, scope)


def test_kinds_of_the_list():
    for row in LISTS["places"]:
        within, kind = row["within"], row["kind"]
        if kind in ("worldcity", "worldisland", "worldregion"):
            assert within in COUNTRIES or ROWS[fold(within)]["kind"] == "continent", row["name"]
        elif kind == "country":
            assert ROWS[fold(within)]["kind"] == "continent", row["name"]
        elif kind == "continent":
            assert not within, row["name"]
        assert row["prep"] in ("i", "på"), row["name"]
    islands = {row["name"]: row["kind"] for row in LISTS["places"]}
    assert {islands[name] for name in ("Kreta", "Mallorca", "Bali")} == {"worldisland"}
    # Its ferries and its language point at it: it stays, as Gotland does.
    assert islands["Åland"] == "province"


@given(st.sets(st.sampled_from(NAMES), max_size=12))
def test_like_for_like(scope, names):
    new = places(sorted(names), scope)
    assert len({fold(name) for name in new}) == len(names)
    assert not {fold(name) for name in new} & {fold(name) for name in names}
    for old, other in zip(sorted(names), new):
        old, other = ROWS[fold(old)], ROWS[fold(other)]
        kinds = {old["kind"], other["kind"]}
        # Of the districts of a town few may have the preposition.
        assert old["prep"] == other["prep"] or kinds == {"district"}
        assert len(kinds) == 1 or kinds <= TOWNS, (old["name"], other["name"])
        if "country" in kinds and old["prep"] == "i" and old["within"] != "Oceanien":
            assert old["within"] == other["within"]
        # Of the big lakes few have their county.
        sorts = {old["sort"], other["sort"]}
        if kinds <= {"lake", "airport"} and "old" not in sorts and sorts != {"lake", "big lake"}:
            assert len(sorts) == 1
        assert other["sort"] != "old"


def _is_word(rows: list[dict[str, str]]) -> dict[str, bool]:
    words: dict[str, bool] = {}
    for row in rows:
        words[fold(row["name"])] = bool(row["ambiguous"])
    return words


def test_clear_values_stay_clear(scope):
    """No name or place becomes an ordinary word that was none before."""
    for list_name, role in (("first_names", "first"), ("surnames", "surname")):
        words = _is_word(LISTS[list_name])
        clear = [name for name, is_word in words.items() if not is_word][::40]
        scoped = Scope(b"key", scope, True)
        assert not any(words.get(fold(PERSON.get_name(role, n, scoped))) for n in clear)
    rows = [*LOCATIONS.rows.values(), *LISTS["streets"]]
    new = places([row["name"] for row in rows if not row["ambiguous"]][::20], scope)
    words = _is_word(rows)
    assert not [name for name in new if words.get(fold(name))]


@pytest.mark.parametrize(
    ("name", "gender"),
    [("Annelotta", "f"), ("Hildegunn", "f"), ("Irmelin", "f"), ("Farduusa", "f"), ("Torgils", "m"),
     ("Bertolf", "m"), ("Emilio", "m"), ("Abdinuur", "m"), ("Kristobal", "m")],
)  # fmt: skip
def test_gender_of_an_unlisted_name(name, gender):
    assert fold(name) not in PERSON.reader.first
    genders = {fold(row["name"]): row["gender"] for row in LISTS["first_names"]}
    for scope in KEYS:
        assert genders[fold(PERSON.get_name("first", fold(name), Scope(b"key", scope)))] == gender


def test_gender_that_an_ending_tells_depends_on_the_origin():
    reader = NameReader(
        {"first_names": [
            {"name": f"{c}{c}{end}", "gender": gender, "origin": origin}
            for origin, gender, end, letters in
            [("fi", "f", "ikki", "abcdefg"), ("so", "m", "ikki", "hijklmnopqrst")]
            for c in letters
        ]}
    )  # fmt: skip
    assert [reader.genders.guess("vallikki", o) for o in ("fi", "so", "sv", "")] == [*"fmmm"]


def test_country_in_english(scope):
    english, swedish = places(["Libya", "Libyen"], scope)
    assert COUNTRIES[swedish] == "Afrika"
    assert english in (LOCATIONS.places.english.get(fold(swedish)), swedish)


@pytest.mark.parametrize("name", ["Värmlandsnäs", "Knäckefors", "Tallåsås"])
def test_name_that_ends_in_s_is_no_genitive(name):
    assert LOCATIONS.reader.read(name).base == fold(name)


ORGANISATION_NAMES = sorted(
    row["name"] for row in LISTS["organisations"] if row["kind"] != "digital_care"
)


@given(st.sets(st.sampled_from(ORGANISATION_NAMES), max_size=10))
def test_organisations_stay_apart(scope, names):
    new = organisations(sorted(names), scope)
    changed = {a: b for a, b in zip(sorted(names), new) if fold(a) != fold(b)}
    same = ORGANISATIONS.identities([Mention(name) for name in changed])
    assert len({fold(name) for name in changed.values()}) >= len({*same})
    assert not {fold(name) for name in changed.values()} & {fold(name) for name in names}
    # What stays is a unit as any town has one, or for the whole country.
    assert all(ORGANISATIONS.reader.stays(fold_name(name)) for name in names - changed.keys())


def test_places_in_organisations_follow(scope):
    town, district = places(["Hjo", "Lundby"], scope)
    kommun, unit, akut, clinic = organisations(
        ["Hjo kommun", "Capio vårdcentral Lundby", "närakuten Hjo", "Folktandvården Hjo"], scope,
        ["Hjo", "Lundby"],
    )  # fmt: skip
    assert kommun.startswith(town) and kommun.endswith(" kommun")
    assert unit.endswith(f" vårdcentral {district}") and "Capio" not in unit
    assert akut == f"närakuten {town}" and clinic.endswith(f" {town}")


@pytest.mark.parametrize("text", ["sprututbytet", "könsidentitetsmottagningen", "feberkliniken"])
def test_unlisted_institution_becomes_a_neutral_one(scope, text):
    (new,) = organisations([text], scope)
    assert new in ORGANISATIONS.maker.generic.get_names("unit")


def test_abbreviations(scope):
    new = organisations(["ANOVA", "NUS", "Norrlands universitetssjukhus", "QXZ"], scope)
    shorts = {row["abbreviation"] for row in LISTS["organisations"]}
    assert {new[0], new[1], new[3]} <= shorts and len({*new}) == 4
    full = {row["name"] for row in LISTS["organisations"] if row["abbreviation"] == new[1]}
    assert new[2] in full


def test_compound_follows_its_company(scope):
    company, compound = organisations(["Pfizer", "Pfizersprutan"], scope)
    assert compound.endswith("prutan")
    assert " " in company or compound.startswith(company.removesuffix("s"))


@pytest.mark.parametrize("place", ["Huddinge", "Danderyd", "Mölndal"])
def test_place_of_a_unit_stays_a_place(scope, place):
    """They are hospitals, too, by their short names."""
    (new,) = organisations([f"Vårdcentralen {place}"], scope)
    unit, town = new.split(maxsplit=1)
    assert unit == "Vårdcentralen"
    assert town in {row["name"] for row in LISTS["places"]} - {place}


def test_listed_name_of_several_words_is_one(scope):
    """`Ica` and `Maxi` are listed, too."""
    (new,) = organisations(["Ica Maxi"], scope)
    assert new.lower() in {row["name"].lower() for row in LISTS["organisations"]}


def test_gender_without_lists():
    reader = NameReader({})
    assert [reader.genders.guess(name) for name in ("zuzana", "zoltan", "")] == ["f", "m", "m"]


@pytest.mark.parametrize("name, gender", [("Nilla", "f"), ("Vivian", "f"), ("Lennie", "m")])
def test_gender_is_that_of_nearly_all_bearers(name, gender):
    assert {row["gender"] for row in LISTS["first_names"] if row["name"] == name} == {gender}
