"""Whole messages for hypothesis: what people write to care givers, and what nobody writes."""

import os

from hypothesis import strategies as st

from tests.mutations import MUTATIONS

# The names of conversations, each a key of its own, that tests go through: with SV_DEID_ALL_KEYS=1 more of them.
ALL_KEYS = bool(os.environ.get("SV_DEID_ALL_KEYS"))
KEYS = [f"scope {i}" for i in range(8 if ALL_KEYS else 2)]

PIECES = [
    "Hej", "jag heter", "Anna Lind", "mamma Eva", "BO EK", "lasse", "/LN", "MVH//Anna", "i Lund",
    "Storgatan 12", "123 45 Täby", "070-1740605", "+46 (0)31 39 006 00", "900101-2385",
    "19900101 2385", "sista fyra 2385", "anna@example.com", "3 maj", "11/3", "2022-03-11", "nio år",
    "34 år", "8 mån", "vårdcentralen", "Capio", "FK Lund", "Alvedon 500 mg", "120/80", "37,4",
    "Parkinsons", "kl 8.30", "v. 25", "😀", "t.ex.", "a_a_", "www.a.se", "🇸🇪", "½",
]  # fmt: skip
GLUE = ["", " ", " ", " ", "\n", ", ", "/", "-", "\u200b", "\u00a0", "\t", ":", "(", ")", "."]


@st.composite
def pieces(draw):
    piece = draw(st.sampled_from(PIECES))
    if draw(st.integers(0, 2)) == 0:
        mutation = MUTATIONS[draw(st.sampled_from(sorted(MUTATIONS)))]
        piece = mutation(piece, draw(st.randoms(use_true_random=False)))
    return piece


def messages():
    """RETURNS (SearchStrategy[str]): Messages."""
    part = pieces() | st.text(max_size=8) | st.sampled_from(GLUE)
    return st.lists(st.tuples(part, st.sampled_from(GLUE)), max_size=8).map(
        lambda parts: "".join(text + glue for text, glue in parts)
    )


def json_values(*leaves):
    """RETURNS (SearchStrategy[Any]): What JSON can hold, and other leaves; the first is that of strings."""
    texts, *more = leaves or (st.text(),)
    return st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), texts, *more),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=5,
    )
