"""Our counts against nervaluate's and scikit-learn's, on any spans that do not overlap."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate import Evaluator
from sklearn.metrics import precision_recall_fscore_support

from components.measures.bootstrap import get_shares
from components.measures.scores import ONE, Scores
from components.measures.spans import join_spans, match
from components.shared.labels import LABELS

TEXT = "Hej Anna B., ring 070-17 nu, mvh"
SOME = LABELS[:3]


@st.composite
def spans(draw):
    """Spans that do not overlap, in order."""
    cuts = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=12)))
    pairs = zip(cuts[::2], cuts[1::2]) if draw(st.booleans()) else pairwise(cuts)
    return [
        (start, end, draw(st.sampled_from(SOME))) for start, end in pairs if draw(st.booleans())
    ]


corpora = st.lists(st.tuples(spans(), spans()), min_size=1, max_size=4)


def count(corpus):
    scores = Scores()
    for gold, found in corpus:
        scores.add(TEXT, gold, found)
    return scores


def evaluate(corpus, tags=SOME, one=False):
    """nervaluate's results; the ends of its spans are within them."""
    gold, found = (
        [
            [{"label": SOME[0] if one else label, "start": start, "end": end - 1}
             for start, end, label in message]
            for message in side
        ]
        for side in zip(*corpus)
    )  # fmt: skip
    return Evaluator(gold, found, tags=list(tags), loader="dict").evaluate()


@given(corpora)
def test_as_nervaluate_counts(corpus):
    """Its `ent_type` pairs a span with the nearest, ours so that most have one: the same unless a span
    overlaps several.
    """
    scores, results = count(corpus), evaluate(corpus)
    strict, exact, partial = (results["overall"][name] for name in ("strict", "exact", "partial"))
    assert scores.entity() == (strict.correct, strict.actual, strict.possible)
    assert scores.entity().f1 == pytest.approx(strict.f1)
    assert scores.entity(ONE) == (exact.correct, exact.actual, exact.possible)
    own = scores.partial(ONE)
    assert own == (2 * partial.correct + partial.partial, 2 * partial.actual, 2 * partial.possible)
    theirs = partial.precision, partial.recall, partial.f1
    assert (own.precision, own.recall, own.f1) == pytest.approx(theirs)
    assert scores.relaxed(ONE).true == partial.correct + partial.partial
    alone = all(
        sum(one[0] < other[1] and other[0] < one[1] for other in others) <= 1
        for gold, found in corpus
        for side, others in ((gold, found), (found, gold))
        for one in side
    )
    for label, result in results["entities"].items():
        partial, kind = result["partial"], result["ent_type"]
        assert scores.partial(label).true == 2 * partial.correct + partial.partial
        assert scores.relaxed(label).true == partial.correct + partial.partial >= kind.correct
        assert scores.entity(label).true == result["strict"].correct
        assert not alone or scores.relaxed(label) == (kind.correct, kind.actual, kind.possible)


@given(spans(), spans())
def test_as_many_pairs_as_can_be(gold, found):
    """Against the greatest matching there is, found by augmenting paths."""
    left, right = [span[:2] for span in gold], [span[:2] for span in found]
    same = set(left) & set(right)
    left, right = ([span for span in side if span not in same] for side in (left, right))
    taken = {}

    def find(i, seen):
        for j, span in enumerate(right):
            if j not in seen and left[i][0] < span[1] and span[0] < left[i][1]:
                seen.add(j)
                if j not in taken or find(taken[j], seen):
                    taken[j] = i
                    return True
        return False

    most = sum(find(i, set()) for i in range(len(left)))
    assert match([*left, *same], [*right, *same]) == (len(same), most)


def tag_tokens(message):
    """The label of each of the tokens, by hand: runs of letters and digits, other signs one by one."""
    tags, at = [], 0
    while at < len(TEXT):
        end = at + 1
        while TEXT[at].isalnum() and end < len(TEXT) and TEXT[end].isalnum():
            end += 1
        if not TEXT[at].isspace():
            within = [label for start, stop, label in message if start <= at and end <= stop]
            tags.append(within[0] if within else "O")
        at = end
    return tags


def get_edges():
    return [0, *(i for i in range(1, len(TEXT)) if not TEXT[i - 1 : i + 1].isalnum()), len(TEXT)]


@st.composite
def whole_tokens(draw):
    """Spans whose ends part no token."""
    edges = get_edges()
    cuts = sorted(draw(st.sets(st.sampled_from(edges), max_size=8)))
    return [(start, end, draw(st.sampled_from(SOME))) for start, end in zip(cuts[::2], cuts[1::2])]


@given(st.lists(st.tuples(whole_tokens(), whole_tokens()), min_size=1, max_size=4))
def test_tokens_and_averages(corpus):
    """As seqeval counts, on tokens without their place in the span (the thesis' counting)."""
    scores = count(corpus)
    gold = [tag for message, _ in corpus for tag in tag_tokens(message)]
    found = [tag for _, message in corpus for tag in tag_tokens(message)]
    shares = get_shares(scores.get_ratios(SOME), SOME)
    seen = [label for label in SOME if label in gold or label in found]
    counted = {"macro": bool(seen), "weighted": any(label in gold for label in SOME)}
    for kind, is_counted in counted.items():
        own = [shares[f"token_{kind}.{name}"] for name in "prf"]
        if is_counted:
            wanted = precision_recall_fscore_support(
                gold, found, labels=seen, average=kind, zero_division=0
            )
            assert own == pytest.approx(wanted[:3])
        else:
            assert own == [None] * 3
    micro = precision_recall_fscore_support(
        gold, found, labels=SOME, average="micro", zero_division=0
    )
    own = scores.token()
    assert (own.precision, own.recall, own.f1) == pytest.approx(micro[:3])
    one = [np.array([tag != "O" for tag in tags]) for tags in (gold, found)]
    assert scores.token(ONE) == ((one[0] & one[1]).sum(), one[1].sum(), one[0].sum())


@given(spans(), spans())
def test_joining(gold, found):
    """Joined spans are right at least as often, and joining twice changes nothing."""
    joined = join_spans(TEXT, [span[:2] for span in gold])
    assert join_spans(TEXT, joined) == joined
    scores = count([(gold, gold)])
    assert scores.merged_spans.recall == bool(gold) and scores.merged_spans.precision == bool(gold)
    merged, strict = count([(gold, found)]).merged_spans, count([(gold, found)]).entity(ONE)
    assert merged.gold - merged.true <= strict.gold - strict.true
