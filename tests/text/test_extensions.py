"""Attributes of docs and spans: an attribute of somebody else is never taken for one of the pipeline."""

import pytest
from spacy.tokens.underscore import Underscore

from components.shared.failures import SetupError
from components.text import extensions
from components.text.extensions import ATTRIBUTES, check_extensions, set_extensions
from tests.conftest import run_python

NAMES = [(owner, name) for owner, name, _ in ATTRIBUTES]


@pytest.fixture
def restored(monkeypatch):
    for name in ("doc_extensions", "span_extensions"):
        monkeypatch.setattr(Underscore, name, {**getattr(Underscore, name)})
    monkeypatch.setattr(extensions, "_set", {**extensions._set})


@pytest.mark.parametrize(("owner", "name"), NAMES, ids=str)
def test_what_somebody_else_has_set_is_an_error(tiny_nlp, restored, owner, name):
    owner.set_extension(name, default=None, force=True)
    said = rf"{owner.__name__}\._\.{name} is set by other code(?s:.*){owner.__name__}\.remove_extension\('{name}'\)"
    pipe = lambda: [*tiny_nlp.pipe(["Hej"])]
    for use in (check_extensions, set_extensions, lambda: tiny_nlp("Hej"), pipe):
        with pytest.raises(SetupError, match=said):
            use()
    owner.remove_extension(name)
    set_extensions()
    assert tiny_nlp("Hei, tarvitsen uuden reseptin")._.language == "fi"


BEFORE = (
    "from spacy.tokens import Doc; Doc.set_extension('context', default=None)\n"
    "try:\n    import components\nexcept ValueError as error:\n    print(error)"
)
AGAIN = (
    "import importlib, components.text.extensions as extensions\n"
    "importlib.reload(extensions); extensions.set_extensions(); print('done')"
)


@pytest.mark.parametrize(
    "code, said", [(BEFORE, "Doc._.context is set by other code"), (AGAIN, "done")]
)
def test_set_before_the_import_and_set_again(code, said):
    done = run_python(code)
    assert said in done.stdout, done.stderr
