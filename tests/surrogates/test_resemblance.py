import pytest

from components.surrogates.core.resemblance import shows
from tests.cases import read_cases

CASES = read_cases(__file__)


@pytest.mark.parametrize("original, new", CASES["test_shows"])
def test_shows(original, new):
    assert shows(original, new)
    assert shows(new, original)


@pytest.mark.parametrize("original, new", CASES["test_does_not_show"])
def test_does_not_show(original, new):
    assert not shows(original, new)
    assert not shows(new, original)
