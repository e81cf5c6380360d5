"""The measures, on cases counted by hand."""

import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from components.measures.scores import ONE, Prf, Ratio, Scores, add_up
from components.model.scoring import make_group_scorer
from tests.cases import read_cases

TEXT = "Hej Anna Berg, ring 070-1740605"
GOLD = [(4, 13, "PERSON"), (20, 31, "PHONE")]


def score(predicted, gold=GOLD, text=TEXT, **kwargs):
    scores = Scores(**kwargs)
    scores.add(text, gold, predicted)
    return scores


@pytest.mark.parametrize(
    "predicted, entity, one, token, token_one, redact, full", read_cases(__file__)["test_measures"]
)
def test_measures(predicted, entity, one, token, token_one, redact, full):
    scores = score(predicted)
    assert scores.entity() == Prf(*entity)
    assert scores.entity(ONE) == Prf(*one)
    assert scores.token() == Prf(*token)
    assert scores.token(ONE) == Prf(*token_one)
    assert scores.redact() == redact
    assert scores.full == full


def test_prf():
    prf = Prf(true=1, predicted=2, gold=4)
    assert (prf.precision, prf.recall) == (0.5, 0.25)
    assert prf.f1 == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    assert Prf(0, 0, 0).f1 == Prf(0, 0, 0).precision == Prf(0, 0, 0).recall == 0.0
    assert Ratio(0, 0).share is None and Ratio(0, 1).share == 0.0 and Ratio(1, 2).share == 0.5


def test_classes():
    scores = score([(4, 13, "PERSON"), (0, 3, "DATE")], labels=["PERSON"])
    assert scores.entity() == Prf(1, 1, 1) and scores.full == 1.0
    scores = score([GOLD[0], (0, 3, "PHONE")])
    assert scores.entity("PERSON") == Prf(1, 1, 1) and scores.entity("PHONE") == Prf(0, 1, 1)
    assert scores.redact("PERSON") == 1.0
    assert scores.redact("PHONE") == scores.redact("DATE") == 0.0
    scores = score([(4, 8, "PERSON"), (9, 13, "LOCATION")])
    assert scores.token("PERSON") == Prf(1, 1, 2) and scores.token("LOCATION") == Prf(0, 1, 0)
    assert scores.redact("PERSON") == 1.0 and scores.redact() == 0.5


def test_messages_without_phi():
    right, wrong = score([], gold=[]), score([(0, 3, "PERSON")], gold=[])
    assert (right.clean, right.full, wrong.clean, wrong.full) == (1.0, 0.0, 0.0, 0.0)
    assert Scores().redact() == Scores().full == Scores().clean == 0.0


def test_punctuation_need_not_be_covered():
    assert score([(0, 2, "PERSON")], gold=[(0, 3, "PERSON")], text="J. x").redact() == 1.0
    assert score([(0, 1, "PERSON")], gold=[(0, 2, "PERSON")], text="J. x").redact() == 1.0


def test_messages_add_up():
    scores = Scores()
    scores.add(TEXT, GOLD, GOLD)
    scores.add(TEXT, GOLD, GOLD[:1])
    scores.add("ont", [], [])
    assert scores.full == 0.5
    assert scores.clean == 1.0
    assert scores.redact() == 0.75


def test_update_is_as_if_all_were_added():
    whole, part = Scores(), Scores()
    for text, gold, predicted in [(TEXT, GOLD, GOLD[:1]), ("ont", [], [(0, 3, "DATE")])]:
        whole.add(text, gold, predicted)
        one = Scores()
        one.add(text, gold, predicted)
        part.update(one)
    labels = ["PERSON", "PHONE", "DATE"]
    assert part.get_ratios(labels) == whole.get_ratios(labels)
    assert (part.full, part.clean, part.redact()) == (0.0, 0.0, 0.5)


@pytest.mark.parametrize(
    "predicted, relaxed, relaxed_one, partial, partial_one",
    read_cases(__file__)["test_relaxed_and_partial"],
)
def test_relaxed_and_partial(predicted, relaxed, relaxed_one, partial, partial_one):
    scores = score(predicted)
    assert scores.relaxed() == Prf(*relaxed)
    assert scores.relaxed(ONE) == Prf(*relaxed_one)
    assert scores.partial() == Prf(*partial)
    assert scores.partial(ONE) == Prf(*partial_one)


@pytest.mark.parametrize("predicted, merged", read_cases(__file__)["test_merged_spans"])
def test_merged_spans(predicted, merged):
    assert score(predicted).merged_spans == Prf(*merged)


def test_merged_spans_are_no_errors_within_what_is_right():
    """Two gold spans side by side, found as one: the joined one is right, and neither is missed."""
    scores = score([(4, 13, "PERSON")], gold=[(4, 8, "PERSON"), (9, 13, "PERSON")])
    assert scores.merged_spans == Prf(1, 1, 1)


