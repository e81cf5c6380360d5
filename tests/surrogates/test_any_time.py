"""Whatever is taken for a date, an age or a personnummer is replaced, in every mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import AgeSurrogates, DateSurrogates, Mention, PidSurrogates, Scope
from components.surrogates.core.replacer import Replacer, is_same
from tests.cases import read_cases

PIECES = read_cases(__file__)["PIECES"]
TEXTS = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " ", "-"])), min_size=1, max_size=6
).map(lambda pieces: "".join(piece + gap for piece, gap in pieces).strip())
MODES: dict[str, Replacer] = {
    "shift": DateSurrogates(), "month": DateSurrogates("month"), "year": DateSurrogates("year"),
    "age": AgeSurrogates(), "bands": AgeSurrogates("bands"), "pid": PidSurrogates(),
}  # fmt: skip
LABELS = {"age": "AGE", "bands": "AGE", "pid": "PID"}


@pytest.mark.parametrize("mode", MODES)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=4),
    before=st.sampled_from(["", "född ", "den ", "-", "från 40 år, läsåret ", "God "]),
    name=st.integers(0, 200).map(str),
    whole=st.booleans(),
)
def test_any_time(mode, texts, before, name, whole):
    mentions = [Mention(text, before, "", i % 2, 30 * i) for i, text in enumerate(texts)]
    own = {LABELS.get(mode, "DATE"): mentions}
    scope = Scope(b"key", name, True, mentions=own, whole=whole)
    replacer = MODES[mode]
    for mention, new in zip(mentions, replacer.surrogates(mentions, scope)):
        assert new and (not is_same(mention.text, new) or replacer.keeps(mention, scope))
