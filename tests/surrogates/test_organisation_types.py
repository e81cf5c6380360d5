"""Organisations of a type become organisations of that type: with the lists of the project."""

import re

import pytest

from components.surrogates import Mention, Scope, make_classes
from components.surrogates.core.mentions import write_replacements
from components.surrogates.core.resemblance import shows
from components.surrogates.organisations.generic_names import COMPOUNDS, GenericNames
from components.surrogates.organisations.organisation_reader import fold_name
from components.surrogates.organisations.organisation_types import (
    FAMILY_OF,
    LOCAL,
    MADE,
    SEPARATORS,
    get_family,
)
from components.text.casing import fold
from tests.cases import cases
from tests.strategies import ALL_KEYS, KEYS
from tests.surrogates.hand_lists import make_doc
from tests.surrogates.project_lists import CLASSES, LISTS

ORGANISATIONS = CLASSES["ORGANISATION"]
READER = ORGANISATIONS.reader
WORDS = READER.words
GENERIC = ORGANISATIONS.maker.generic
BARE = make_classes({**LISTS, "nationwide": []})
SHARES = 200  # of the lists
SOME = range(0, SHARES, 1 if ALL_KEYS else 20)
NAMES = sorted(
    {cell for row in LISTS["organisations"] for cell in (row["name"], row["abbreviation"]) if cell}
)


def replace(texts: list[str], name: str, classes=CLASSES, before: str = "") -> list[str]:
    mentions = [Mention(text, before) for text in texts]
    scope = Scope(b"key", name, True, texts, {"ORGANISATION": mentions}, whole=True)
    return classes["ORGANISATION"].surrogates(mentions, scope)


def get_type(name: str) -> str:
    row = READER.find(fold_name(name))
    return READER.get_type(row) if row else READER.guess_type(SEPARATORS.split(fold_name(name)))


# Lists


def test_types_of_the_list():
    for row in LISTS["organisations"]:
        assert row["type"] in FAMILY_OF, row["name"]
        assert not row["of"] or fold_name(row["of"]) in READER.rows, row["name"]
    types = {row["type"] for row in LISTS["organisations"]}
    # Who is alone of a type can only become another.
    for type_ in types:
        assert sum(row["type"] == type_ for row in LISTS["organisations"]) > 2, type_
    assert types >= LOCAL and set(FAMILY_OF) >= MADE | {*WORDS.heads.values()}


def test_nationwide_list():
    names = [row["name"] for row in LISTS["nationwide"]]
    assert len({fold(name) for name in names}) == len(names)
    assert {"Försäkringskassan", "FK", "AF", "1177", "112", "IVO", "WHO", "LMA"} <= {*names}


def test_generic_names_are_many():
    names = GenericNames(LISTS["organisation_names"])
    for type_ in ("primary_care", "clinic", "care_home", "school", "dentist"):
        assert len(names.get_pool(type_).members) >= (100 if type_ == "care_home" else 200)
    assert not [name for name in COMPOUNDS if re.search(r"(.)\1\1", name)]


@cases
def test_head(word, type_):
    head = WORDS.find_head(word)
    assert head and head.type == type_ and word.endswith(head.text)


@pytest.mark.parametrize("word", ["", "s", "anna", "hotel", "modell", "spel", "uttalanden"])
def test_no_head(word):
    assert WORDS.find_head(word) is None or word == "hotel"


@cases
def test_type_by_all_words(name, type_):
    assert WORDS.read_type(SEPARATORS.split(fold(name))) == type_


# Like for like


@cases
def test_listed_name_becomes_one_of_its_type(name):
    for scope in KEYS:
        (new,) = replace([name], scope)
        row = READER.find(fold_name(new))
        assert row is None or get_type(new) == get_type(name), new
        assert row is not None or get_type(name) in LOCAL


