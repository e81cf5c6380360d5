"""No organisation or place becomes itself under another name: with the lists of the project."""

import pytest

from components.surrogates import Mention, Scope, make_classes
from components.surrogates.organisations.organisation_reader import fold_name, get_group
from components.text.casing import fold
from tests.cases import read_cases
from tests.strategies import ALL_KEYS
from tests.surrogates.project_lists import LISTS

CLASSES = make_classes({**LISTS, "nationwide": []})
ORGANISATIONS, LOCATIONS = CLASSES["ORGANISATION"], CLASSES["LOCATION"]
READER, PLACES = ORGANISATIONS.reader, LOCATIONS.places
SHARES = 200  # of the lists
SOME = range(0, SHARES, 1 if ALL_KEYS else 20)
SHARE = 50  # each key takes every so many-th of all names
# Names by group, each with its abbreviation; `of` and `group` are seen as they are in the list.
MEMBERS: dict[str, list[str]] = {}
for _row in LISTS["organisations"]:
    _right = READER.rows[fold_name(_row["name"])]
    MEMBERS.setdefault(get_group(_right), []).extend(
        cell for cell in (_row["name"], _row["abbreviation"]) if cell
    )
ALIASES = [
    name
    for names in MEMBERS.values()
    if len(names) > 1
    for name in names
    if not READER.stays(fold_name(name))
]
SAME = read_cases(__file__)["test_none_is_another_name_of_itself"]
FORMS = (str, str.lower, str.upper, "{}s".format, "{}-kön".format, "Onkologen {}".format)


def get_scope(key: int) -> Scope:
    return Scope(b"key %d" % key, "conversation", True)


@pytest.mark.parametrize("names", SAME, ids=lambda names: names[0])
def test_none_is_another_name_of_itself(names):
    folded = {fold_name(name) for name in names}
    for key in SOME:
        scope = get_scope(key)
        for name in names:
            new = fold_name(ORGANISATIONS.choose(name, scope))
            assert not any(f" {other} " in f" {new} " for other in folded), (name, new)


def test_aliases_of_the_list():
    assert len(ALIASES) > 2500
    for key in SOME:
        scope = get_scope(key)
        for name in ALIASES[key % SHARE :: SHARE]:
            new = ORGANISATIONS.choose(name, scope)
            assert READER.get_groups(name).isdisjoint(READER.get_groups(new)), (name, new)
            one, other = f" {fold_name(name)} ", f" {fold_name(new)} "
            assert one not in other and other not in one, (name, new)


@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_forms_of_aliases(form):
    for key in SOME:
        scope = get_scope(key)
        for name in ALIASES[key::SHARES]:
            text = form(name)
            if READER.stays(fold_name(text)):
                continue
            new = ORGANISATIONS.choose(text, scope)
            assert READER.get_groups(name).isdisjoint(READER.get_groups(new)), (text, new)


@pytest.mark.parametrize(("text", "ending"), [("Donkenpåsen", "påsen"), ("postenkassan", "kassan")])
def test_compounds_of_aliases(text, ending):
    for key in SOME:
        new = ORGANISATIONS.choose(text, get_scope(key))
        assert new.endswith(ending)
        assert READER.get_groups(text.removesuffix(ending)).isdisjoint(
            READER.get_groups(new.removesuffix(ending))
        )


def test_aliases_of_a_conversation_become_one():
    names = ["McDonalds", "Donken", "donkens"]
    scope = Scope(b"key", "conversation", True, names, whole=True)
    one, other, lower = ORGANISATIONS.surrogates([Mention(name) for name in names], scope)
    genitive = "" if one[-1] in "sxz" else "s"
    assert one == other and fold_name(lower) == fold_name(one) + genitive


@pytest.mark.parametrize("text", ["Sahlgrenska", "Hos Sahlgrenska", "Sahlgrenskas"])
def test_the_only_others_of_a_pool_are_the_same(text):
    """Even where nothing else is like it, none of its own names is taken."""
    hospitals = [row for row in LISTS["organisations"] if row["type"] == "university_hospital"]
    rows = [
        row
        for row in hospitals
        if "Sahlgrenska" in (row["name"], row["group"].split(" ")[0])
        or row["name"] == "Norrlands sjukhus"
    ]
    organisations = make_classes({"organisations": rows})["ORGANISATION"]
    assert len(rows) > 4
    for key in range(20):
        assert fold_name(organisations.choose(text, get_scope(key))).startswith("norrlands sjukhus")


def test_groups_of_the_list():
    for name in ("organisations", "places"):
        for row in LISTS[name]:
            assert row["group"] != row["name"], row["name"]
    for names in SAME:
        rows = filter(None, (READER.find(fold_name(name)) for name in names))
        assert len({get_group(row) for row in rows}) == 1, names
    groups = [row["group"] for row in LISTS["places"] if row["group"]]
    assert {fold(group) for group in groups} <= PLACES.rows.keys()


def test_aliases_and_parts_of_places():
    listed = [row for row in LISTS["places"] if row["same"] or row["group"]]
    names = {cell for row in listed for cell in (row["name"], row["same"], row["group"]) if cell}
    names = sorted(name for name in names if fold(name) not in PLACES.kept)
    for key in SOME:
        scope = get_scope(key)
        for name in names[key % 10 :: 10]:
            new = LOCATIONS.choose(fold(name), scope)
            assert not PLACES.is_kin(fold(name), new), (name, new)
