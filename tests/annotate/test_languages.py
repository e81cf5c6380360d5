"""The words of the annotation: everything has words."""

import re
from pathlib import Path

import pytest

from components.annotate import checks, desk, edits, search
from components.annotate.app import LANGUAGES
from components.annotate.guidelines import render_guidelines
from components.annotate.store import STATUSES
from components.measures.evaluation import HEADLINES


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_everything_has_words(words):
    assert {*STATUSES} == words["statuses"].keys()
    assert HEADLINES.keys() == words["headlines"].keys()
    assert LANGUAGES["en"]["headlines"] == HEADLINES
    code = "".join(
        Path(module.__file__).read_text("utf8") for module in (checks, desk, edits, search)
    )
    raised = {*re.findall(r"(?:Edit|Search)Error\(\"(\w+)\"\)", code)}
    assert raised == words["errors"].keys()
    assert {*re.findall(r"yield \"(\w+)\"", code)} | {"unmarked"} == words["checks"].keys()


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Span boundaries"), ("sv", "Markeringens gränser")]
)
def test_the_guidelines_call_classes_as_the_page_does(language, says):
    html = render_guidelines(language)
    assert says in html
    assert (
        "[[" not in html
        and ".md" not in html
        and "PERSON" not in html.replace('class="PERSON"', "")
    )