def test_hospital_by_its_abbreviation(scope):
    for name, short in (("Karolinska universitetssjukhuset", "KS"), ("Södersjukhuset", "SÖS")):
        new, other = replace([name, short], scope)
        rows = [row for row in LISTS["organisations"] if row["abbreviation"] == other]
        assert new in {row["name"] for row in rows}
        assert get_type(new) == get_type(name)


@cases
def test_form(name, pattern):
    for scope in KEYS:
        (new,) = replace([name], scope)
        assert re.fullmatch(pattern, new) and new != name, new


def test_forms_of_one_name_agree(scope):
    new = replace(
        ["Björkbackens vårdcentral", "Vårdcentralen Björkbacken", "BVC Björkbacken"], scope
    )
    (name,) = {text.split()[-1] for text in new[1:]}
    assert new[0].split()[0] == f"{name}s" and not name.endswith("s")


def test_slips_become_names_without(scope):
    right, slip, genitive = replace(["Sahlgrenska", "Salgrenska", "sahlgrenskas"], scope)
    assert right == slip and genitive.startswith(right.lower())
    assert not next(row["of"] for row in LISTS["organisations"] if row["name"] == right)


@cases
def test_unlisted_name_by_what_is_around(scope, name, before, family):
    (new,) = replace([name], scope, before=before)
    if family == "care" and " " in name:
        assert FAMILY_OF.get(get_type(new), "employer") != "housing"
        return
    type_ = get_type(new) if READER.find(fold_name(new)) else get_type(new.split()[-1])
    rest = get_type(new.partition(" ")[2]) if " " in new else ""
    assert family in (FAMILY_OF.get(type_), FAMILY_OF.get(rest)), new


@cases
def test_unlisted_name_of_no_kind(scope, name, before):
    """What it becomes may be a ward, a home, a school: it fits wherever the other stood."""
    (new,) = replace([name], scope, before=before)
    pools = map(GENERIC.get_pool, ("clinic", "care_home"))
    assert any(fold(new) in pool.index for pool in pools)


@cases
def test_kind_by_cue(scope, name, before, pattern, never):
    (new,) = replace([name], scope, before=before)
    assert re.fullmatch(pattern, new) and new != name, new
    assert fold(new) not in {fold(row["name"]) for row in LISTS.get(never, ())}


@cases
def test_a_company_is_one_unit(scope, name, parts):
    """Of what is listed in parts not each becomes another company."""
    (new,) = replace([name], scope)
    town = CLASSES["LOCATION"].find(name.split()[-1])
    rest = new.rpartition(" ")[0] if town else new
    assert READER.find(fold_name(rest)), new
    assert bool(CLASSES["LOCATION"].find(new.split()[-1])) == (parts == 2)


@cases
def test_station(name):
    for scope in KEYS:
        (new,) = replace([name], scope)
        town, _, kind = new.rpartition(" ")
        assert kind == name.split()[-1] and CLASSES["LOCATION"].find(town)
        assert not re.search("[aeiouyåäö]s$", town) or fold(town) in CLASSES["LOCATION"].rows, new


@cases
def test_known_all_over_the_country(scope, name):
    """A firm of one town would not fit another, and a rare name is looked up."""
    (new,) = replace([name], scope)
    row = READER.find(fold_name(new))
    known = GENERIC.get_names(READER.get_type(READER.find(fold_name(name))))
    assert row and row["name"] in known


@cases
def test_ordinary_names(scope, name, type_):
    """Dozens of schools and homes are called so."""
    (new,) = replace([name], scope)
    kind = name.split()[-1] if " " in name else WORDS.find_head(fold_name(name)).text
    names = {fold(GENERIC.get_form(own)) for own in GENERIC.get_names(type_)}
    names |= {fold(own) for own in GENERIC.get_names(type_)}
    assert fold(new).removesuffix(kind).strip() in names or fold(new) in names


@cases
def test_does_what_is_said_of_it(scope, name, type_):
    (new,) = replace([name], scope)
    assert get_type(new) == type_, new


