"""From entities to mentions, and back to text."""

from components.surrogates.core.mentions import NEAR, class_of, in_own_order, make_mention
from tests.cases import cases
from tests.surrogates.hand_lists import make_doc


def test_mention():
    doc = make_doc("Hej [Anna|PERSON] där")
    (ent,) = doc.ents
    assert make_mention(ent, doc.text, 7) == ("Anna", "Hej ", " där", 7, 4)


def test_what_stands_around_a_mention_is_cut():
    doc = make_doc("x" * 100 + "[Anna|PERSON]" + "y" * 100)
    mention = make_mention(doc.ents[0], doc.text, 0)
    assert (mention.before, mention.after) == ("x" * NEAR, "y" * NEAR)
    assert mention.start == 100


def test_mention_is_folded():
    doc = make_doc("nr\u00a0[070\u2011174 06 05|PHONE]")
    mention = make_mention(doc.ents[0], doc.text, 0)
    assert (mention.text, mention.before) == ("070-174 06 05", "nr ")


@cases
def test_class_of_what_a_model_with_one_class_found(text, label):
    (ent,) = make_doc(f"[{text}|PHI]").ents
    assert class_of(ent) == label
    (ent,) = make_doc(f"[{text}|LOCATION]").ents
    assert class_of(ent) == "LOCATION"


def test_own_order():
    docs = [make_doc(text) for text in ("b [Bo|PERSON]", "a", "b [Bo|AGE]")]
    texts, ents = [doc.text for doc in docs], [doc.ents for doc in docs]
    assert in_own_order(texts, ents) == [1, 2, 0]
    assert in_own_order(texts[::-1], ents[::-1]) == [1, 0, 2]
    assert in_own_order(["b"], [[]]) == [0]
