"""Each rule of the thesis' script finds what its section says, and no more."""

import pytest

from lab.systems.thesis_rules import ThesisRules, gather_names, gather_towns, is_pid

LISTS = {
    "first_names": [
        {"name": f"{letter}{number}", "gender": letter} for letter in "fm" for number in range(150)
    ],
    "surnames": [{"name": f"s{number}"} for number in range(150)],
    "places": [{"name": "Vara", "ambiguous": "1"}, {"name": "Lund", "ambiguous": ""}],
    "postal": [{"town": "Lund", "codes": "222-224,226"}, {"town": "Vara", "codes": "534"}],
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    system = ThesisRules(tmp_path_factory.mktemp("unused"), customers=["Visiba"])
    system.names = {"Anna", "Berg"}
    system.towns, system.codes = gather_towns(LISTS)
    return system


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 4.3.1.1: a token that is in the lists, nothing of what is around it
        ("Hej, Anna Berg!", {"Anna Berg": "PERSON"}),
        ("mamma Anna och anna", {"Anna": "PERSON"}),
        # 4.3.1.2: postal codes in one or two tokens, towns that are no words, streets
        ("224 60 Lund", {"224 60 Lund": "LOCATION"}),
        ("22460, Vara och 999 99", {"22460": "LOCATION"}),
        ("Stora vägen 3, Kungsgatan 24", {"vägen": "LOCATION", "Kungsgatan": "LOCATION"}),
        ("på bättringsvägen, över gatan", {}),
        # 4.3.1.3 and 4.3.1.4
        ("ring VisibaCare", {"VisibaCare": "ORGANISATION"}),
        ("mejla a.b@c.se, @anna", {"a.b@c.se": "EMAIL", "@anna": "EMAIL"}),
        # 4.3.1.5
        ("en 55-årig man", {"55-årig": "AGE"}),
        ("hon är 55 år gammal", {"55 år": "AGE"}),
        ("för 55 år sedan", {}),
        # 4.3.1.6: three tokens or fewer, ten or twelve digits
        ("ring 070-123 45 67 nu", {"070-123 45 67": "PHONE"}),
        ("ring 0701234567", {"0701234567": "PHONE"}),
        ("+4670-123 45 678", {"+4670-123 45 678": "PHONE"}),
        ("ring 08-12 34 56 eller 112", {}),
        # 4.3.1.7: the months, and three forms
        ("den 3 Mars", {"Mars": "DATE"}),
        (
            "11-03-2022, 2022-03-11, 11/03-22 och 11/3",
            {"11-03-2022": "DATE", "2022-03-11": "DATE", "11/03-22": "DATE"},
        ),
        # 4.3.1.8: the number of the thesis, and its three ways of writing it
        ("201701012393", {"201701012393": "PID"}),
        ("mitt nr 170101-2393.", {"170101-2393": "PID"}),
        ("Personnummer:170101-2393", {"Personnummer:170101-2393": "PID"}),
    ],
)
def test_rules(rules, text, found):
    spans = {text[start:end]: label for start, end, label in rules.find([text])[0]}
    assert spans == found


@pytest.mark.parametrize(
    ("text", "holds"), [("170101-2393", True), ("170101-2394", False), ("1701012393x1", False)]
)
def test_luhn(text, holds):
    assert is_pid(text) is holds


def test_a_hundred_names_of_each_kind():
    names = gather_names(LISTS)
    assert len(names) == 300
    assert {"f0", "f99", "m99", "s99"} <= names and not {"f100", "m100", "s100"} & names


def test_towns_that_are_words_are_left_out():
    assert gather_towns(LISTS) == ({"Lund"}, {"222", "223", "224", "226", "534"})
