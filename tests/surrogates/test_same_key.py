"""The same key gives the same surrogates, from version to version: whoever has de-identified half of
their messages goes on with the other half. A change on purpose is written by

    python -m tests.surrogates.test_same_key

and read line by line before it is committed; it belongs into CHANGELOG.md.
"""

import os
from pathlib import Path
from typing import Any

import pytest
import srsly
from spacy.tokens import Doc

from components.surrogates import Mention, Scope, make_classes
from components.surrogates.surrogate_generator import SurrogateGenerator
from tests.surrogates.hand_lists import LISTS, make_doc, make_generator

KEY = "correct horse battery staple"
PATH = Path(__file__).with_suffix("").with_name("same_key.jsonl")
CASES = [*srsly.read_jsonl(PATH)]
# Mentions of one class, without a message.
MENTIONS_PATH = PATH.with_name("mentions.jsonl")
MENTIONS = [*srsly.read_jsonl(MENTIONS_PATH)]
CLASSES = make_classes(LISTS)
# Whether all messages are at hand, and the strategy.
WAYS = {
    "together": (True, "surrogate"), "apart": (False, "surrogate"),
    "numbered": (True, "numbered"), "numbered_apart": (False, "numbered"),
}  # fmt: skip


def make_docs(case: dict[str, Any]) -> list[Doc]:
    docs = [make_doc(message, conversation="a conversation") for message in case["messages"]]
    for doc in docs:
        doc._.known = case.get("known")
        doc.spans["known"] = []
    return docs


def replace(generator: SurrogateGenerator, case: dict[str, Any], way: str) -> list[str]:
    together, generator.strategy = WAYS[way]
    docs = make_docs(case)
    if together:
        generator.replace_conversation(docs)
        return [doc._.deidentified for doc in docs]
    return [generator(doc)._.deidentified for doc in docs]


@pytest.fixture(scope="module")
def generator():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        return make_generator()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["messages"][0][:30])
def test_same_key(generator, case):
    for way in WAYS:
        assert replace(generator, case, way) == case[way], way


def replace_mentions(case: dict[str, Any]) -> list[str]:
    mentions = [Mention(*mention) for mention in case["mentions"]]
    texts, own = [mention.text for mention in mentions], {case["label"]: mentions}
    scope = Scope(KEY.encode(), "c", True, texts, own, case["whole"])
    return CLASSES[case["label"]].surrogates(mentions, scope)


@pytest.mark.parametrize("label", sorted({case["label"] for case in MENTIONS}))
def test_same_key_of_mentions(label):
    own = [case for case in MENTIONS if case["label"] == label]
    assert [replace_mentions(case) for case in own] == [case["surrogates"] for case in own]


if __name__ == "__main__":
    os.environ["SV_DEID_KEY"] = KEY
    pipe = make_generator()
    rows = [{**case, **{way: replace(pipe, case, way) for way in WAYS}} for case in CASES]
    srsly.write_jsonl(PATH, rows)
    srsly.write_jsonl(
        MENTIONS_PATH, [{**case, "surrogates": replace_mentions(case)} for case in MENTIONS]
    )