def test_leak_is_what_is_missed_for_each_sentence():
    scores = score([GOLD[0]], text=TEXT + ". Tack!\nHej")
    assert scores.get_ratios()["leak"] == Ratio(1, 3)
    wrong_class = score([(4, 13, "LOCATION"), GOLD[1]])
    assert wrong_class.get_ratios()["leak"] == Ratio(1, 1)
    assert wrong_class.get_ratios(())["left"] == Ratio(0, 1)


def test_what_a_thousand_messages_hold():
    whole = add_up([score([]), score(GOLD), score([], gold=[]), score(GOLD, gold=[])])
    ratios = whole.get_ratios(())
    assert ratios["left"] == Ratio(2, 4)
    assert ratios["leaky"] == Ratio(1, 4) and ratios["spoilt"] == Ratio(1, 4)


@pytest.mark.parametrize(
    "predicted, direct, other, left, spoilt, f2", read_cases(__file__)["test_what_is_left_of_whom"]
)
def test_what_is_left_of_whom(predicted, direct, other, left, spoilt, f2):
    gold = [(4, 13, "PERSON"), (20, 31, "DATE")]
    ratios = score(predicted, gold=gold).get_ratios(())
    names = ("redact_direct", "redact_other", "characters.left", "characters.spoilt", "strict.f2")
    expected = [Ratio(*each) for each in (direct, other, left, spoilt, f2)]
    assert [ratios[name] for name in names] == expected


def test_conversations():
    """A conversation is full, or clean, if each of its messages is that can be."""
    right, leaky, bare, spoilt = (GOLD, GOLD), (GOLD, GOLD[:1]), ([], []), ([], GOLD)
    talks = [[right, right, bare], [right, leaky], [right, bare, spoilt], [bare]]
    units = []
    for talk in talks:
        unit = Scores()
        for gold, predicted in talk:
            unit.add(TEXT, gold, predicted)
        unit.close_conversation()
        units.append(unit)
    ratios = add_up([*units, score([]), score([], gold=[])]).get_ratios(())
    assert ratios["conversations.full"] == Ratio(2, 3)
    assert ratios["conversations.clean"] == Ratio(2, 3)


def test_ratios():
    scores = Scores()
    scores.add(TEXT, GOLD, [(4, 13, "LOCATION"), GOLD[1]])
    scores.add("ont", [], [])
    ratios = scores.get_ratios(["PERSON", "DATE"])
    assert ratios["strict.p"] == ratios["strict.r"] == Ratio(1, 2)
    assert ratios["strict.f"] == Ratio(2, 4)
    assert ratios["strict_one_class.f"] == Ratio(4, 4)
    assert ratios["token.p"] == Ratio(3, 5) and ratios["token_one_class.p"] == Ratio(5, 5)
    assert ratios["redact"] == Ratio(2, 2)
    assert ratios["full"] == ratios["clean"] == Ratio(1, 1)
    assert ratios["per_class.PERSON.redact"] == Ratio(1, 1)
    assert ratios["per_class.PERSON.r"] == Ratio(0, 1)
    assert ratios["per_class.DATE.f"] == Ratio(0, 0) and ratios["per_class.DATE.f"].value == 0.0
    assert "per_class.PHONE.f" not in ratios


@pytest.mark.parametrize(("group", "ents", "f"), read_cases(__file__)["test_group_scorer"])
def test_group_scorer(group, ents, f):
    words = ["Hej", "Anna", "Berg", ",", "ring", "0701740605"]
    vocab = spacy.blank("sv").vocab
    gold, found = Doc(vocab, words=words), Doc(vocab, words=words)
    gold.ents = [Span(gold, 1, 3, "PERSON"), Span(gold, 5, 6, "PHONE")]
    found.ents = [Span(found, *ends) for ends in ents]
    if group is not None:
        found.spans["found"] = [Span(found, *ends) for ends in group]
    scores = make_group_scorer("found")([Example(found, gold)])
    assert scores["found_f"] == pytest.approx(f)
    assert set(scores["found_per_type"]) == {"PERSON", "PHONE"}


def test_nothing_to_score():
    doc = Doc(spacy.blank("sv").vocab, words=["Hej"])
    assert make_group_scorer("found")([Example(doc.copy(), doc)])["found_f"] is None


def test_one_class_of_several_with_one_bound():
    """Two spans of the same bounds and different classes: one of them is right."""
    scores = score([GOLD[0], (4, 13, "LOCATION"), (20, 28, "PHONE")])
    assert scores.entity() == Prf(1, 3, 2)
    assert scores.entity(ONE) == Prf(1, 3, 2)
    # 070, the hyphen, and half of a number, which counts by where it begins.
    assert scores.token("PHONE") == Prf(3, 3, 3)


@pytest.mark.parametrize(
    ("text", "n"),
    [("Anna Berg", 2), ("A.B.", 4), ("070-17", 3), ("  a  b ", 2), ("å1ö", 1), ("--", 2)],
)
def test_tokens_are_words_and_single_signs(text, n):
    scores = score([], gold=[(0, len(text), "PERSON")], text=text)
    assert scores.token(ONE) == Prf(0, 0, n)
