from collections.abc import Callable

import pytest

from components.surrogates.surrogate_generator import SurrogateGenerator
from tests.strategies import KEYS
from tests.surrogates.hand_lists import KEY, make_doc, make_generator

Replace = Callable[..., list[str]]


@pytest.fixture(scope="session")
def generator() -> SurrogateGenerator:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        return make_generator()


@pytest.fixture(scope="session")
def replace(generator: SurrogateGenerator) -> Replace:
    """Replace the entities of a marked text, all of one label, and give the replacements."""

    def _replace(
        marked: str, label: str | None = None, conversation: str | None = None
    ) -> list[str]:
        doc = generator(make_doc(marked, label, conversation))
        return [entry["replacement"] for entry in doc._.replacements]

    return _replace


@pytest.fixture(scope="session", params=KEYS)
def scope(request: pytest.FixtureRequest) -> str:
    """The name of a conversation: a test that asks for it runs with each."""
    return request.param
