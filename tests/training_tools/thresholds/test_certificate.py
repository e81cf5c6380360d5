"""Promises of the leak rate: kept on populations that are known, as often as promised."""

import numpy as np
import pytest

from components.measures.gate import get_upper_bound
from training_tools.thresholds.certificate import certify

GRID = (0.1, 0.2, 0.3, 0.4, 0.5)
DRAWS = 1500
ALPHA = DELTA = 0.1


def draw(rng, rates, units=150):
    """Draw units from a population of which these shares leak at each threshold of the grid. What
    leaks at one leaks at the higher ones."""
    points = rng.random(units)
    return lambda threshold: (int((points < rates[GRID.index(threshold)]).sum()), units)


# Just above alpha at once, at the second, and far above, with a fall that the order does not see.
POPULATIONS = [
    (0.101, 0.2, 0.3, 0.4, 0.5), (0.01, 0.101, 0.101, 0.101, 0.101), (0.02, 0.05, 0.09, 0.11, 0.3),
    (0.05, 0.16, 0.09, 0.12, 0.01),
]  # fmt: skip


@pytest.mark.parametrize("rates", POPULATIONS)
def test_promise_is_kept(rates):
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(DRAWS):
        certified = certify(draw(rng, rates), ALPHA, DELTA, GRID).certified
        wrong += any(rates[GRID.index(threshold)] > ALPHA for threshold in certified)
    # Three standard errors of a share that is delta.
    assert wrong / DRAWS <= DELTA + 3 * (DELTA * (1 - DELTA) / DRAWS) ** 0.5


def test_promise_is_not_empty():
    """What leaks half as much as is allowed is certified nearly always."""
    rng = np.random.default_rng(0)
    rates = (0.01, 0.02, 0.04, 0.3, 0.5)
    best = [certify(draw(rng, rates), ALPHA, DELTA, GRID).certified[-1:] for _ in range(200)]
    assert sum(one == [0.3] for one in best) > 150


def count(*leaks, units=100):
    return lambda threshold: (leaks[GRID.index(threshold)], units)


@pytest.mark.parametrize(
    ("leaks", "certified", "tested"),
    # Of 100 units 4 may leak for a promise of .1: P(Bin(100, .1) <= 4) = .0237, <= 5: .0576.
    [
        ((0, 1, 4, 5, 0), [0.1, 0.2, 0.3], 4),
        ((4, 4, 4, 4, 4), [*GRID], 5),
        ((5, 0, 0, 0, 0), [], 1),
    ],
)
def test_tests_end_where_one_fails(leaks, certified, tested):
    certificate = certify(count(*leaks), 0.1, 0.05, GRID)
    assert certificate.certified == certified and len(certificate.tested) == tested
    assert certificate.tested[0].p_value == pytest.approx({0: 2.66e-5, 4: 0.0237, 5: 0.0576}[leaks[0]], rel=0.01)  # fmt: skip


def test_smallest_that_can_be_promised_is_told():
    leaks = count(2, 2, 2, 2, 2)
    certificate = certify(leaks, 0.01, 0.05, GRID)
    says = certificate.describe(None)
    assert "cannot be certified" in says
    assert "is 0.0616 (without any leak among so many: 0.0295" in says
    assert certificate.least == get_upper_bound(2, 100, 0.05)
    # It is just what can be promised.
    assert certify(leaks, certificate.least + 1e-9, 0.05, GRID).certified == [*GRID]
    assert not certify(leaks, certificate.least - 1e-6, 0.05, GRID).certified
