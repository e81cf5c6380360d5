"""PID, PHONE, EMAIL."""

import re

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.se import personnummer

from components.surrogates import Mention, PhoneSurrogates, PidSurrogates, Scope
from components.surrogates.numbers.email import YEARS
from components.surrogates.numbers.email_words import FUNCTIONS, GROUP_OF
from components.surrogates.numbers.phone import SERIES, _area
from components.text.casing import to_ascii
from components.text.validators import get_spoken_digits
from tests.cases import cases, read_cases
from tests.surrogates.hand_lists import FIRST

CASES = read_cases(__file__)

RESERVED = {number for numbers in SERIES.values() for number in numbers}
RESERVED_NATIONAL = {f"0{number}" for number in RESERVED}
MOBILE = CASES["MOBILE"]
LANDLINE = CASES["LANDLINE"]


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def national(text: str) -> str:
    """The digits of a Swedish phone number without the country's and the zero in front."""
    return digits(text).removeprefix("0046").removeprefix("46").removeprefix("0")


def pids(texts: list[str], scope: str) -> list[str]:
    return PidSurrogates().surrogates([Mention(text) for text in texts], Scope(b"key", scope))


def phones(texts: list[str], scope: str, conversation: bool = False) -> list[str]:
    mentions = [Mention(text) for text in texts]
    return PhoneSurrogates().surrogates(mentions, Scope(b"key", scope, conversation))


@cases
def test_pid(scope, text):
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


def test_oldest_pid(scope):
    (new,) = pids(["18900101-9802"], scope)
    assert re.fullmatch(r"18[89]\d{5}-(?:98\d|238)\d", new)


@pytest.mark.parametrize("text", ["199013012385", "990230-1234", "991341 1234", "0000000000"])
def test_impossible_pid_stays_impossible(text, scope):
    (new,) = pids([text], scope)
    plain = digits(new)[-10:]
    assert plain[2:6] == digits(text)[-8:-4] and plain != digits(text)[-10:]
    assert personnummer.luhn.is_valid(plain)


@cases
def test_misspelled_pid_keeps_its_form(scope, text, extra):
    right, new = pids(["900101-2385", text], scope)
    assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text) and new != text
    if extra:
        match = re.fullmatch(extra, new)
        assert match and (match[1] == right) == ("2385" in text)


RESERVES = ["830412-R238", "19830412-T123", "830412R238", "19830412-R001", "19830412TF38"]


@pytest.mark.parametrize("reserve", [*RESERVES, "830412-A384"])
@pytest.mark.parametrize("number", ["830412-2391", "19830412-2391"])
def test_a_reserve_number_keeps_the_birth_date_of_its_personnummer(reserve, number, scope):
    for texts in ([reserve, number, "830412-S238"], [number, reserve], ["830412-S238", reserve]):
        new = dict(zip(texts, pids(texts, scope)))
        assert len({text.removeprefix("19")[:6] for text in new.values()}) == 1
        assert all(one != other for one, other in new.items())
        assert new[reserve][-4:].strip("0123456789") == reserve[-4:].strip("0123456789")


def test_two_reserve_numbers_of_a_birth_date_stay_two(scope):
    new = pids(["830412-R238", "830412-R451", "830412-T238"], scope)
    assert len({*new}) == 3


def test_spellings_of_a_pid_and_its_last_four(scope):
    new = pids(["19820618-9063", "820618-9063", "9063", "8206189063"], scope)
    assert {digits(text)[-4:] for text in new} == {new[2]}
    assert {digits(text)[-10:] for text in new if text != new[2]} == {new[3]}


def test_slip_in_the_last_four(scope):
    right, swapped, other, far = pids(["820618-9063", "9036", "9053", "1155"], scope)
    last = right[-4:]
    assert swapped == last[:2] + last[3] + last[2]
    assert [a != b for a, b in zip(other, last)] == [False, False, True, False]
    assert sum(a != b for a, b in zip(far, last)) > 1


