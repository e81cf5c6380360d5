"""Surrogates of the optional classes, and of classes of a user's own."""

import re
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.fi import hetu
from stdnum.no import fodselsnummer
from stdnum.se import orgnr

from components.shared.labels import OPTIONAL_LABELS
from components.surrogates import Mention, Scope, make_classes
from components.surrogates.optional.custom_classes import Listed, Template, get_own_strategy
from components.surrogates.optional.internet import NETWORKS
from components.surrogates.optional.payments import TEST_CARDS
from components.text.casing import fold
from tests.cases import cases, read_cases

CLASSES = make_classes({})
KEY = b"correct horse battery staple"


def replace(label, *texts, name="one", known=(), conversation=True):
    scope = Scope(KEY, name, conversation, texts, whole=True, known=known)
    return CLASSES[label].surrogates([Mention(text) for text in texts], scope)


def get_form(text):
    return re.sub(r"[a-zåäö]", "a", re.sub(r"[A-ZÅÄÖ]", "A", re.sub(r"\d", "0", text)))


EXAMPLES = dict(read_cases(__file__)["EXAMPLES"])
ALL = [(label, text) for label, texts in EXAMPLES.items() for text in texts]
# What is written as it was, character for character.
IN_FORM = [
    pair
    for pair in ALL
    if pair[0] not in ("URL", "PROFILE", "IP_ADDRESS", "NORDIC_ID", "MAC_ADDRESS")
]


def test_every_class_has_examples():
    assert tuple(EXAMPLES) == OPTIONAL_LABELS
    assert {*OPTIONAL_LABELS} <= {*CLASSES}


@pytest.mark.parametrize("label, text", ALL)
def test_none_stays_and_all_agree(label, text):
    (new,) = replace(label, text)
    assert fold(new) != fold(text)
    assert replace(label, text, "zz 11 22")[0] == new
    assert len({replace(label, text, name=str(n))[0] for n in range(20)}) > 1


@pytest.mark.parametrize("label, text", IN_FORM)
def test_the_form_stays(label, text):
    (new,) = replace(label, text)
    assert get_form(new) == get_form(text)


@pytest.mark.parametrize("label", OPTIONAL_LABELS)
def test_different_ones_stay_different(label):
    texts = EXAMPLES[label]
    out = replace(label, *texts)
    assert len({*map(fold, out)}) == len(texts)
    assert not {*map(fold, out)} & {*map(fold, texts)}
    # In whatever order they come.
    assert replace(label, *reversed(texts)) == out[::-1]


# Of a web address only the number of the page is chosen.
@pytest.mark.parametrize("label", [label for label in OPTIONAL_LABELS if label != "URL"])
def test_what_is_known_is_no_surrogate(label):
    text = EXAMPLES[label][-1]
    (new,) = replace(label, text)
    assert replace(label, text, known=[(label, new)]) != [new]


@pytest.mark.parametrize("label", OPTIONAL_LABELS)
def test_any_text_is_taken(label):
    for text in ("", "!", "åäö ÅÄÖ", "x", "1", "ß", "12 ab 34", "//", "@", "٣٤"):
        (new,) = replace(label, text)
        assert isinstance(new, str) and (new or not text), text


@cases
def test_the_same_in_another_spelling(label, one, other):
    replacer = CLASSES[label]
    first, second = replace(label, one, other)
    assert replacer.read(first)[-8:] == replacer.read(second)[-8:]
    assert len({*replacer.identities([Mention(one), Mention(other)])}) == 1


@given(st.from_regex(r"[1-9][0-9][2-9][0-9]{6}", fullmatch=True))
def test_organisation_numbers_are_nobodys(payload):
    (new,) = replace("ORGANISATION_NUMBER", payload + luhn.calc_check_digit(payload))
    assert orgnr.is_valid(new)
    assert new[0] == "4" and new[2] >= "2"


@given(st.from_regex(r"[1-9][0-9]{5,6}", fullmatch=True))
def test_giros(payload):
    number = payload + luhn.calc_check_digit(payload)
    (bankgiro,), (plusgiro,) = replace("BANKGIRO", number), replace("PLUSGIRO", number)
    assert luhn.is_valid(bankgiro) and bankgiro.startswith("0" * (len(number) - 6))
    assert luhn.is_valid(plusgiro) and plusgiro[0] != "0"


def test_a_wrong_check_digit_stays_wrong():
    right, wrong = replace("BANKGIRO", "5050-1055", "5050-1056")
    assert luhn.is_valid(right.replace("-", ""))
    assert not luhn.is_valid(wrong.replace("-", ""))


