"""No surrogate is its original: over shares of the lists, made numbers and several keys."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from random import Random

import pytest
from stdnum import luhn

from components.surrogates import Mention, PidSurrogates, Scope
from components.surrogates.core.pools import Pool
from components.surrogates.core.replacer import is_same
from components.surrogates.core.resemblance import shows
from components.surrogates.numbers.email_words import DOMAINS, FUNCTIONS
from components.surrogates.numbers.phone import SERIES
from components.surrogates.organisations.organisation import OrganisationSurrogates
from components.surrogates.people.person import LETTERS
from tests.cases import cases
from tests.strategies import ALL_KEYS
from tests.surrogates.project_lists import CLASSES, LISTS

SHARES = 200  # of the lists
SOME = range(0, SHARES, 1 if ALL_KEYS else 20)
NAMES = [
    *{row["name"] for key in ("first_names", "surnames", "double_names") for row in LISTS[key]},
    *{row["nick"] for row in LISTS["nicknames"]},
    *LETTERS.members,
]
NAMES.sort()
PLACES = sorted({row["name"] for row in (*LISTS["places"], *LISTS["streets"])})
UNITS = [row["name"] for row in LISTS["organisation_names"] if row["type"] == "unit"]
ORGANISATIONS = sorted(
    {cell for row in LISTS["organisations"] for cell in (row["name"], row["abbreviation"]) if cell}
    | {*UNITS, "Björkbackens vårdcentral", "Ekängen", "Asplundsskolan"}
)


def make_pid(random: Random, serial: int | None = None) -> str:
    born = dt.date(1890, 1, 1) + dt.timedelta(days=random.randrange(49000))
    digits = f"{born:%y%m%d}{serial or random.randrange(1000):03d}"
    return f"{digits[:6]}-{digits[6:]}{luhn.calc_check_digit(digits)}"


def make_texts(number: int) -> dict[str, list[str]]:
    random = Random(number)
    date = dt.date(1950, 1, 1) + dt.timedelta(days=random.randrange(30000))
    pids = [make_pid(random), make_pid(random, 238), make_pid(random, 239)]
    series = sorted({n for numbers in SERIES.values() for n in numbers})
    phones = [f"0{n[:2]}-{n[2:]}" for n in random.sample(series, 8)]
    return {
        "PERSON": NAMES[number::SHARES],
        "LOCATION": [*PLACES[number::SHARES], f"{random.randrange(10000, 99999)}", f"E{random.randrange(90)}",
                     f"{random.choice(PLACES)} {random.randrange(2000)}"],
        "ORGANISATION": ORGANISATIONS[number::SHARES],
        "PID": [*pids, *(pid[-4:] for pid in pids), f"{random.randrange(10000):04d}", pids[0][:6],
                f"{pids[0][:-1]}{(int(pids[0][-1]) + 1) % 10}", "20240305-2386"],
        "PHONE": [*phones, *(phone[-random.randrange(5, 7):] for phone in phones),
                  f"+47 {random.randrange(10**8)}", f"070-{random.randrange(10**7):07}", "112", "0046"],
        "EMAIL": [f"{random.choice(FUNCTIONS.members)}@{domain}" for domain in DOMAINS.members]
                 + [f"{random.choice(NAMES)}{random.randrange(100)}@x.se".lower()],
        "DATE": [f"{date}", f"{date:%d/%m}", f"{date.day}:e", f"v {random.randrange(60)}", f"{date.year}",
                 "julafton", "maj", "påsken", f"{date:%y}0230", "3-5 maj", f"{date.year - date.year % 10}-talet"],
        "AGE": [f"{random.randrange(120)} år", f"{random.randrange(12)} veckor", "femtiofem",
                f"{random.randrange(24)} mån", "50-årsåldern", f"{random.randrange(10**4)}"],
    }  # fmt: skip


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("label", CLASSES)
def test_nothing_stays_itself(label, whole):
    replacer = CLASSES[label]
    for number in SOME:
        texts = make_texts(number)
        # Once more with what came out: what looks like a surrogate changes, too.
        for again in range(2):
            mentions: dict[str, list[Mention]] = defaultdict(list)
            for other, own in texts.items():
                mentions[other] = [Mention(text, message=i % 3) for i, text in enumerate(own)]
            originals = [text for own in texts.values() for text in own]
            scope = Scope(b"%d" % number, "c", True, originals, mentions, whole=whole)
            new = replacer.surrogates(mentions[label], scope)
            for mention, text in zip(mentions[label], new):
                if is_same(mention.text, text):
                    assert replacer.keeps(mention, scope), (number, again, mention.text)
                if label == "PERSON":
                    assert not shows(mention.text, text), (number, again, mention.text, text)
                # A few digits of a number stay a few.
                few = label in ("PID", "PHONE") and len(mention.text) in (4, 5, 6)
                if few and mention.text.isdigit() and not mention.text.startswith("00"):
                    # Those of a phone number are as many as the new area has, one more where its
                    # series is used up.
                    assert text.isdigit() and (label == "PHONE" or len(text) == len(mention.text))
            texts[label] = new


@cases
def test_what_is_kept(label, kept, changed):
    for text, is_kept in [*((text, True) for text in kept), *((text, False) for text in changed)]:
        scope = Scope(b"key", text)
        mention = Mention(text)
        (new,) = CLASSES[label].surrogates([mention], scope)
        assert CLASSES[label].keeps(mention, scope) == is_kept
        assert is_same(text, new) == is_kept, text


@pytest.mark.parametrize("year", ["9999-12-{}", "9998-12-{}", "0001-01-{:02}", "0002-01-{:02}"])
def test_dates_at_the_end_of_the_calendar(year):
    for number in range(40):
        texts = [year.format(day) for day in (10, 24, 31)] + [str(day) for day in range(1, 32)]
        scope = Scope(b"%d" % number, "c")
        new = CLASSES["DATE"].surrogates([Mention(text) for text in texts], scope)
        assert not any(map(is_same, texts, new))


def test_postal_codes_that_are_known():
    """All codes of a region: there is nothing left, and it ends."""
    known = [("LOCATION", f"{number} Lund") for number in range(22000, 23000)]
    scope = Scope(b"key", "c", known=known)
    (new,) = CLASSES["LOCATION"].surrogates([Mention("222 22 Lund")], scope)
    assert new != "222 22 Lund"


def test_many_numbers_of_one_day():
    random = Random(0)
    numbers = sorted({f"850312-{serial:03d}0" for serial in random.sample(range(1000), 300)})
    numbers = [f"{n[:-1]}{luhn.calc_check_digit(n[:6] + n[7:10])}" for n in numbers]
    new = CLASSES["PID"].surrogates([Mention(n) for n in numbers], Scope(b"key", "c"))
    assert len({*new}) == len(numbers)


def test_used_up_pool_of_organisations_gives_no_original():
    lists = {"organisations": [{"name": f"Foo{i}", "kind": "employer", "abbreviation": ""} for i in range(3)]}  # fmt: skip
    replacer = OrganisationSurrogates(lists, CLASSES["LOCATION"])
    texts = [f"Bar{i}" for i in range(9)] + ["Foo1"]
    new = replacer.surrogates([Mention(text) for text in texts], Scope(b"key", "c", False, texts))
    assert not any(map(is_same, texts, new))
    assert isinstance(replacer._get_pool(), Pool)


@pytest.mark.parametrize("name", "abcdefghijkl")
def test_original_that_nobody_has_is_better_than_a_surrogate_twice(name):
    scope = Scope(b"key", name, originals=["ana", "bea"])
    pool = Pool(["ana", "bea", "cia"])
    scope.ledger.pick("x", "cic", pool)
    scope.ledger.taken["x"].add("cia")
    assert scope.ledger.pick("x", "one", pool) in ("ana", "bea")


class Echo(PidSurrogates):
    """Fails to change anything but how it is written."""

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        return [f" {mention.text.swapcase()} " for mention in mentions]


@pytest.mark.parametrize("text", ["abc", "850312-2391", "８5 é"])
def test_other_writing_is_no_surrogate(text):
    (new,) = Echo().surrogates([Mention(text)], Scope(b"key", "c"))
    assert new in Echo()._get_pool().members


def test_number_without_area_code_that_its_surrogate_has_too():
    met = 0
    for number in range(3000):
        mentions = [Mention("0620-319250"), Mention("319250")]
        whole, local = CLASSES["PHONE"].surrogates(mentions, Scope(b"%d" % number, "c"))
        met += whole.endswith("319250")
        assert local.isdigit() and local != "319250" and len(local) in (6, 7, 8)
    assert met


@pytest.mark.parametrize("whole", [False, True])
def test_no_place_shows_its_original(whole):
    """No word, no four letters, no number of it."""
    replacer = CLASSES["LOCATION"]
    for number in SOME:
        texts = [
            *PLACES[number::SHARES],
            f"{PLACES[-number]} {number + 1}",
            f"{10000 + 449 * number}",
        ]
        mentions = [Mention(text) for text in texts]
        scope = Scope(b"%d" % number, "c", True, texts, {"LOCATION": mentions}, whole=whole)
        for mention, new in zip(mentions, replacer.surrogates(mentions, scope)):
            if not replacer.keeps(mention, scope):
                assert not shows(mention.text, new), (number, mention.text)