def test_last_four_alone_is_a_permutation(scope):
    olds = [f"{number:04d}" for number in range(0, 10000, 37)]
    news = [pids([old], scope)[0] for old in olds]
    assert len(set(news)) == len(olds)
    for old, new in zip(olds, news):
        assert old != new and len(new) == 4 and int(old[2]) % 2 == int(new[2]) % 2


@pytest.mark.parametrize("text", MOBILE + LANDLINE)
def test_swedish_phone(text, scope):
    (new,) = phones([text], scope)
    plain = national(new)
    assert plain in RESERVED
    assert (plain in SERIES["mobile"]) == (text in MOBILE)
    assert re.match(r"^\D*", new)[0] == re.match(r"^\D*", text)[0]
    area, other = _area(national(text)), _area(plain)
    if text in MOBILE or len(digits(new)) == len(digits(text)) and area == other:
        assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text)
    assert bool(re.search(r"\d\D+\d", new)) == bool(re.search(r"\d\D+\d", text))


@pytest.mark.parametrize("text", LANDLINE)
def test_landline_goes_to_any_other_area(text):
    numbers = {national(*phones([text], f"scope {number}")) for number in range(60)}
    own = national(text)
    series = {area for area in SERIES if numbers & {*SERIES[area]}}
    assert series == {"31", "40", "8", "980"} - {own[: _area(own)]}


@cases
def test_landline_is_grouped_as_it_was(text, pattern):
    for number in range(30):
        (new,) = phones([text], f"scope {number}")
        assert re.fullmatch(pattern, new), new


@cases
def test_extension(scope, text):
    (new,) = phones([text], scope)
    (bare,) = phones([text[:12]], scope)
    assert new.startswith(bare) and new != bare + text[12:]
    assert re.sub(r"\d", "0", new[len(bare) :]) == re.sub(r"\d", "0", text[12:])


PUBLIC = ["112", "1177", "116 111", "020-50 50 50", "020505050", "+46 20 50 50 50"]


@pytest.mark.parametrize("text", PUBLIC)
def test_public_number_stays_unless_the_list_is_empty(text):
    rows = [{"name": name} for name in ("112", "1177", "116 111", "020-50 50 50", "Bris")]
    scope, mention = Scope(b"key", "a"), Mention(text)
    for replacer, stays in ((PhoneSurrogates(nationwide=rows), True), (PhoneSurrogates(), False)):
        assert replacer.keeps(mention, scope) == stays
        assert (replacer.surrogates([mention], scope) == [text]) == stays


@cases
def test_plausible_numbers(scope, text):
    (new,) = PhoneSurrogates(mode="plausible").surrogates([Mention(text)], Scope(b"key", scope))
    plain = national(new)
    assert new != text and re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text)
    assert plain not in RESERVED and phonenumbers.is_valid_number(phonenumbers.parse(new, "SE"))
    area = _area(plain)
    own = national(text)
    assert plain.startswith("7") or area == 1 or plain[:area] != own[:area]


@cases
def test_foreign_phone(scope, text):
    (new,) = phones([text], scope)
    assert new != text and re.sub(r"\d", "0", new) == re.sub(r"\d", "0", text)
    assert new[:3] == text[:3]
    assert not phonenumbers.is_valid_number(phonenumbers.parse(re.sub("^00", "+", new)))


def test_area_codes_are_those_of_the_plan():
    for code in range(100, 1000):
        digits = str(code)
        for rest in ("23456", "234567", "2345678"):
            number = phonenumbers.PhoneNumber(country_code=46, national_number=int(digits + rest))
            length = phonenumbers.length_of_geographical_area_code(number)
            if length:
                assert _area(digits + rest) == length


def test_spellings_of_a_phone(scope):
    new = phones(["070-612 93 35", "0046 70 612 93 35", "+46706129335", "0706129335"], scope)
    assert len({digits(text)[-9:] for text in new}) == 1


