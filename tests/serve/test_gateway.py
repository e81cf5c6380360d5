"""Presidio's shape: what a gateway such as LiteLLM sends and reads, and that nothing comes through where
the pipeline cannot answer.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.conversations.configuration import configure
from components.serve.api.presidio import AnonymizeRequest
from components.shared.labels import PRESIDIO_NAMES
from components.surrogates.core.mentions import replace_spans
from tests.conftest import CANARY

from .conftest import TOKEN
from .test_security import check_problem

TEXT = "👩‍👧 Hej, jag heter Anna Lind och bor i Lund. Ring 070-1740605. /Anna"


class Gateway:
    """A client with the requests of LiteLLM's guardrail, which keeps what it replaces."""

    def __init__(self, client, **asked):
        self.client = client
        # It sends English where nobody has set another language.
        self.asked = {"language": "en", **asked}
        self.tokens = {}

    def post(self, path, body):
        answer = self.client.post(path, json=body, headers={"Accept": "application/json"})
        if answer.status_code >= 400 or answer.headers["content-type"] != "application/json":
            raise ConnectionError(answer.text)
        return answer.json()

    def hide(self, text, with_tokens=False):
        items = self.post("/analyze", {"text": text, **self.asked})
        if not items:
            return text
        done = self.post("/anonymize", {"text": text, "analyzer_results": items})
        if not with_tokens:
            return done["text"]
        for number, item in reversed([*enumerate(items, 1)]):
            token = f"<{item['entity_type']}_{number}>"
            self.tokens[token] = text[item["start"] : item["end"]]
            text = text[: item["start"]] + token + text[item["end"] :]
        return text

    def put_back(self, text):
        for token, original in self.tokens.items():
            text = text.replace(token, original)
        return text


@pytest.fixture(scope="module")
def presidio(make_client):
    address = f"http://litellm:{TOKEN}@127.0.0.1"
    client = make_client(presidio=True, headers={})
    client.base_url = address
    return client


@pytest.fixture
def gateway(presidio):
    return Gateway(presidio)


def test_off_unless_asked(client):
    for path in ("/analyze", "/anonymize"):
        check_problem(client.post(path, json={"text": "Hej", "analyzer_results": []}), 404)


def test_what_goes_on_is_what_the_pipeline_writes(gateway):
    (want,) = gateway.post("/v1/deidentify", {"texts": [TEXT]})["messages"]
    assert gateway.hide(TEXT) == want["text"] != TEXT
    gateway.asked["correlation_id"] = "case-1"
    body = {"texts": [TEXT], "conversation": "case-1"}
    (want,) = gateway.post("/v1/deidentify", body)["messages"]
    assert gateway.hide(TEXT) == want["text"]
    assert gateway.hide("Hej") == "Hej"


def test_there_and_back_by_the_gateway(gateway):
    hidden = gateway.hide(TEXT, with_tokens=True)
    assert re.sub(r"_\d", "", hidden) == (
        "👩‍👧 Hej, jag heter <PERSON> och bor i <LOCATION>. Ring <PHONE_NUMBER>. /<PERSON>"
    )
    assert gateway.put_back(hidden) == TEXT


def test_items(gateway):
    items = gateway.post(
        "/analyze", {"text": TEXT, "language": "sv", "return_decision_process": True}
    )
    assert [TEXT[item["start"] : item["end"]] for item in items][:2] == ["Anna Lind", "Lund"]
    assert all(item["analysis_explanation"]["recognizer"] for item in items)
    names = ["PERSON", "AGE"]
    asked = {"language": "sv", "entities": names, "return_decision_process": None}
    several = gateway.post("/analyze", {"text": [TEXT, "", TEXT], **asked})
    assert several[0] == several[2] and not several[1]
    assert {item["entity_type"] for item in several[0]} == {"PERSON"}
    assert {*several[0][0]} == {
        "start", "end", "score", "entity_type", "analysis_explanation", "replacement"
    }  # fmt: skip
    assert not gateway.post("/analyze", {"text": TEXT, "score_threshold": 1, "entities": ["AGE"]})


def test_optional_class_that_is_asked_for(presidio):
    gateway = Gateway(presidio, entities=["URL", "CREDIT_CARD"])
    assert gateway.hide("Anna Lind: https://exempel.se/mig") != "Anna Lind: https://exempel.se/mig"
    assert gateway.hide("Jag heter Anna Lind") == "Jag heter Anna Lind"