@pytest.mark.parametrize("text", EXAMPLES["IBAN"])
def test_ibans(text):
    (new,) = replace("IBAN", text)
    assert iban.is_valid(new, check_country=False)
    assert new[:2] == text[:2]
    assert not text.startswith("SE") or new.replace(" ", "")[4:7] == "000"


def test_cards_are_those_for_tests():
    assert all(map(luhn.is_valid, TEST_CARDS))
    texts = [f"4111 1111 {n:04d} 1111" for n in range(40)]
    out = [text.replace(" ", "") for text in replace("CARD", *texts)]
    assert len({*out}) == 40
    assert {*out} > {card for card in TEST_CARDS if len(card) == 16}
    assert all(luhn.is_valid(card) for card in out)
    assert all(card in TEST_CARDS or card.startswith("9999") for card in out)
    assert replace("CARD", "4222222222228")[0].startswith("4")


@pytest.mark.parametrize("text", EXAMPLES["IP_ADDRESS"] + ["ip 10.0.0.1"])
def test_addresses_are_those_of_documentation(text):
    (new,) = replace("IP_ADDRESS", text)
    port = re.search(r"(?<=\d):(\d+)$", text) if "." in text else None
    address = ip_address(new.removesuffix(port[0]) if port else new)
    networks = NETWORKS if address.version == 4 else ["2001:db8::/32"]
    assert any(address in ip_network(network) for network in networks)
    assert port is None or new.endswith(port[0])


def test_network_cards_without_end():
    texts = [f"3c:22:fb:0a:{n // 256:02x}:{n % 256:02x}" for n in range(500)]
    out = replace("MAC_ADDRESS", *texts)
    assert len({*out}) == 500


@pytest.mark.parametrize("text", EXAMPLES["PLATE"])
def test_plates_are_no_vehicles(text):
    (new,) = replace("PLATE", text)
    assert new[0].upper() in "IQV"
    assert not {*new[1:3].upper()} & {*"IQV"}


@pytest.mark.parametrize("text", EXAMPLES["ACCOUNT"])
def test_accounts_are_nobodys(text):
    assert replace("ACCOUNT", text)[0][0] == "0"


def test_nordic_ids():
    finnish, norwegian, danish, icelandic = replace("NORDIC_ID", *EXAMPLES["NORDIC_ID"])
    assert hetu.is_valid(finnish, allow_temporary=True) and not hetu.is_valid(finnish)
    assert finnish[7] == "9" and finnish[6] == "-" and int(finnish[9]) % 2 == 0
    assert 81 <= int(norwegian[2:4]) <= 92
    assert norwegian[9] == fodselsnummer.calc_check_digit1(norwegian)
    assert norwegian[10] == fodselsnummer.calc_check_digit2(norwegian)
    assert 72 <= int(danish[:2]) <= 79 and int(danish[-1]) % 2 == 1
    assert 72 <= int(icelandic[:2]) <= 79 and icelandic[-1] == "9"


@cases
def test_addresses_on_the_net(label, text, new):
    (out,) = replace(label, text)
    assert re.fullmatch(new, out), out
    assert not re.search("anna|berg|resa|hemligt", out, re.IGNORECASE)


@pytest.mark.parametrize("text", ["1177.se", "https://www.facebook.com/", "www.fass.se"])
def test_a_public_site_alone_stays(text):
    assert replace("URL", text) == [text]
    assert CLASSES["URL"].keeps(Mention(text), Scope(KEY, "x"))


def test_pages_of_one_site_stay_on_one():
    first, second, other = replace("URL", "kry.se/boka", "www.kry.se/om", "min.se/om")
    assert first.partition("/")[0] == second.partition("/")[0].removeprefix("www.")
    assert other.partition("/")[0] != first.partition("/")[0]


def test_own_classes():
    scope = Scope(KEY, "x", True)
    lists = Listed("TEAM", ["röda laget", "blå laget", "gula laget"])
    first, second = lists.surrogates([Mention("Blå laget"), Mention("lag 4")], scope)
    assert first not in ("blå laget", second) and {first, second} < {*lists.pool.members}
    template = Template("ROOM", "sal ?-##")
    out = template.surrogates([Mention("Sal 4"), Mention("sal 4"), Mention("sal 5")], scope)
    assert re.fullmatch(r"sal [A-Z]-\d\d", out[0])
    assert out[0] == out[1] != out[2]


@cases
def test_strategies_of_own_classes(told, general, strategy):
    assert get_own_strategy(told, general) == strategy