def test_sites_examine_nobody(scope):
    (new,) = replace(["Docly"], scope)
    assert get_type(new) == "digital_care"


@cases
def test_departments_and_offices_stay(text):
    assert replace([text], "x") == [text]


# What there is one of for the whole country


@cases
def test_nationwide_stays_unless_the_list_is_empty(text):
    scope = Scope(b"key", "x")
    assert replace([text], "x") == [text] and ORGANISATIONS.keeps(Mention(text), scope)
    (new,) = replace([text], "x", BARE)
    assert fold(new) != fold(text)
    assert not BARE["ORGANISATION"].keeps(Mention(text), scope)


def test_nationwide_is_marked_as_kept():
    doc = make_doc("[FK|ORGANISATION] och [Swedbank|ORGANISATION]")
    new = replace([ent.text for ent in doc.ents], "x")
    write_replacements(doc, doc.text, doc.ents, new)
    assert ["kept" in entry for entry in doc._.replacements] == [True, False]


def test_place_of_a_nationwide_body_changes(scope):
    (new,) = replace(["Försäkringskassan Borås"], scope)
    assert new.startswith("Försäkringskassan ") and "Borås" not in new


# Nothing of the original


def get_own_words(name: str) -> str:
    """What tells of a name but its places, which have surrogates of their own."""
    return " ".join(
        word
        for word in READER.get_identifying(name).split()
        if not ORGANISATIONS.locations.find(word)
    )


@pytest.mark.parametrize("whole", [False, True])
def test_no_name_shows_its_original(whole):
    for number in SOME:
        names = NAMES[number::SHARES]
        scope = Scope(b"%d" % number, "c", True, names, whole=whole)
        for name, new in zip(names, ORGANISATIONS.surrogates([Mention(n) for n in names], scope)):
            if not READER.stays(fold_name(name)):
                assert fold(new) != fold(name)
                assert not shows(get_own_words(name), get_own_words(new)), (name, new)


# What readers saw


@pytest.mark.parametrize("name", ["NCC:s", "Kungsbacka IF:s", "sd:s"])
def test_genitive_of_an_abbreviation(name, scope):
    (new,) = replace([name], scope)
    base = new.removesuffix("s").removesuffix(":")
    row = READER.find(fold_name(base)) or READER.find(fold_name(new))
    assert row and new[-1] in "sxz"
    assert get_family(READER.get_type(row)) == get_family(get_type(name.removesuffix(":s")))


@pytest.mark.parametrize("name", ["Varbergs kommun", "Hjo kommun", "Lunds tingsrätt"])
def test_genitive_of_a_town(name, scope):
    (new,) = replace([name], scope)
    town, _, _ = new.rpartition(" ")
    base = (
        CLASSES["LOCATION"].find(town) if town not in ("Gotlands", "Blekinge", "Kalmar") else None
    )
    if base:
        assert town.endswith("s") == (base[-1] not in "aeiouyåäöxz"), new


@cases
def test_hospital_in_the_genitive(scope, name):
    (new,) = replace([name], scope)
    town, _, kind = new.partition(" ")
    listed = CLASSES["LOCATION"].find(town)
    assert (
        not (kind in ("sjukhus", "lasarett") and listed == fold(town)) or town[-1] in "aeiouyåäösx"
    )


@cases
def test_municipality_is_one(scope, name):
    (new,) = replace([name], scope)
    row = READER.find(fold_name(new))
    assert row and get_type(new) == "municipality" and row["place"], new


def test_none_of_a_conversation_under_another_name():
    for number in range(40):
        _, new = replace(["SEB Kort", "Swedbank"], f"scope {number}")
        assert not READER.get_groups(new) & READER.get_groups("SEB Kort")


def test_chain_of_health_centres_is_no_clinic_for_eyes():
    for scope in KEYS:
        new, other = replace(["Närhälsan", "Ögonlasern"], scope)
        assert (get_type(new), get_type(other)) == ("brand", "specialist")