@pytest.mark.parametrize("conversation", [False, True])
@pytest.mark.parametrize("count", [60, 300])
@pytest.mark.parametrize("form", ["070-{:07d}", "+46 7{:08d}", "0480-{:05d}", "031-{:07d}"])
def test_phones_of_a_message_differ(conversation, count, form):
    texts = [form.format(number) for number in range(12340, 12340 + count)]
    new = phones(texts, "x", conversation)
    assert len(set(new)) == len(texts)
    # Where the series is exhausted, numbers begin with one of it.
    for text in new:
        plain = national(text)
        assert any(plain[: len(plain) - more] in RESERVED for more in range(2))


@given(st.permutations(["070-1234567", "0480 12345", "12345", "+47 912 44 087", "0701234568"]))
def test_order_of_phones_does_not_matter(texts):
    new = dict(zip(texts, phones(texts, "x")))
    assert [new[text] for text in sorted(texts)] == phones(sorted(texts), "x")


def test_misspelled_pid_follows_the_right_one(scope):
    right, wrong, other = pids(["900101-2385", "900101-2358", "900101-2393"], scope)
    # The same two digits change places, and the number is nobody's.
    assert wrong == f"{right[:-2]}{right[-1]}{right[-2]}" != other
    assert not luhn.is_valid(wrong.replace("-", ""))


@cases
def test_email(replace, text):
    (new,) = replace(f"[{text}]", "EMAIL")
    local, domain = new.lower().split("@")
    assert domain in ("example.com", "example.org", "example.net") or domain.endswith(".example")
    assert text.lower().split("@")[0] not in new.lower()
    assert new.isupper() == text.isupper() and new[0].isupper() == text[0].isupper()
    assert re.sub(r"[^\W_]+", "a", local) == re.sub(r"[^\W_]+", "a", text.lower().split("@")[0])


def test_email_parts_follow_the_names(replace, scope):
    name, *addresses = replace(
        "[Kristina Åkerhjelm|PERSON] [k.akerhjelm@x.se|EMAIL] [kristina.a@x.se|EMAIL] "
        "[kakerhjelm@y.se|EMAIL] [KristinaA@z.se|EMAIL] [Kristina.Akerhjelm@x.se|EMAIL]",
        conversation=scope,
    )
    first, surname = name.lower().translate(str.maketrans("åäöćčšž", "aaoccsz")).split()
    locals_ = [address.split("@")[0] for address in addresses]
    assert locals_ == [f"{first[0]}.{surname}", f"{first}.{surname[0]}", f"{first[0]}{surname}",
                       f"{first}{surname[0]}".capitalize(), f"{first}.{surname}".title()]  # fmt: skip
    assert len({address.split("@")[1] for address in (addresses[0], addresses[1])}) == 1


def test_words_in_addresses_that_name_nobody(replace):
    new = replace("[info@lund.se] [kontakt@lund.se] [INFO@LUND.SE]", "EMAIL")
    locals_ = {text.split("@")[0].lower() for text in new}
    assert locals_ <= {*FUNCTIONS.members} - {"info", "kontakt"}
    assert new[2] == new[0].upper()


@cases
def test_email_follows_pet_names_and_kinship_words(replace, scope, text, address):
    *people, email = replace(f"{scope}: {text}[{address}|EMAIL]")
    first, surname = people[0].split()
    assert email.partition("@")[0] == f"{to_ascii(people[-1].split()[0])}.{to_ascii(surname)}"
    assert first in FIRST["m", "sv"]


def test_a_plus_is_a_hundred_years(scope):
    """Born in 1922, not in 2022: nobody who may be a baby."""
    (short,), (whole,) = pids(["220101+2383"], scope), pids(["19220101-2383"], scope)
    assert short.replace("+", "-") == whole[2:] and "+" in short and whole[:2] == "19"
    (young,) = pids(["20220101-2383"], scope)
    assert young[:2] == "20" and pids(["220101-2383"], scope) == [young[2:]]


@cases
def test_local_number_follows_the_whole_one(scope, whole, local, follows):
    new, short = phones([whole, local], scope)
    assert digits(new).endswith(digits(short)) == follows and (" " in short) == (" " in local)
    assert len(digits(short)) in (len(digits(local)), 5, 6, 7, 8)


