"""The names of conversations, each a key of its own, that tests go through."""

import os

from hypothesis import strategies as st

# With SV_DEID_ALL_KEYS=1 more of them.
ALL_KEYS = bool(os.environ.get("SV_DEID_ALL_KEYS"))
KEYS = [f"scope {i}" for i in range(8 if ALL_KEYS else 2)]


def json_values(*leaves):
    """RETURNS (SearchStrategy[Any]): What JSON can hold, and other leaves; the first is that of strings."""
    texts, *more = leaves or (st.text(),)
    return st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), texts, *more),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=5,
    )
