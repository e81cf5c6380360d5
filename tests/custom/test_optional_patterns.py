"""What the optional classes find, and what they leave, in messages about health."""

from pathlib import Path

import pytest
import srsly

from components.custom.custom_ruler import CustomRuler
from components.shared.labels import OPTIONAL_LABELS
from tests.steps import count_steps

PATTERNS = Path(__file__).resolve().parents[2] / "assets" / "optional_patterns.jsonl"


@pytest.fixture(scope="module")
def ruler(nlp):
    ruler = CustomRuler(nlp)
    ruler.initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    ruler.classes = "all"
    return ruler


def find(nlp, ruler, text):
    doc = ruler(nlp.make_doc(text))
    return [(ent.text, ent.label_) for ent in doc.ents]


CASES = [
    line.split(": ", 1)
    for line in Path(__file__).with_name("optional_patterns.txt").read_text("utf8").splitlines()
    if line and not line.startswith("#")
]
FOUND = [case for case in CASES if case[0] != "left"]


@pytest.mark.parametrize("label, text", FOUND, ids=[text for _, text in FOUND])
def test_what_is_found(nlp, ruler, label, text):
    before, _, rest = text.partition("[[")
    value, _, after = rest.partition("]]")
    assert find(nlp, ruler, before + value + after) == [(value, label)]


def test_each_class_has_patterns_and_cases(ruler):
    assert {label for label, _ in FOUND} == {*OPTIONAL_LABELS}
    assert {p["label"] for p in ruler.optional if "label" in p} == {*OPTIONAL_LABELS}


@pytest.mark.parametrize("text", [text for label, text in CASES if label == "left"])
def test_what_is_left(nlp, ruler, text):
    assert find(nlp, ruler, text) == []


@pytest.mark.parametrize("label", OPTIONAL_LABELS)
def test_each_class_alone(nlp, label):
    ruler = CustomRuler(nlp, classes=[label])
    ruler.initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    text = next(text for name, text in FOUND if name == label).replace("[[", "").replace("]]", "")
    others = " ".join(text for name, text in FOUND if name != label)
    assert {name for _, name in find(nlp, ruler, text)} == {label}
    doc = ruler(nlp.make_doc(others.replace("[[", "").replace("]]", "")))
    assert {span.label_ for span in doc.spans["custom"]} <= {label}


def test_a_folded_text_is_read(nlp, ruler):
    assert find(nlp, ruler, "Org.nr 556012–5790") == [("556012–5790", "ORGANISATION_NUMBER")]


def test_patterns_are_bounded():
    for pattern in srsly.read_jsonl(PATTERNS):
        regex = pattern["regex"].replace(r"\*", "").replace(r"\+", "")
        for sign in ("*", "+"):
            # In a class they are characters.
            outside = "".join(part.partition("]")[2] or part for part in regex.split("["))
            assert sign not in outside, pattern


def test_time_in_proportion_to_the_text(nlp, ruler):
    text = "ärendenr betala bil aaa.bbb.ccc 12 34 www.x @ " * 20
    doc, long = nlp.make_doc(text), nlp.make_doc(text * 4)
    ruler(nlp.make_doc(text))
    assert count_steps(lambda: ruler(long)) < 6 * count_steps(lambda: ruler(doc)) + 1000
