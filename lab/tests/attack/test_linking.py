"""Linking to a register: weaknesses that are planted are found, and nothing where nothing is said."""

import datetime as dt
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from lab.attack.facts import FactReader, Facts
from lab.attack.linking import ablate, link, measure, rank
from lab.attack.register import VISITS, make_register
from lab.attack.signals import SIGNALS, count_aligned
from lab.surrogate_checks.known import Known
from lab.tests.surrogate_checks.talks import LISTS, rows

N_PEOPLE, N_OTHERS = 60, 140
SIZE = N_PEOPLE + N_OTHERS
DAY = dt.date(2024, 3, 5)
ORIGINS = ("sv", "ar", "fi")
FIRST_NAMES = (
    "Adam", "Berta", "Cesar", "Disa", "Erik", "Frida", "Gustav", "Hanna", "Ivar", "Jenny", "Karl",
)  # fmt: skip
READER = FactReader(
    Known(
        LISTS
        | {
            "first_names": rows(
                "name gender origin era common",
                *[
                    f"{name}|{'mf'[i % 2]}|{ORIGINS[i % 3]}||1"
                    for i, name in enumerate(FIRST_NAMES)
                ],
            )
        }
    )
)


def make_people(rng):
    """People of whom all is said, but for numbers and addresses."""
    people = []
    for _ in range(N_PEOPLE):
        facts = Facts(
            first=rng.choice([*READER.known.first_names]),
            last=rng.choice([*READER.known.surnames]),
            place=rng.choice([*READER.known.places]),
            age=rng.randrange(100),
            month=rng.randrange(1, 13),
            dates=[DAY + dt.timedelta(rng.randrange(900)) for _ in range(4)],
        )
        READER.describe_first(facts)
        facts.region = READER.find_region(facts.place)
        people.append(facts)
    return people


@pytest.fixture(scope="module")
def people():
    return make_people(Random(0))


@pytest.fixture(scope="module")
def register(people):
    return make_register(people, SIZE, READER, Random(1))


def attack(told, register, signals=tuple(SIGNALS)):
    return measure([rank(link(told, register), signals)], len(register))


def test_register_holds_them_among_others_like_them(people, register):
    assert len(register) == SIZE
    for person, entry in zip(people, register):
        assert entry.first == person.first and {*person.dates} <= {*entry.dates}
    for entry in register:
        assert len(entry.dates) == VISITS and entry.region == READER.find_region(entry.place)
        assert None not in (entry.first, entry.last, entry.age, entry.month)
    for name in ("gender", "origin", "region"):
        shares = [
            np.mean([getattr(one, name) == getattr(people[0], name) for one in group])
            for group in (people, register[N_PEOPLE:])
        ]
        assert shares[0] == pytest.approx(shares[1], abs=0.2)


def test_what_is_not_told_is_drawn():
    people = [Facts(last="lundin"), Facts(first="eva", age=40), Facts()]
    register = make_register(people, 10, READER, Random(0))
    assert register[0].last == "lundin" and all(one.first for one in register)
    assert all(38 <= one.age <= 42 for one in register) and register[1].age == 40
    # Nobody tells a place or a date.
    assert all(one.place is None and not one.dates for one in register)


def test_identity_is_found(people, register):
    figures = attack(people, register)
    assert figures["top1"] > 0.98 and figures["above"] > 0.99
    assert attack(people, register, ["dates"])["top1"] > 0.9


def test_others_at_random_are_chance(people, register):
    measured = [attack(make_people(Random(100 + seed)), register) for seed in range(8)]
    # Of eight times sixty uniform ranks; three standard errors.
    error = 3 / (8 * N_PEOPLE) ** 0.5
    above = np.mean([figures["above"] for figures in measured])
    assert above == pytest.approx(0.5, abs=error * 12**-0.5)
    top5 = np.mean([figures["top5"] for figures in measured])
    assert top5 == pytest.approx(5 / SIZE, abs=error * (5 / SIZE) ** 0.5)
    figures = measured[0]
    assert figures["chance"] == {"top1": 1 / SIZE, "top5": 5 / SIZE, "above": 0.5}


def test_nothing_told_is_chance_exactly(register):
    figures = attack([Facts()] * N_PEOPLE, register)
    assert figures["top1"] == pytest.approx(1 / SIZE) and figures["above"] == pytest.approx(0.5)
    assert figures["intervals"]["top5"] == pytest.approx([5 / SIZE, 5 / SIZE])


def move(facts, *days):
    return Facts(dates=[date + dt.timedelta(n) for date, n in zip(facts.dates, days)])


def test_distances_give_away_what_one_offset_moves(people, register):
    rng = Random(0)
    told = [move(facts, *[-7 * rng.randrange(40, 300)] * 4) for facts in people]
    assert attack(told, register, ["distances of dates"])["top1"] > 0.9
    assert attack(told, register, ["dates"])["top1"] < 0.1


def test_dates_give_away_what_no_offset_moves(people, register):
    told = [Facts(dates=facts.dates[:1]) for facts in people]
    assert attack(told, register, ["dates"])["top5"] > 0.9
    assert attack(told, register, ["distances of dates"])["top1"] == pytest.approx(1 / SIZE)


def test_an_offset_for_each_date_hides(people, register):
    rng = Random(0)
    told = [move(facts, *(-7 * rng.randrange(40, 300) for _ in range(4))) for facts in people]
    assert attack(told, register)["above"] == pytest.approx(0.5, abs=0.13)


def test_ablation_names_what_is_kept(people, register):
    """Only the age is kept, nearly, and the gender by half."""
    rng = Random(0)
    told = [
        replace(fake, age=true.age + rng.choice((-2, -1, 1, 2)), gender=true.gender if i % 2 else fake.gender)
        for i, (fake, true) in enumerate(zip(make_people(Random(7)), people))
    ]  # fmt: skip
    figures = ablate([link(told, register)], SIZE)
    assert figures["age"]["kept"] > 0.9 and figures["age"]["told"] == N_PEOPLE
    assert 0.2 < figures["gender"]["kept"] < 0.9 and figures["surname"]["kept"] < 0.1
    best = max(figures, key=lambda name: figures[name]["alone"]["above"])
    worst = min(figures, key=lambda name: figures[name]["without"]["above"])
    assert best == worst == "age"


@pytest.mark.parametrize(
    ("dates", "visits", "around", "aligned"),
    [
        ([0, 10, 30], [5, 15, 35], 0, 3),
        ([0, 10, 30], [5, 15, 36], 0, 2),
        ([0, 10], [5, 375 + 5], 0, 1),
        # Without years: around new year, and a day lost in a leap year.
        ([0, 10], [360, 5], 365, 2),
        ([0, 10], [5, 16], 365, 2),
        ([0, 10], [5, 17], 365, 1),
    ],
)
def test_dates_that_align(dates, visits, around, aligned):
    dates, visits = ([DAY + dt.timedelta(n) for n in days] for days in (dates, visits))
    assert count_aligned(dates, visits, around) == aligned


def test_keys_of_a_conversation_are_one_unit():
    """Under either key the same half is found: as many units, as wide an interval."""
    ranks = np.array([[0, 1], [9, 1]] * 20)
    one, two = measure([ranks], 10), measure([ranks, ranks], 10)
    assert one == two and one["top1"] == 0.5 and one["above"] == 0.5
    low, high = one["intervals"]["top1"]
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 40**0.5, abs=0.05)
    assert measure([np.array([[0, 4]])], 10)["top1"] == 0.25
