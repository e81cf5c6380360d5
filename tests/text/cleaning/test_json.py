"""JSON stays JSON: whatever is replaced in it, it has the same fields, and all else is as it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import clean_text
from components.text.cleaning.json_text import find_parts
from components.text.cleaning.originals import apply_to_original
from tests.cases import cases, check_replaced
from tests.strategies import json_values

WORDS = st.text('Anna Öb,.:\\"\n/{}[]%=&<>å😀', max_size=8)
VALUES = json_values(WORDS, st.floats(allow_nan=False))
TREES = st.dictionaries(WORDS, VALUES, min_size=1, max_size=3) | st.lists(VALUES).map(
    lambda some: [*some, "x"]
)


@st.composite
def make_text(draw) -> str:
    indent = draw(st.sampled_from([None, 0, 2]))
    return json.dumps(draw(TREES), ensure_ascii=draw(st.booleans()), indent=indent)


def get_shape(value: Any) -> Any:
    """The lists and dicts of a value, without what is in them."""
    if isinstance(value, dict):
        return [get_shape(some) for some in value.values()]
    return [get_shape(some) for some in value] if isinstance(value, list) else None


def read(text: str) -> Any:
    # As pairs: two keys may become one.
    return json.loads(text, object_pairs_hook=lambda pairs: dict(enumerate(pairs)))


@given(make_text(), st.data())
def test_json_stays_json(text: str, data):
    folded = clean_text(text)
    places = st.integers(0, len(folded.text))
    bounds = sorted(data.draw(st.lists(places, max_size=8, unique=True)))
    entries = [
        {"start": start, "end": end, "replacement": data.draw(WORDS | st.just("47"))}
        for start, end in zip(bounds[::2], bounds[1::2])
    ]
    out, replaced = apply_to_original(folded, entries)
    assert get_shape(read(out)) == get_shape(read(text))
    check_replaced(text, out, replaced)


@given(make_text())
def test_strings_are_found(text: str):
    strings: list[str] = []
    json.loads(text, object_pairs_hook=lambda pairs: strings.extend(key for key, _ in pairs))
    keys = [
        json.loads(f'"{text[part.start : part.end]}"') for part in find_parts(text) if part.is_key
    ]
    assert sorted(keys) == sorted(strings)


@cases
def test_examples(text: str, find: str, new: str, out: str):
    folded = clean_text(text)
    start = folded.text.index(find)
    entry = {"start": start, "end": start + len(find), "replacement": new}
    assert apply_to_original(folded, [entry])[0] == out


def test_a_number_with_two_finds():
    folded = clean_text('{"a": 198503127517, "b": ""}')
    start = folded.text.index("1985")
    entries = [
        {"start": start, "end": start + 8, "replacement": "1990-01-01"},
        {"start": start + 8, "end": start + 12, "replacement": "X"},
    ]
    assert apply_to_original(folded, entries)[0] == '{"a": "1990-01-01", "b": ""}'


@pytest.mark.parametrize(
    "text", ["[" * 100_000 + '"', '{"a": ' * 50_000, '{"a": ' + "1" * 10_000 + "}"]
)
def test_deep_and_long_json(text: str):
    assert clean_text(text).original == text
