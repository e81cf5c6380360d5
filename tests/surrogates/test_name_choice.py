"""What people become, over the lists that the package has."""

from collections import Counter

import pytest

from components.surrogates import Mention, PersonSurrogates, Scope
from components.surrogates.core.resemblance import shows
from components.surrogates.people.name_chooser import read_years
from components.text.casing import fold
from tests.cases import cases
from tests.surrogates.project_lists import LISTS

PERSON = PersonSurrogates(LISTS)
FIRST = PERSON.reader.first
SURNAMES = PERSON.reader.surnames
DOUBLES = {fold(row["name"]): row for row in LISTS["double_names"]}


@pytest.fixture(scope="module")
def key(scope: str) -> bytes:
    return scope.encode()


def replace(*messages: str, key: bytes = b"key", whole: bool = True) -> list[str]:
    """Replace mentions, each in a message of its own; `before <mention> after`."""
    mentions = []
    for i, message in enumerate(messages):
        before, mark, rest = message.rpartition("<")
        text, _, after = rest.partition(">")
        mentions.append(Mention(text, before if mark else "", after, i))
    texts = [mention.text for mention in mentions]
    scope = Scope(key, "c", True, texts, {"PERSON": mentions}, whole=whole)
    return PERSON.surrogates(mentions, scope)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", ["Gunvor", "Liam", "Elsa", "Alice", "Hulda", "Christer", "Sandra", "Anna"])  # fmt: skip
def test_names_stay_in_their_decades(name, whole, key):
    (new,) = replace(name, key=key, whole=whole)
    old, other = FIRST[fold(name)], FIRST[fold(new)]
    assert [old[k] for k in ("gender", "origin", "era")] == [
        other[k] for k in ("gender", "origin", "era")
    ]


def test_rare_names_become_common_ones(key):
    for name in ("Ernfrid", "Lagerbjelke", "Shaghayegh", "Zvonimir", "Xqorvi", "Tvärnö"):
        (new,) = replace(name, key=key)
        row = FIRST.get(fold(new)) or SURNAMES[fold(new)]
        assert row["common"] in ("1", "2")


def test_pools_are_large_enough_to_hide_in():
    sizes = Counter(
        (row["gender"], row["era"])
        for row in FIRST.values()
        if row["origin"] == "sv" and row["common"] != "3" and row["gender"] != "n"
    )
    assert len(sizes) == 16 and min(sizes.values()) >= 20
    for pools in (PERSON.chooser.first_pools, PERSON.chooser.surname_pools):
        assert all(len(pool.members) >= 8 for pool in pools.groups.values())


def test_bands_and_decades_are_known_ones():
    for rows, bands in ((LISTS["first_names"], "123"), (LISTS["surnames"], "13"), (LISTS["nicknames"], "13")):  # fmt: skip
        assert {row["common"] for row in rows} == set(bands)
    eras = {row["era"] for row in LISTS["first_names"]}
    assert len(eras) == 8 and all(era[:4].isdecimal() for era in eras if era)


@pytest.mark.parametrize("whole", [False, True])
@cases
def test_double_names_are_borne_by_people(whole, key, name):
    (new,) = replace(f"{name} Berg", key=key, whole=whole)
    double, _ = new.rsplit(" ", 1)
    row = DOUBLES[fold(double).replace(" ", "-")]
    assert " " in double if " " in name else "-" in double
    known = DOUBLES.get(fold(name).replace(" ", "-"))
    if known:
        assert [row[k] for k in ("gender", "origin", "era")] == [
            known[k] for k in ("gender", "origin", "era")
        ]


def test_double_name_and_its_parts_are_one_person(key):
    whole, first, both, dashed, joined, spaced = replace(
        "Anna-Karin Dahl", "Anna", "AK", "A-K", "annakarin", "ANNA KARIN", key=key
    )
    one, other = whole.split()[0].split("-")
    assert first == one and both == one[0] + other[0] and dashed == f"{one[0]}-{other[0]}"
    assert joined == (one + other).lower() and spaced == f"{one} {other}".upper()


def test_foreign_double_name_without_likes_becomes_a_single_one():
    (new,) = replace("Mei-Ling Chen")
    first, surname = new.split()
    assert FIRST[fold(first)]["origin"] == "zh" and "-" not in new and surname


