from components.surrogates.core.resemblance import shows
from tests.cases import cases


@cases
def test_shows(original, new):
    assert shows(original, new)
    assert shows(new, original)


@cases
def test_does_not_show(original, new):
    assert not shows(original, new)
    assert not shows(new, original)
