"""Whatever an entity looks like: it is replaced, and never by itself."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.surrogates import Mention, Scope, make_classes
from components.surrogates.core.replacer import is_same
from components.text.casing import fold
from components.text.folding import fold_text
from tests.cases import cases, read_cases
from tests.surrogates.hand_lists import LISTS as HAND
from tests.surrogates.hand_lists import make_doc

CLASSES = make_classes(HAND)
# Letters that fold together, digits of others, what cannot be seen, marks without a letter.
ODD = "ıİſKÅßﬁǅ٣４²½৩\u200b\u200f\u202e\u00ad\u0301\u030a\u00a0\u2009\u3164\0\x1f\x85\u2028‐–−'’.,:/@+()"
WORDS = read_cases(__file__)["WORDS"]
TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(ODD + "aå19 ", max_size=12),
    st.lists(st.sampled_from([*WORDS, *ODD, " ", " ", "\n"]), max_size=8).map("".join),
)


@pytest.mark.parametrize("label", CLASSES)
@given(TEXTS, st.text(ODD + "född på ", max_size=6), st.booleans())
@example("3 januarı", "", True)
@example("JANUARİ 1980", "född ", True)
@example("123\u00a045 Täby", "", True)
@example("123\t45", "", True)
@example("123\u202f45 Täby", "", False)
@example("99991231-2385", "", True)
@example("00010107-2385", "", False)
@example("a" + " by" * 500, "", True)
@example("+46", "", True)
@example("", "", True)
def test_any_text_is_replaced(label, text, before, whole):
    mention = Mention(text, before)
    scope = Scope(b"key", "any", True, [text], {label: [mention]}, whole=whole)
    (new,) = CLASSES[label].surrogates([mention], scope)
    assert not is_same(text, new) or CLASSES[label].keeps(mention, scope)
    (name,) = CLASSES[label].identities([mention])
    assert isinstance(name, str)


@cases
def test_folded_text_is_read(generator, label, one, other):
    texts = []
    for text in (one, other):
        doc = generator(make_doc(f"[{text}]", label, "c"))
        assert not doc._.failed
        texts.append(doc._.replacements[0]["replacement"])
    assert texts[0] == texts[1] and not is_same(texts[0], other)


def test_text_around_is_folded(generator):
    doc = generator(make_doc("f\u00f6d\u200bd [1987-03-12|DATE] [1987|DATE] [870312-2389|PID]"))
    born, _, pid = (entry["replacement"] for entry in doc._.replacements)
    assert pid[:6] == born[2:].replace("-", "")


def test_known_values_are_folded(generator):
    doc = make_doc("[Anna|PERSON]", conversation="c")
    pool = generator._classes["PERSON"].chooser.first_pools.of("anna").members
    doc._.known = {"name": [f"{name[0]}\u200b{name[1:]}" for name in pool if name != "Eva"]}
    doc.spans["known"] = []
    assert generator(doc)._.deidentified == "Eva"


@given(st.text(max_size=8), st.text(max_size=8))
def test_same(one, other):
    assert is_same(one, one.swapcase()) or fold(one) != fold(one.swapcase())
    assert is_same(one, other) == is_same(other, one)
    assert is_same(fold_text(one).text, one)
