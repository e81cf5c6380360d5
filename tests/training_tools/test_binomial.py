"""Exact bounds of shares, against their definitions and what others tabulate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.measures.gate import get_upper_bound
from tests.cases import cases
from training_tools.binomial import (
    count_for_bound,
    get_exact_interval,
    get_p_value,
)


@pytest.mark.parametrize("units", [10, 60, 500])
def test_without_hits_it_is_the_rule_of_three(units):
    bound = get_upper_bound(0, units, 0.05)
    assert bound == pytest.approx(1 - 0.05 ** (1 / units))
    assert 2.5 / units < bound < 3 / units


@given(st.integers(0, 40), st.integers(1, 200), st.floats(0.01, 0.4))
def test_bound_is_where_the_test_just_fails(hits, more, delta):
    units = hits + more
    bound = get_upper_bound(hits, units, delta)
    assert hits / units < bound < 1
    assert get_p_value(hits, units, bound) == pytest.approx(delta, rel=1e-6)


def test_all_hit():
    assert get_upper_bound(7, 7, 0.05) == 1.0
    assert get_exact_interval(7, 7).high == 1.0 and get_exact_interval(0, 7).low == 0.0


@cases
def test_units_for_a_bound(bound, hits, units):
    assert count_for_bound(bound, hits, 0.05) == units
    assert get_upper_bound(hits, units, 0.05) <= bound < get_upper_bound(hits, units - 1, 0.05)