@cases
def test_functional_address_stays_one_of_its_sort(replace, scope, text, group):
    (new,) = replace(f"[{text}]", "EMAIL", scope)
    local, domain = new.split("@")
    assert (
        local.lower() in GROUP_OF[group].index
        and domain.startswith("example.")
        or ".example" in domain
    )
    assert local[0].isupper() == text[0].isupper()


def test_functional_address_of_a_unit_is_nobodys(replace, scope):
    (new,) = replace("[reception.bvc@x.se]", "EMAIL", scope)
    first, second = new.split("@")[0].split(".")
    assert first in GROUP_OF["info"].index and second in GROUP_OF["bvc"].index
    (new,) = replace("[bokning.ystad@x.se]", "EMAIL", scope)
    (town,) = replace("[Ystad]", "LOCATION", scope)
    assert new.split("@")[0].endswith(f".{to_ascii(town)}")


def test_organisation_in_an_address(replace, scope):
    text = "[Kvarnängsskolan|ORGANISATION] [eva.berg@kvarnangsskolan.nu|EMAIL] [kvarnangsskolan@gmail.com|EMAIL]"
    school, address, local = replace(f"{scope} {text}")
    assert address.split("@")[1] == f"{to_ascii(school)}.example"
    assert local.split("@")[0] == to_ascii(school)


def test_listed_organisation_in_a_domain(replace, scope):
    """Also where other messages of the conversation are not at hand."""
    (company,) = replace("[Scania]", "ORGANISATION", scope)
    (address,) = replace("[eva@scania.com]", "EMAIL", scope)
    assert address.split("@")[1] == f"{to_ascii(company)}.example"


def test_year_in_an_address_follows_a_birth_year_alone(replace, scope):
    text = f"{scope}: född [1987|DATE], [eva1987@x.se|EMAIL] [eva.berg87@x.se|EMAIL]"
    year, whole, short = replace(text)
    assert re.findall(r"\d+", whole.split("@")[0])[0] == year
    assert re.findall(r"\d+", short.split("@")[0])[0] == year[2:]


def test_unknown_year_in_an_address_stays_a_year(replace, scope):
    (new,) = replace("[eva1972@x.se]", "EMAIL", scope)
    (year,) = re.findall(r"\d+", new.split("@")[0])
    assert int(year) in YEARS and year != "1972"


@cases
def test_phone_on_two_lines_stays_on_two(scope: str, text: str, form: str):
    (new,) = phones([text], scope)
    assert re.fullmatch(form, new) and digits(new) in RESERVED_NATIONAL


@cases
def test_address_keeps_its_form(replace, scope: str, text: str, sign: str, at: str, dot: str):
    new, twin = replace(f"[{text}|EMAIL] [anna.ek@example.se|EMAIL]", conversation=scope)
    local, _, domain = twin.partition("@")
    assert new == local.replace(".", sign) + at + domain.replace(".", dot)
    assert {"anna", "ek"}.isdisjoint(local.split("."))


NUMBER_WORD = (
    r"(?:noll|ett|två|tre|fyra|fem|sex|sju|åtta|nio|tio|elva|tolv|\w+ton|\w+tio\w*|tjugo\w*)"
)


@cases
def test_spoken_phone_stays_spoken(scope: str, text: str, form: str):
    new, plain = phones([text, get_spoken_digits(text)], scope)
    assert re.fullmatch(form.replace("W", NUMBER_WORD), new, re.IGNORECASE) and new != text
    assert get_spoken_digits(new) == plain and plain in RESERVED_NATIONAL


@pytest.mark.parametrize("company", ["Kvists Bageri AB", "Kvists Bageri"])
def test_domain_follows_the_company(replace, company, scope):
    marked = f"[{company}|ORGANISATION] [order@kvistsbageri.se|EMAIL]"
    name, address = replace(marked)
    domain = re.sub(r"[^a-z]", "", to_ascii(name.removesuffix(" AB")))
    assert address.endswith(f"@{domain}.example")
