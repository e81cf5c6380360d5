"""Leaks among surrogates: told where something tells them, and not where nothing does."""

from random import Random

import pytest

from components.lists.lists import read_lists
from lab.attack.facts import Shown
from lab.attack.frequency import guess_by_frequency
from lab.attack.leaks import Item, hide_leaks
from lab.attack.left_words import find_rare_words, measure_rare_words
from lab.attack.telling import tell_leaks
from lab.attack.traits import TRAITS, describe
from lab.surrogate_checks.known import Known
from lab.tests.surrogate_checks.talks import LISTS

KNOWN = Known(LISTS)
COMMON = [*KNOWN.first_names]


def make_items(rng, choose_leak, choose_surrogate, label="PERSON", size=600):
    items = []
    for _ in range(size):
        is_leak = rng.random() < 0.2
        text = (choose_leak if is_leak else choose_surrogate)(rng)
        items.append(Item(Shown(label, text, ""), f"c{rng.randrange(200)}", is_leak))
    return items


def draw_common(rng):
    return rng.choice(["Eva", "Maria", "Bror", "Joakim", "Henrik"])


def draw_rare(rng):
    return rng.choice(["Xyzzyna", "Qvarlo", "Ernfrid"])


def test_rare_leaks_are_told():
    figures = tell_leaks([make_items(Random(0), draw_rare, draw_common)], KNOWN)
    person = figures["classes"]["PERSON"]
    assert person["auc"] > 0.99 and person["precision"] > 0.95
    assert person["traits"]["rarity"] == 1.0
    assert figures["all"]["auc"] == person["auc"] and figures["all"]["items"] == 600
    assert figures["classes"]["DATE"] == {
        "items": 0, "leaks": 0, "auc": None, "interval": None, "precision": None, "base": None,
        "traits": None,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_leaks_like_surrogates_hide(seed):
    figures = tell_leaks([make_items(Random(seed), draw_common, draw_common)], KNOWN)["all"]
    # The standard error of the area is about .03.
    assert figures["auc"] == pytest.approx(0.5, abs=0.09)
    low, high = figures["interval"]
    assert low < figures["auc"] < high and high - low < 0.18
    assert figures["precision"] == pytest.approx(figures["base"], abs=0.12)


def test_numbers_of_series_set_aside():
    def draw_any(rng):
        return f"073-{rng.randrange(10**7):07}"

    def draw_fiction(rng):
        return f"070-17406{rng.randrange(10, 99)}"

    items = make_items(Random(0), draw_any, draw_fiction, "PHONE")
    assert tell_leaks([items], KNOWN)["classes"]["PHONE"]["traits"]["number series"] == 1.0


@pytest.mark.parametrize(
    ("label", "text", "value"),
    [
        ("PHONE", "070-174 06 05", 0), ("PHONE", "+46 (0)31-390 06 50", 0), ("PHONE", "031-390 05 50", 1),
        ("PHONE", "08-465 004 10", 0), ("PHONE", "040-628 04 00", 0), ("PHONE", "0980-31 92 99", 0),
        ("PID", "19900101-2385", 0), ("PID", "900101-1234", 1), ("PID", "18900101-9802", 0),
        ("EMAIL", "eva@mejl.example", 0), ("EMAIL", "eva@example.com", 0), ("EMAIL", "eva@post.se", 1),
    ],
)  # fmt: skip
def test_series(label, text, value):
    traits = describe([Item(Shown(label, text, ""), "c", False)], KNOWN)
    assert traits[0, TRAITS.index("number series")] == value


def test_traits_by_hand():
    shown = [
        ("PERSON", "Eva"),
        ("PERSON", "Eva"),
        ("PERSON", "Ernfrid"),
        ("PERSON", "Xyzzy Lundin"),
    ]
    shown += [
        ("DATE", "2019-05-15"),
        ("DATE", "2019-05-02"),
        ("DATE", "2024-05-02"),
        ("AGE", "45 år"),
    ]
    items = [Item(Shown(*one, ""), f"c{i}", False) for i, one in enumerate(shown)]
    traits = dict(zip(TRAITS, describe(items, KNOWN).T.tolist()))
    assert traits["rarity"] == [0, 0, 1, 1, 0, 0, 0, 0]
    assert traits["seldom"] == pytest.approx([-0.693, -0.693, *[0] * 6], abs=0.001)
    assert traits["later than others"] == [0, 0, 0, 0, 0, 0, 5, 0]
    assert traits["heaping"] == [0, 0, 0, 0, 1, 0, 0, 1]


ROWS = [
    {
        "id": str(i),
        "text": "Hej Anna på vårdcentralen, ring 073-1234567",
        "conversation": f"c{i // 2}",
        "spans": [
            {"start": 4, "end": 8, "label": "PERSON"},
            {"start": 12, "end": 25, "label": "ORGANISATION"},
            {"start": 32, "end": 43, "label": "PHONE"},
        ],
    }
    for i in range(20)
]


@pytest.mark.parametrize(("missed", "leaks"), [(0.0, 0), (1.0, 40), (0.5, None)])
def test_what_is_left_is_a_leak(lists_path, missed, leaks):
    lists = read_lists(str(lists_path))
    items = hide_leaks(ROWS, lists, "a key for the tests only", missed, Random(0))
    # What names no unit is meant to stay, and neither.
    assert {item.shown.label for item in items} == {"PERSON", "PHONE"} and len(items) == 40
    is_original = [item.shown.text in ("Anna", "073-1234567") for item in items]
    assert is_original == [item.is_leak for item in items]
    assert sum(is_original) == leaks or 8 < sum(is_original) < 32
    assert all(item.shown.before.endswith(("Hej ", "ring ")) for item in items)
    assert [item.conversation for item in items][::4] == [f"c{i}" for i in range(10)]


def make_changes(change):
    """A hundred names, one more frequent than the next."""
    return [(f"old{i}", change(i, n)) for i in range(100) for n in range(100 - i)]


def test_one_surrogate_everywhere_is_guessed():
    figures = guess_by_frequency(make_changes(lambda i, n: f"new{(37 * i) % 101}"))
    assert figures["found"] == 1.0 and figures["chance"][1] < 0.1


def test_another_surrogate_in_each_conversation_hides():
    rng = Random(0)
    figures = guess_by_frequency(make_changes(lambda i, n: f"new{rng.randrange(100)}"))
    low, high = figures["chance"]
    assert low - 0.01 <= figures["found"] <= high + 0.01 and figures["mean"] < 0.03


def test_rare_words_that_are_left():
    known = Known(LISTS | {"words": [{"word": "ont"}, {"word": "magen"}, {"word": "flöjt"}]})
    texts = [
        ("c", "Ont i magen, spelar klavikord"), ("c", "Klavikord igen! Eva, Xyzzyvik, ont"),
        ("d", "Fagott och flöjts magens"), ("e", "Fagott"), ("f", "Ont"),
    ]  # fmt: skip
    rows = [
        {"id": str(i), "text": text, "conversation": conversation, "spans": []}
        for i, (conversation, text) in enumerate(texts)
    ]
    rows[1]["spans"] = [{"start": 21, "end": 29, "label": "LOCATION"}]
    assert find_rare_words(rows, known) == [{"klavikord", "spelar", "igen"}, set(), set(), set()]
    figures = measure_rare_words(rows, known)
    assert figures["conversations"] == 4 and figures["share"] == 0.25 and figures["mean"] == 0.75