@pytest.mark.parametrize(
    "body, said",
    [
        ({"entities": [CANARY]}, f"that there are: {', '.join(PRESIDIO_NAMES.values())}"),
        ({"ad_hoc_recognizers": [{"name": CANARY}]}, "in the file of --config"),
        ({"allow_list": [CANARY]}, "in the file of --config"),
        ({"text": 1}, "string"),
        ({CANARY: 1}, "no such field"),
    ],
)
def test_what_is_refused(presidio, body, said):
    answer = presidio.post("/analyze", json={"text": CANARY, **body})
    check_problem(answer, 422)
    assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {"analyzer_results": [{"start": 2, "end": 9, "entity_type": "PERSON"}]},
        {"analyzer_results": [{"start": 2, "end": 1, "entity_type": "PERSON"}]},
        {"analyzer_results": [], "anonymizers": {"DEFAULT": {"type": "hash"}}},
        {},
    ],
)
def test_what_anonymize_refuses(presidio, body):
    check_problem(presidio.post("/anonymize", json={"text": "Anna", **body}), 422)


NAME = {"start": 4, "end": 13, "entity_type": "PERSON", "score": 0.9}


@pytest.mark.parametrize(
    "anonymizers, want, operator",
    [
        (None, "Hej <PERSON>!", "replace"),
        ({"DEFAULT": {"type": "replace", "new_value": "X"}}, "Hej X!", "replace"),
        ({"PERSON": {"type": "redact"}, "DEFAULT": {"type": "keep"}}, "Hej !", "redact"),
        ({"DEFAULT": {"type": "keep"}}, "Hej Anna Lind!", "keep"),
        (
            {"PERSON": {"type": "mask", "masking_char": "#", "chars_to_mask": 4, "from_end": True}},
            "Hej Anna ####!", "mask",
        ),
        ({"PERSON": {"type": "mask", "chars_to_mask": 99}}, "Hej *********!", "mask"),
    ],
)  # fmt: skip
def test_anonymizers_of_presidio(gateway, anonymizers, want, operator):
    """What was found by others is replaced as Presidio does."""
    body = {"text": "Hej Anna Lind!", "analyzer_results": [NAME], "anonymizers": anonymizers}
    done = gateway.post("/anonymize", body)
    (item,) = done["items"]
    assert done["text"] == want
    assert item == {
        "start": 4, "end": len(want) - 1, "entity_type": "PERSON", "text": want[4:-1],
        "operator": operator,
    }  # fmt: skip


@given(st.text(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_all_that_was_told_is_replaced(text, places):
    """However items overlap, and nothing else."""
    items = [
        {"start": start, "end": end, "entity_type": "PERSON", "replacement": "\0"}
        for start, end in places
        if start <= end <= len(text)
    ]
    request = AnonymizeRequest(text=text, analyzer_results=items)
    new, _ = replace_spans(text, request.get_spans())
    covered = {i for item in items for i in range(item["start"], item["end"])}
    left = [char for i, char in enumerate(text) if i not in covered]
    assert [char for char in new if char != "\0"] == [char for char in left if char != "\0"]


# It fails closed


def test_what_is_masked_whole(make_client, make_nlp):
    """It is one item, whatever is asked for; and a class of one's own is known."""
    nlp = make_nlp()
    configure(nlp, foreign="mask", deny={"TEAM": ["blå laget"], "DATE": ["nyss"]})
    gateway = Gateway(make_client(nlp=nlp, presidio=True), entities=["TEAM"], score_threshold=1)
    text = "Dzień dobry, nazywam się Anna Kowalska i mieszkam w Krakowie, proszę o pomoc"
    assert gateway.hide(text) == "***"
    assert gateway.hide("Hej blå laget, det är Anna Lind") == "Hej [TEAM], det är Anna Lind"
    with pytest.raises(ConnectionError, match="DATE_TIME.*TEAM"):
        Gateway(gateway.client, entities=["DATE"]).hide(text)


def test_a_full_queue(make_client):
    client = make_client(presidio=True, size=0)
    answer = client.post("/analyze", json={"text": CANARY, "language": "en"})
    check_problem(answer, 503)
    assert {*answer.json()} == {"type", "title", "status", "detail"}
    with pytest.raises(ConnectionError):
        Gateway(client).hide(CANARY)
