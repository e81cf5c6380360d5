"""PID, PHONE, EMAIL."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.se import personnummer

from components.surrogates import Mention, PhoneSurrogates, PidSurrogates, Scope
from components.surrogates.phone import SERIES

SCOPES = [f"scope {i}" for i in range(6)]
PIDS = [
    "199001012385",
    "19900101-2385",
    "900101-2385",
    "900101 2385",
    "9001012385",
    "900101 - 2385",
    "9 0 0 1 0 1 - 2 3 8 5",
    "1990-01-01-2385",
    "67-03-22/8111",
    "911019–3584",
    "701063-2391",
    "20110923-2866",
    "150529-8277",
    "730520-153O",
    "OOO115-6835",
]
RESERVED = {number for numbers in SERIES.values() for number in numbers}
MOBILE = [
    "070-123 45 67",
    "0701234567",
    "070 123 45 67",
    "0701-23 45 67",
    "0701.23.45.67",
    "073/1234567",
    "+46 70 123 45 67",
    "+46(0)70-123 45 67",
    "0046701234567",
    "00467 01 23 45 67",
    "+46 (0) 76 123 45 67",
    "072-12 34 567",
    "(079) 123 45 67",
]
LANDLINE = [
    "031-123 45 67", "08-123 456 78", "08-12 34 56", "0480-123 45", "0480 12 34 56", "018-12 34 56",
    "(0176) 520 41", "(046) 17 33 20", "0503/341 92", "046173320", "+46 8 123 456 78",
    "+46 (0)31 123 45", "042 - 38 17 70", "0980-12345",
]  # fmt: skip


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def pids(texts: list[str], scope: str) -> list[str]:
    return PidSurrogates().surrogates([Mention(text) for text in texts], Scope(b"key", scope))


def phones(texts: list[str], scope: str, conversation: bool = False) -> list[str]:
    mentions = [Mention(text) for text in texts]
    return PhoneSurrogates().surrogates(mentions, Scope(b"key", scope, conversation))


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("text", PIDS)
def test_pid(text, scope):
    (new,) = pids([text], scope)
    old = text.replace("O", "0")
    assert new != text and re.sub(r"\d", "0", new) == re.sub(r"\d", "0", old)
    plain = digits(new)
    assert int(plain[-2]) % 2 == int(digits(old)[-2]) % 2
    assert plain[-4:-1] in ("238", "239")
    born = plain[-10:]
    if int(born[4:6]) > 60:
        assert int(digits(old)[-6:-4]) > 60
        # stdnum knows no coordination numbers: check the digit with the day taken back.
        assert personnummer.luhn.is_valid(born)
    else:
        assert personnummer.is_valid(plain)


@pytest.mark.parametrize("scope", SCOPES)
def test_oldest_pid(scope):
    (new,) = pids(["18900101-9802"], scope)
    assert re.fullmatch(r"1(?:889|890)\d{4}-(?:98\d|238)\d", new)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("text", ["199013012385", "990230-1234", "991341 1234", "0000000000"])
def test_impossible_pid_stays_impossible(text, scope):
    (new,) = pids([text], scope)
    plain = digits(new)[-10:]
    assert plain[2:6] == digits(text)[-8:-4] and plain != digits(text)[-10:]
    assert personnummer.luhn.is_valid(plain)


@pytest.mark.parametrize("scope", SCOPES)
def test_spellings_of_a_pid_and_its_last_four(scope):
    new = pids(["19820618-9063", "820618-9063", "9063", "8206189063"], scope)
    assert {digits(text)[-4:] for text in new} == {new[2]}
    assert {digits(text)[-10:] for text in new if text != new[2]} == {new[3]}


@pytest.mark.parametrize("scope", SCOPES)
def test_last_four_alone_is_a_permutation(scope):
    olds = [f"{number:04d}" for number in range(0, 10000, 37)]
    news = [pids([old], scope)[0] for old in olds]
    assert len(set(news)) == len(olds)
    for old, new in zip(olds, news):
        assert old != new and len(new) == 4 and int(old[2]) % 2 == int(new[2]) % 2


@pytest.mark.parametrize("scope", SCOPES)
def test_twins(scope):
    new = pids(["010817-1234", "010817-3456", "010817-1338"], scope)
    assert len(set(new)) == 3


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("text", MOBILE + LANDLINE)
def test_swedish_phone(text, scope):
    (new,) = phones([text], scope)
    plain = digits(new).removeprefix("0046").removeprefix("46").removeprefix("0")
    assert plain in RESERVED
    assert (plain in SERIES["mobile"]) == (text in MOBILE)
    assert re.match(r"^\D*", new)[0] == re.match(r"^\D*", text)[0]
    if len(digits(new)) == len(digits(text)):
        assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text)
    assert bool(re.search(r"\d\D+\d", new)) == bool(re.search(r"\d\D+\d", text))


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(
    "text", ["+47 912 44 087", "+48 601 224 915", "+354 691 2240", "004791244087"]
)
def test_foreign_phone(text, scope):
    (new,) = phones([text], scope)
    assert new != text and re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text)
    assert new[:3] == text[:3]


@pytest.mark.parametrize("scope", SCOPES)
def test_spellings_of_a_phone(scope):
    new = phones(["070-612 93 35", "0046 70 612 93 35", "+46706129335", "0706129335"], scope)
    assert len({digits(text)[-9:] for text in new}) == 1


@pytest.mark.parametrize("conversation", [False, True])
def test_phones_of_a_message_differ(conversation):
    texts = [f"070-{number:07d}" for number in range(1234000, 1234060)]
    assert len(set(phones(texts, "x", conversation))) == len(texts)


@given(st.text(max_size=20))
def test_any_text(text):
    for surrogates in (PidSurrogates(), PhoneSurrogates()):
        (new,) = surrogates.surrogates([Mention(text)], Scope(b"key", "any"))
        assert isinstance(new, str)


EMAILS = [
    "eva.berg@telia.com", "EVA.BERG@TELIA.COM", "e.berg@gmail.com", "evaberg@live.se",
    "eva_berg85@outlook.com", "info@vardcentral.se", "q-x.y+z@a.b.c", "kristina.akerhjelm@x.se",
    "a1b2c3@x.nu", "Eva@x.se",
]  # fmt: skip


@pytest.mark.parametrize("text", EMAILS)
def test_email(replace, text):
    (new,) = replace(f"[{text}]", "EMAIL")
    local, domain = new.lower().split("@")
    assert domain in ("example.com", "example.org", "example.net") or domain.endswith(".example")
    assert text.lower().split("@")[0] not in new.lower()
    assert new.isupper() == text.isupper() and new[0].isupper() == text[0].isupper()
    assert re.sub(r"[^\W_]+", "a", local) == re.sub(r"[^\W_]+", "a", text.lower().split("@")[0])


def test_email_follows_the_name(replace):
    name, dotted, one = replace(
        "[Kristina Åkerhjelm|PERSON] [kristina.akerhjelm@x.se|EMAIL] [k_akerhjelm@x.se|EMAIL]"
    )
    first, surname = name.lower().translate(str.maketrans("åäö", "aao")).split()
    assert dotted.split("@")[0] == f"{first}.{surname}"
    assert one.split("@")[0] == f"{first[0]}_{surname}"


def test_emails_of_a_message_differ(replace):
    new = replace(" ".join(f"[namn{i}@x.se]" for i in range(20)), "EMAIL")
    assert len(set(new)) == 20
