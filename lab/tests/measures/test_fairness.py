"""Groups of names and writers, and how far they are from the mean."""

import pytest

from lab.measures.fairness import (
    GENDER,
    LEAST,
    LISTED,
    LOOK,
    ORIGIN,
    OTHER_ORIGINS,
    NameGroups,
    find_worst,
    measure,
    pool_origins,
    read_entities,
    tell_writer,
)
from tests.cases import read_cases
from tests.surrogates.hand_lists import LISTS

CASES = read_cases(__file__)
A, B, ALL = ("x", "a"), ("x", "b"), ("y", "all")


@pytest.fixture(scope="module")
def names():
    return NameGroups(LISTS)


@pytest.mark.parametrize(("name", "origins", "gender"), CASES["test_listed_names"])
def test_listed_names(names, name, origins, gender):
    (groups,) = names.tell([name])
    assert groups == [(LISTED, "yes"), *((ORIGIN, origin) for origin in origins), (GENDER, gender)]


@pytest.mark.parametrize(("name", "look"), CASES["test_unlisted_names"])
def test_unlisted_names(names, name, look):
    assert names.tell([name]) == [[(LISTED, "no"), (LOOK, look)]]


def test_unlisted_names_from_abroad():
    """An origin must have so many names to be told by their letters."""
    stems = (
        "Bab Dod Gav Kab Lab Mit Nad Pop Rad Sab Tod Vid Zor Bog Dam Gor Jad Kad Lov Mil Nov Per"
    )
    surnames = [
        {"name": stem + ending, "origin": origin, "gender": "", "ambiguous": ""}
        for ending, origin in (("lund", "sv"), ("ović", "bks"))
        for stem in stems.split()
    ]
    groups = NameGroups({**LISTS, "surnames": surnames}).tell(["Anna Nadkabdović"])
    assert groups == [[(LISTED, "no"), (LOOK, "does not look Swedish")]]


def test_initials(names):
    assert names.tell(["AL", "Anna L"])[0] == [(LISTED, "initials only")]
    assert names.tell(["Anna L"])[0][0] == (LISTED, "yes")


@pytest.mark.parametrize(("text", "spans", "told"), CASES["test_writers"])
def test_writers(text, spans, told):
    row = {"text": text, "spans": [{"start": start, "end": end} for start, end in spans]}
    assert [name for _, name in tell_writer(row, "own", [3, 5, 8])] == ["own", *told]


def test_rows_tell_of_their_writers():
    row = {"text": "Hej", "spans": [], "writer": "second language", "author": "patient"}
    groups = tell_writer(row, "own", [3, 5, 8])
    assert groups[-2:] == [("author", "patient"), ("writer", "second language")]


def test_entities(names):
    anna, pid = {"start": 4, "end": 8, "label": "PERSON"}, {"start": 9, "end": 13, "label": "PID"}
    row = {"text": "Hej Anna 2391", "spans": [anna, pid]}
    rows = [{**row, "conversation": "a"}, {**row, "conversation": "a"}]
    # Another class covers; half a name, and a number of another message, do not.
    found = [[(4, 8, "AGE")], [(4, 6, "PERSON"), (9, 13, "PID")]]
    entities = read_entities({"one": rows, "two": rows[:1]}, {"one": found, "two": [[]]}, names)
    assert [entity.unit for entity in entities] == [0, 0, 0, 0, 1, 1]
    assert [entity.redacted for entity in entities] == [True, False, False, True, False, False]
    assert entities[2].groups == [(LISTED, "yes"), (ORIGIN, "Swedish"), (GENDER, "women's")]
    assert entities[3].label == "PID" and not entities[3].groups
    assert [entity.writers[0] for entity in entities] == [("set", "one")] * 4 + [("set", "two")] * 2


def test_gaps():
    n = 2 * LEAST
    redacted = [i % 10 > 0 for i in range(n)] + [i % 2 > 0 for i in range(n)] + [False]
    groups = [(A, ALL)] * n + [(B, ALL)] * n + [(ALL, ("x", "few"))]
    share, gaps = measure(range(len(groups)), redacted, groups)
    assert share.value == pytest.approx(1.4 * n / (2 * n + 1))
    first, every, second = gaps
    assert [gap.group for gap in gaps] == [A, ALL, B] and first.entities == n
    # Those of all are all, on each sample.
    assert tuple(every.gap) == (0.0, 0.0, 0.0) and every.redact == share
    assert first.gap.value == pytest.approx(0.9 - share.value) and first.gap.is_sure
    assert second.gap.low < second.gap.value < second.gap.high < 0
    assert find_worst(gaps) == second and find_worst([first, every]) is None


def test_conversations_are_resampled_whole():
    """One conversation: all samples are the same."""
    redacted = [i % 2 > 0 for i in range(2 * LEAST)]
    _, (apart,) = measure(range(len(redacted)), redacted, [[A]] * len(redacted))
    _, (whole,) = measure([0] * len(redacted), redacted, [[A]] * len(redacted))
    assert whole.redact == (0.5, 0.5, 0.5) and apart.redact.low < 0.5 < apart.redact.high


def test_rare_origins_are_one_group():
    thai, somali, women = (ORIGIN, "Thai"), (ORIGIN, "Somali"), (GENDER, "women's")
    groups = pool_origins([[somali]] * LEAST + [[thai, (ORIGIN, "Lao"), women], [(LISTED, "no")]])
    assert groups[0] == [somali] and groups[-2] == [(ORIGIN, OTHER_ORIGINS), women]
    assert groups[-1] == [(LISTED, "no")]
