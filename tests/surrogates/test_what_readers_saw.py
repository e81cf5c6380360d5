"""What readers of a blind test took for the work of a program."""

import pytest

from components.surrogates import DateSurrogates, Mention, PersonSurrogates, Scope
from components.surrogates.organisations.organisation_words import OrganisationCues
from tests.cases import cases
from tests.surrogates.project_lists import LISTS

PEOPLE = PersonSurrogates(LISTS)
CUES = OrganisationCues(LISTS["organisation_words"])


@pytest.mark.parametrize("role", ["bonden", "intagen", "anställde", "uthyrare", "löneansvarig"])
def test_roles_stay(role):
    (new,) = PEOPLE.surrogates([Mention(f"{role} Yrsa Bodström")], Scope(b"key", role))
    first, *names = new.split()
    assert first == role and len(names) == 2 and not {"Yrsa", "Bodström"} & {*names}


def test_surname_like_a_kinship_word_is_replaced():
    (new,) = PEOPLE.surrogates([Mention("syskonen Brorsdotter")], Scope(b"key", "one"))
    assert new.startswith("syskonen ") and "Brorsdotter" not in new


@pytest.mark.parametrize("name", ["hassan Ali", "zlatjana Persson", "torkelande Ek", "von Essen"])
def test_what_may_be_a_name_is_none(name):
    """A role that is none would leave a name as it is."""
    (new,) = PEOPLE.surrogates([Mention(name)], Scope(b"key", name))
    kept = {*name.split()} & {*new.split()}
    assert kept <= {"von", "torkelande"}


@cases
def test_capitals_of_feasts(before, text, capital):
    for scope in range(6):
        (new,) = DateSurrogates().surrogates([Mention(text, before)], Scope(b"key", str(scope)))
        proper = new.startswith(("Kristi", "Valborg", "Lucia"))
        assert new[:1].isupper() == (capital or proper), new


@cases
def test_cues(before, after, type_):
    assert CUES.guess_types([Mention("Tallbacken", before, after)]) == {"Tallbacken": type_}
