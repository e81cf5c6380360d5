"""Whatever is taken for a date, an age or a personnummer is replaced, in every mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import AgeSurrogates, DateSurrogates, Mention, PidSurrogates, Scope
from components.surrogates.core.replacer import Replacer, is_same

WORDS = """
första andra tredje nionde trettioförsta fjortonde två tjugo nittio femtisju hundratre nittonhundra
tjugohundratjugotre nittonhundraåttiosju noll en ett halv halvt halvår och å o eller snart till - – / . , : :e
:a e 0 1 2 7 12 13 28 29 30 31 32 45 53 54 87 99 00 05 100 1899 1987 2024 2100 9999 0001 240229 19870312 år
åring årig årsåldern plus + ½ 1/2 månader mån veckor v vecka dagar dgr d m y kvartalet kvartal q1 q ht vt
läsåret sommaren våren anno -talet tal jan februari mars maj Nov DEC juli agusti måndag tors fredagen den i
julafton jul påsk påskveckan midsommarafton lucia advent nyårsaftonen skottdagen född tonåring xyz
"""
PIECES = WORDS.split()
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
