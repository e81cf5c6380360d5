"""The measures, on cases counted by hand."""

import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from components.measures.scores import Prf, Ratio, Scores, add_up
from components.model.scoring import make_group_scorer
from tests.cases import cases

TEXT = "Hej Anna Berg, ring 070-1740605"
GOLD = [(4, 13, "PERSON"), (20, 31, "PHONE")]


def score(found, gold=GOLD, text=TEXT, labels=None):
    scores = Scores(labels)
    scores.add(text, gold, found)
    return scores


@cases
def test_measures(message, measures):
    scores = score(**message)
    for key, value in measures.items():
        name, _, label = key.partition(" ")
        if name == "ratios":
            assert scores.get_ratios(["PERSON", "DATE"])[label] == Ratio(*value), key
        else:
            counted = getattr(scores, name)
            assert (counted(*filter(None, [label])) if callable(counted) else counted) == value, key


def test_prf():
    prf = Prf(true=1, predicted=2, gold=4)
    assert (prf.precision, prf.recall) == (0.5, 0.25)
    assert prf.f1 == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    assert Prf(0, 0, 0).f1 == Prf(0, 0, 0).precision == Prf(0, 0, 0).recall == 0.0
    assert Ratio(0, 0).share is None and Ratio(0, 1).share == 0.0 and Ratio(1, 2).share == 0.5


@cases
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
    bare = Doc(vocab, words=words)
    assert make_group_scorer("found")([Example(bare.copy(), bare)])["found_f"] is None


def test_messages_add_up():
    right, leaky, bare, spoilt = (GOLD, GOLD), (GOLD, GOLD[:1]), ([], []), ([], GOLD)
    parts = [score(found, gold) for gold, found in (right, leaky, bare, spoilt)]
    whole, together = add_up(parts), Scores()
    for gold, found in (right, leaky, bare, spoilt):
        together.add(TEXT, gold, found)
    assert whole.get_ratios(["PERSON", "PHONE"]) == together.get_ratios(["PERSON", "PHONE"])
    assert (whole.full, whole.clean, whole.redact()) == (0.5, 0.5, 0.75)
    ratios = whole.get_ratios()
    assert [ratios[name] for name in ("left", "leaky", "spoilt")] == [Ratio(1, 4)] * 3
    assert "per_class.PHONE.f" not in whole.get_ratios(["PERSON"])
    # A conversation is full, or clean, if each of its messages is that can be.
    talks = [[right, right, bare], [right, leaky], [right, bare, spoilt], [bare]]
    units = [add_up(score(found, gold) for gold, found in talk) for talk in talks]
    for unit in units:
        unit.close_conversation()
    ratios = add_up([*units, score([]), score([], gold=[])]).get_ratios(())
    assert ratios["conversations.full"] == ratios["conversations.clean"] == Ratio(2, 3)
    assert Scores().redact() == Scores().full == Scores().clean == 0.0