@cases
def test_pet_name_belongs_to_the_name(key, name, pet):
    new, short, alone = replace(f"{name} Ström", pet, f"{pet} S", key=key)
    first = new.split()[0]
    assert short in PERSON.reader.nicks_of[fold(first)] and short != first
    assert alone == f"{short} {new.split()[1][0]}"
    assert not shows(f"{name} {pet}", f"{first} {short}")


@cases
def test_name_of_both_genders(key, text, feature, values):
    """What is said decides; what nothing tells becomes neutral, or keeps its origin."""
    (new,) = replace(text, key=key)
    assert FIRST[fold(new)][feature] in values


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", ["Anna", "Erik", "Kristina", "Carl", "Lena", "Lasse", "Jonte"])
def test_no_pet_form_nor_other_spelling_of_the_original(name, whole, key):
    (new,) = replace(name, key=key, whole=whole)
    assert fold(new) not in PERSON.reader.get_kin(fold(name))
    assert fold(name) not in PERSON.reader.get_kin(fold(new))


def test_correction_of_a_spelling(key):
    one, other, third = replace(
        "<Eva Lindkvist> igen", "<Lindqvist> med q", "Eva Lindkvist", key=key
    )
    surname = one.split()[1]
    assert other != surname and fold(other) in SURNAMES and one == third
    assert other in PERSON.reader.get_spellings(fold(surname))


def test_initials_are_those_of_the_person(key):
    whole, slash, dotted, title = replace("Bengt Berg-Sten", "/BBS", "B.B-S", "dr B", key=key)
    letters = [word[0] for word in whole.replace("-", " ").split()]
    assert slash == "/" + "".join(letters)
    assert dotted == f"{letters[0]}.{letters[1]}-{letters[2]}" and title == f"dr {letters[1]}"


def test_initials_of_nobody_are_nobodys(key):
    people = ["Anna Dahl", "Bo Ek", "Eva Falk", "Gun Hall", "Ivar Jons", "Karl Lund", "Nils Ohl"]
    *_, unknown = replace(*people, "XZ", key=key)
    assert unknown not in {f"{name[0]}{name.split()[1][0]}" for name in people}


def test_capitals_of_two_letters_are_initials_unless_the_name_is_written():
    whole, initials = replace("Lars Erik Hult", "LE")
    assert initials == "".join(word[0] for word in whole.split()[:2])
    name, shouted = replace("dr Ek", "EK")
    assert shouted == name.split()[1].upper()
    assert len(replace("mvh <lw>")[0]) == 2


@cases
def test_genitive_of_a_name_in_s(key, text, genitive):
    (new,) = replace(text, key=key)
    bare = new.removesuffix("s")
    if genitive and fold(bare) in FIRST:
        assert new.endswith("s") and "'" not in new
    elif not genitive:
        assert fold(new) in FIRST


def test_surname_with_a_particle_is_one(key):
    for text in ("von Santos", "Von Ek", "van der Meer"):
        (new,) = replace(text, key=key)
        *particles, name = new.split()
        assert particles == text.split()[:-1] and fold(name) in SURNAMES


@pytest.mark.parametrize("name", ["Bo-Lennart", "Chi-Chi"])
def test_first_part_of_a_double_name_is_no_title(name):
    (new,) = replace(name)
    assert not shows(name, new)


@pytest.mark.parametrize(("name", "pet"), [("Vilgot", "Ville"), ("Ragnar", "Ragge")])
def test_pet_name_of_a_name_that_has_few(name, pet, key):
    new, short = replace(name, pet, key=key)
    assert fold(new) in PERSON.reader.nicks[fold(short)]
    years, others = (read_years(FIRST[fold(n)]["era"]) for n in (name, new))
    assert years & others


@pytest.mark.parametrize("pet", ["Ragge", "Knutte"])
def test_pet_name_alone_has_its_own_decades(pet, key):
    (new,) = replace(f"brorsan <{pet}>", key=key)
    names = [FIRST[n] for n in PERSON.reader.nicks.get(fold(new), [fold(new)]) if n in FIRST]
    assert any(read_years(row["era"]) & read_years(FIRST[fold(pet)]["era"]) for row in names)


@cases
def test_decades(era, decades):
    assert read_years(era) == decades
