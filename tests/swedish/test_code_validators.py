import pytest

from components.swedish import code_validators
from components.swedish.validators import validators

CASES = {
    "ip_address": (
        ["192.168.1.1", "85.24.1.2:80", "fe80::1", "2001:db8::1:2"],
        ["1.2.3.4", "256.1.1.1", "10:15:30", "::1", "12::30", "1.2.3"],
    ),
    "ip_address_any": (["1.2.3.4", "::1"], ["1.2.3", "300.1.1.1", "10:15"]),
    "plate": (
        ["ABC 123", "abc12d", "XYZ-77A"],
        ["CRP 120", "HBA123", "AQC 123", "ABC 12O", "ABCD12", "COV 19B"],
    ),
    "organisation_number": (
        ["556012-5790", "SE556012579001", "16556012-5790", "802002-4215"],
        ["556012-5791", "811218-9876", "19811218-9876", "056012-5790", "5560125"],
    ),
    "bankgiro": (["123-4566", "5050-1055"], ["123-4567", "12-4566", "070-1740605"]),
    "bankgiro_bare": (["5050-1055"], ["0123-4563", "1900-2004", "1000-1405"]),
    "plusgiro": (["28 65 43-4", "18"], ["28 65 43-5", "5", "123456789"]),
    "iban": (["SE45 5000 0000 0583 9825 7466"], ["SE46 5000 0000 0583 9825 7466", "SE45"]),
    "card": (
        ["4111 1111 1111 1111", "378282246310005"],
        ["4111 1111 1111 1112", "1111 1111 1111 1117", "7310865004703"],
    ),
    "reserve_number": (
        ["19121212-K123", "991234567890", "1988T2840"],
        ["19121212-1212", "811218-9876", "abc"],
    ),
    "reserve_number_bare": (["19121212-K123"], ["19129912-K123"]),
    "finnish_id": (["131052-308T"], ["131052-308U", "310252-308Y"]),
    "norwegian_id": (["15108695088"], ["15108695077", "46701740612"]),
    "nordic_id": (["211062-5629", "120174-3399", "131052-308T"], ["321062-5629"]),
    "case_number": (["K-123", "20241107"], ["13.30", "ab12", "8:15"]),
    "case_number_bare": (
        ["K-2024-1", "7719003", "HSN22-0417"],
        ["2024", "120-150", "2024-03-12", "13:30", "v45b", "1234"],
    ),
    "handle": (["anna_b", "k99", "a.b"], ["anna", "123", "10.5"]),
}


def test_all_are_tried():
    module = code_validators.__name__
    own = {name for name, check in validators.get_all().items() if check.__module__ == module}
    assert own == {*CASES}


@pytest.mark.parametrize(
    "name, text, good",
    [(name, text, i == 0) for name, both in CASES.items() for i in (0, 1) for text in both[i]],
)
def test_validators(name, text, good):
    assert validators.get(name)(text) is good


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("text", ["", " ", "a", "-", "1" * 50, "åäö", "½", "٣"])
def test_any_text_is_taken(name, text):
    assert validators.get(name)(text) in (True, False)
