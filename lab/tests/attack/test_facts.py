"""What is read of a conversation."""

import datetime as dt

import pytest

from lab.attack.facts import FactReader, Facts, Shown, show_after, show_before
from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.known import Known
from lab.tests.surrogate_checks.talks import LISTS, rows

READER = FactReader(
    Known(
        LISTS
        | {
            "places": rows(
                "name kind within",
                "Lund|city|Skåne",
                "Norra Fäladen|district|Lund",
                "Rom|worldcity|Italien",
                "Italien|country|Europa",
                "Europa|continent|",
                "Skåne|province|Sverige",
                "Skåne län|county|Sverige",
                "Sverige|country|Europa",
            ),
            "counties": rows("county names", "Skåne|Skåne län, Nordvästskåne"),
        }
    )
)


def read(*shown):
    return READER.read([Shown(*(*one, "")[:3]) for one in shown])


def test_facts_of_a_conversation():
    facts = read(
        ("PERSON", "Lars"), ("PERSON", "dr Eva Lundins"), ("LOCATION", "Gatan 3"),
        ("LOCATION", "Norra Fäladen"), ("DATE", "1951-02-03", "född "), ("DATE", "5/3"),
        ("DATE", "2024-02-29"), ("AGE", "73 år"), ("AGE", "5 år"), ("PHONE", "+46 70 123 45 67"),
        ("EMAIL", "Eva@post.se"), ("PID", "19510203-1234"),
    )  # fmt: skip
    assert (facts.first, facts.last, facts.initials) == ("eva", "lundin", "el")
    assert (facts.gender, facts.era, facts.common) == ("f", "1940-1965", "1")
    assert (facts.place, facts.region, facts.age, facts.month) == ("norra fäladen", "skåne", 73, 3)
    assert facts.dates == [dt.date(2024, 2, 29)] and facts.days == [dt.date(2023, 3, 5)]
    assert facts.numbers == {"701234567", "eva@post.se", "5102031234"}


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("Lundin", None, "lundin"), ("Eva", "eva", None), ("Xyzzy", "xyzzy", None), ("Jocke", "jocke", None)],
)  # fmt: skip
def test_names(text, first, last):
    facts = read(("PERSON", text))
    assert (facts.first, facts.last, facts.initials) == (first, last, None)


def test_short_and_unlisted_names():
    assert read(("PERSON", "Jocke")).era == "1970-1995"
    assert read(("PERSON", "Xyzzy")).common == "unlisted"


@pytest.mark.parametrize(
    ("text", "region"),
    [("Rom", "europa"), ("222 22 Lund", "skåne"), ("Skåne län", "skåne"), ("Skånes", "skåne"), ("Ingenstans", None)],
)  # fmt: skip
def test_regions(text, region):
    assert read(("LOCATION", text)).region == region


def test_ages_of_babies():
    assert read(("AGE", "8 månader")).age == 0 and read(("AGE", "fem år")).age == 5


def test_before_and_after():
    mention = Mention("c", "PERSON", "", "", "Hej ", "Eva", "Maria", "m")
    talk = Talk([mention])
    assert show_before(talk) == [Shown("PERSON", "Eva", "Hej ")]
    assert show_after(talk) == [Shown("PERSON", "Maria", "Hej ")]
    assert READER.read([]) == Facts()
