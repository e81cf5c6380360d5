"""Agreement, by hand-computed cases and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

from components.measures.agreement import (
    OUTSIDE,
    TAGS,
    get_measures,
    measure_agreement,
    tag_tokens,
)
from components.shared.labels import LABELS
from tests.cases import span
from training_tools.agreement import (
    AGREED,
    BOTH,
    BOUNDS,
    CLASS,
    ONE_ONLY,
    count_differences,
    describe,
    find_differences,
    find_disputed,
    make_outcome,
    match_messages,
)

TEXT = "Anna Berg bor i Lund sen maj, tel 070"
ANNA, BERG, LUND, MAJ = (0, 4), (5, 9), (16, 20), (25, 28)
NAME = (0, 9)
PERSON = (NAME, "PERSON")


def make_spans(spans):
    return [span(*bounds, label) for bounds, label in spans]


def row(*spans, id="m", text=TEXT, **fields):
    return {"id": id, "text": text, "spans": make_spans(spans), **fields}


def test_tokens_of_a_message():
    tags = [TAGS[place] for place in tag_tokens(row((NAME, "PERSON"), ((16, 18), "LOCATION")))]
    # Ten tokens: the comma is one; a span in a token is of it.
    assert tags == ["PERSON", "PERSON", *[OUTSIDE] * 2, "LOCATION", *[OUTSIDE] * 5]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([(NAME, "PERSON")], [(NAME, "PERSON")], {("PERSON", "PERSON", AGREED): 1}),
        ([(NAME, "PERSON")], [(ANNA, "PERSON")], {("PERSON", "PERSON", BOUNDS): 1}),
        ([(LUND, "LOCATION")], [(LUND, "PERSON")], {("LOCATION", "PERSON", CLASS): 1}),
        ([(NAME, "PERSON")], [(ANNA, "DATE")], {("PERSON", "DATE", BOTH): 1}),
        ([], [(MAJ, "DATE")], {(OUTSIDE, "DATE", ONE_ONLY): 1}),
        ([(MAJ, "DATE")], [], {("DATE", OUTSIDE, ONE_ONLY): 1}),
        # Each is compared once; the class decides where as much is in common.
        ([(NAME, "PERSON")], [(ANNA, "DATE"), (BERG, "PERSON")],
         {("PERSON", "PERSON", BOUNDS): 1, (OUTSIDE, "DATE", ONE_ONLY): 1}),
    ],
)  # fmt: skip
def test_differences(one, other, expected):
    assert find_differences(make_spans(one), make_spans(other)) == expected


def measure(*annotators, **options):
    matched = match_messages(dict(zip("abc", annotators)))
    return {**measure_agreement(matched, **options), "differences": count_differences(matched)}


def test_two_annotators_by_hand():
    """Ten tokens. They agree on Anna, Berg and six outside; one has Lund, the other maj.
    p_o = .8; p_e = (2·2 + 1·0 + 0·1 + 7·7) / 100 = .53; kappa = .27 / .47."""
    figures = measure([row(PERSON, (LUND, "LOCATION"))], [row(PERSON, (MAJ, "DATE"))])
    (pair,) = figures["pairs"]
    assert pair["kappa"] == pytest.approx(0.27 / 0.47)
    assert pair["tokens"] == 10 and pair["entities"] == [2, 2]
    assert pair["f"] == 0.5 and pair["token_f"] == pytest.approx(4 / 6)
    assert pair["kappa.PERSON"] == 1.0 and pair["kappa.DATE"] == 0.0
    assert pair["f.LOCATION"] == 0.0 and pair["kappa.AGE"] is pair["f.AGE"] is None
    assert [figures["mean"][key] for key in ("kappa", "f")] == [pair["kappa"], pair["f"]]
    assert figures["differences"]["by_class"]["DATE"][ONE_ONLY] == 1
    confusions = [
        (*each["classes"], each["spans"]) for each in figures["differences"]["confusions"]
    ]
    assert confusions == [("LOCATION", OUTSIDE, 1), ("DATE", OUTSIDE, 1)]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(range(9)), st.sampled_from(range(9))), min_size=2))
def test_measures_are_those_of_scikit_learn(tokens):
    one, other = np.array(tokens).T
    confusion = np.zeros((9, 9), dtype=int)
    np.add.at(confusion, (one, other), 1)
    measures = get_measures(confusion, np.zeros((8, 3), dtype=int))
    if len(set(one) | set(other)) > 1:
        assert measures["kappa"] == pytest.approx(cohen_kappa_score(one, other))
    else:
        assert np.isnan(measures["kappa"])
    for place, label in enumerate(LABELS):
        is_one, is_other = one == place, other == place
        expected = f1_score(is_one, is_other, zero_division=np.nan)
        assert measures[f"token_f.{label}"] == pytest.approx(expected, nan_ok=True)
        if (is_one | is_other).any() and not (is_one & is_other).all():
            expected = cohen_kappa_score(is_one, is_other)
            assert measures[f"kappa.{label}"] == pytest.approx(expected)
    assert np.isnan(measures["f"])


def test_mean_of_three():
    perfect, half = row(PERSON), row((ANNA, "PERSON"))
    figures = measure([perfect], [perfect], [half])
    # Eight and nine of ten outside: p_e = (2·1 + 8·9) / 100.
    kappas = {"".join(pair["annotators"]): pair["kappa"] for pair in figures["pairs"]}
    assert kappas == pytest.approx({"ab": 1.0, "ac": 0.16 / 0.26, "bc": 0.16 / 0.26})
    assert figures["mean"]["kappa"] == pytest.approx((1 + 2 * 0.16 / 0.26) / 3)
    assert figures["mean"]["f"] == pytest.approx(1 / 3)


def test_pairs_of_those_who_read_the_same():
    """Two of three have no message in common: one pair less, and no zero in the mean."""
    rows = [row(PERSON, id=id) for id in "xyz"]
    figures = measure(rows[:2], rows[1:], rows[:1])
    pairs = [("".join(pair["annotators"]), pair["messages"]) for pair in figures["pairs"]]
    assert pairs == [("ab", 1), ("ac", 1)]
    assert figures["messages"] == 2 and figures["mean"]["kappa"] == 1.0


def test_intervals_are_over_conversations():
    """Ten conversations of ten messages each, of which half are agreed on: as wide as ten units are."""
    marks = [PERSON, (LUND, "LOCATION")]
    one = [row(PERSON, id=f"{n}", conversation=f"{n // 10}") for n in range(100)]
    other = [row(marks[n // 10 % 2], id=f"{n}", conversation=f"{n // 10}") for n in range(100)]
    low, high = measure(one, other)["mean"]["intervals"]["f"]
    assert low == pytest.approx(0.2, abs=0.05) and high == pytest.approx(0.8, abs=0.05)
    single = [[{**m, "conversation": ""} for m in rows] for rows in (one, other)]
    low, high = measure(*single)["mean"]["intervals"]["f"]
    assert low > 0.35 and high < 0.65


@pytest.mark.parametrize(
    ("annotators", "said"),
    [
        ([[row()]], "two annotators"),
        ([[row(id="x", text="a")], [row(id="y", text="b")]], "no message in common"),
        ([[row(), row(text="Hej")], [row()]], "has the message m twice"),
        ([[row()], [row(text="Hemligsson")]], "texts of 1 messages differ .* the first is m:"),
    ],
)
def test_what_cannot_be_compared(annotators, said):
    with pytest.raises(ValueError, match=said) as error:
        match_messages(dict(zip("abc", annotators)))
    assert "Hemligsson" not in str(error.value)


def test_files_without_ids_are_matched_by_text():
    matched = match_messages({"a": [row(id="a-1")], "b": [row(id="b-2"), row(id="b-1", text="Ja")]})
    assert [{name: one["id"] for name, one in rows.items()} for rows in matched] == [
        {"a": "a-1", "b": "b-2"}
    ]


def test_messages_to_talk_about():
    one = [row(PERSON, author="patient"), row(id="same")]
    matched = match_messages({"a": one, "b": [row((ANNA, "PERSON")), row(id="same")]})
    (disputed,) = find_disputed(matched)
    assert disputed["id"] == "m" and disputed["author"] == "patient"
    assert disputed["annotators"] == {"a": [[0, 9, "PERSON"]], "b": [[0, 4, "PERSON"]]}


def test_outcome_quotes_nothing():
    figures = measure([row((NAME, "PERSON"))], [row((ANNA, "PERSON"), (LUND, "LOCATION"))])
    outcome = make_outcome(figures)
    assert "moderate agreement" in outcome.says and "κ .412" in outcome.says
    assert not any(word in str(outcome) for word in ("Anna", "Lund"))
    nothing = measure([row()], [row()])
    assert "nobody has marked anything" in describe(nothing)
    assert make_outcome(nothing).tables[0].rows == [["mean", "–", "–", "–"]]
