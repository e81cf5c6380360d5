"""Attributes of docs and spans: an attribute of somebody else is never taken for one of the pipeline."""

import subprocess
import sys

import pytest
from spacy.tokens import Doc
from spacy.tokens.underscore import Underscore

from components import extensions
from components.extensions import ATTRIBUTES, check_extensions, set_extensions
from components.failures import SetupError
from tests.conftest import ROOT

NAMES = [(owner, name) for owner, name, _ in ATTRIBUTES]


@pytest.fixture
def restored(monkeypatch):
    for name in ("doc_extensions", "span_extensions"):
        monkeypatch.setattr(Underscore, name, {**getattr(Underscore, name)})
    monkeypatch.setattr(extensions, "_set", {**extensions._set})


@pytest.mark.parametrize(("owner", "name"), NAMES, ids=str)
def test_what_somebody_else_has_set_is_an_error(tiny_nlp, restored, owner, name):
    owner.set_extension(name, default=None, force=True)
    for use in (
        check_extensions,
        set_extensions,
        lambda: tiny_nlp("Hej"),
        lambda: [*tiny_nlp.pipe(["Hej"])],
    ):
        with pytest.raises(
            SetupError, match=rf"{owner.__name__}\._\.{name} is set by other code"
        ) as e:
            use()
        assert f"{owner.__name__}.remove_extension({name!r})" in str(e.value)


def test_what_the_error_says_helps(tiny_nlp, restored):
    Doc.set_extension("language", default="xx", force=True)
    Doc.remove_extension("language")
    set_extensions()
    assert tiny_nlp("Hei, tarvitsen uuden reseptin")._.language == "fi"


def test_set_before_the_import():
    code = (
        "from spacy.tokens import Doc; Doc.set_extension('context', default=None)\n"
        "try:\n    import components\nexcept ValueError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "Doc._.context is set by other code" in done.stdout, done.stderr


def test_a_reload_is_no_stranger():
    code = (
        "import importlib, components.extensions as it\n"
        "importlib.reload(it); it.set_extensions(); print('done')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout == "done\n", done.stderr
