"""What the REST interface answers: the same as the command line, and nothing that it was not to tell."""

import json

from typer.testing import CliRunner

from components import deidentify_conversation
from components.cli.app import make_app as make_command_line
from components.conversations.configuration import FILES, SETTINGS
from components.known.known_matcher import FIELDS
from components.serve.api import models
from tests.cases import cases

TEXTS = ["Hej, jag heter Anna Lind och är 34 år.", "Bor i Lund, ring 070-1740605. MVH Anna", ""]
KNOWN = [{"name": "Svante Ek"}]


def test_all_settings_but_files_and_all_fields():
    assert {*models.Options.model_fields} == {*SETTINGS} - {*FILES, "clean", "foreign"}
    assert {*models.Participant.model_fields} == {*FIELDS}


def post(client, path, **body):
    answer = client.post(f"/v1/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def texts_of(answer):
    return [message["text"] for message in answer["messages"]]


def test_each_text_alone(client, tiny_nlp):
    got = post(client, "deidentify", texts=TEXTS)
    docs = [tiny_nlp(text) for text in TEXTS]
    assert texts_of(got) == [doc._.deidentified for doc in docs] != TEXTS
    for message, doc in zip(got["messages"], docs):
        assert message["replacements"] == [{"kept": False, **entry} for entry in doc._.replacements]
        assert (message["language"], message["failed"]) == ("", "")


def test_conversation(client, tiny_nlp):
    texts = [*TEXTS, "Hälsa svante"]
    docs = deidentify_conversation(tiny_nlp, texts, conversation_id="7", known=KNOWN)
    want = [doc._.deidentified for doc in docs]
    for id in ("7", 7):
        # One participant needs no list, as in the README.
        for known in (KNOWN, KNOWN[0]):
            got = post(client, "deidentify", texts=texts, conversation=id, known=known)
            assert texts_of(got) == want
    assert "svante" not in want[-1]


def test_same_as_the_command_line(make_client, make_nlp, tmp_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", "sixteen bytes or more")
    rows = [{"text": text, "conversation": "c"} for text in TEXTS] + [{"text": TEXTS[0]}]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    paths = [str(tmp_path / name) for name in ("in.jsonl", "out.jsonl")]
    done = CliRunner().invoke(make_command_line(make_nlp, "run"), paths)
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf8").splitlines()
    want = [json.loads(line)["text"] for line in lines]
    client = make_client(nlp=make_nlp())
    conversations = [{"texts": TEXTS, "conversation": "c"}, {"texts": TEXTS[:1]}]
    got = post(client, "batch", conversations=conversations)
    assert [text for each in got["conversations"] for text in texts_of(each)] == want
    assert len({*want}) == 4


@cases
def test_options_hold_for_one_request(client, options, want):
    got = post(client, "deidentify", texts=TEXTS[:1], options=options)
    assert texts_of(got) == [want]
    assert texts_of(post(client, "deidentify", texts=TEXTS[:1])) != [want]


def test_optional_class_and_threshold(client):
    text = "Se https://exempel.se/mig"
    options = {"classes": ["URL"], "threshold": {"default": 1, "PERSON": 0.5}}
    (found,) = post(client, "analyze", texts=[text], options=options)["messages"]
    assert [(span["label"], span["start"]) for span in found["spans"]] == [("URL", 3)]
    (found,) = post(client, "analyze", texts=[text])["messages"]
    assert not found["spans"]


def test_analysis(client, tiny_nlp):
    (found, _, _) = post(client, "analyze", texts=TEXTS, conversation="c")["messages"]
    docs = deidentify_conversation(tiny_nlp, TEXTS, conversation_id="c")
    assert [(span["start"], span["end"], span["label"]) for span in found["spans"]] == [
        (ent.start_char, ent.end_char, ent.label_) for ent in docs[0].ents
    ]
    assert all(span["trace"] and span["source"] for span in found["spans"])
    assert "text" not in found


def test_offsets_count_as_python(client):
    text = "👩‍👧 e\u0301\r\nAnna Lind"
    (message,) = post(client, "deidentify", texts=[text])["messages"]
    (entry,) = message["replacements"]
    assert text[entry["start"] : entry["end"]] == "Anna Lind"
    assert message["text"][entry["out_start"] : entry["out_end"]] == entry["replacement"]


def test_description(client):
    schema = client.get("/openapi.json").json()
    assert schema["openapi"].startswith("3.1")
    paths = {"/v1/deidentify", "/v1/analyze", "/v1/batch", "/health/live", "/metrics"}
    assert paths <= schema["paths"].keys()


def test_health_and_metrics(make_client, tiny_nlp):
    client = make_client()
    assert client.get("/health/live").json() == {"status": "live"}
    assert client.get("/health/ready").json() == {"status": "ready"}
    post(client, "deidentify", texts=TEXTS)
    client.get("/v1/Knurvel")
    text = client.get("/metrics").text
    assert "sv_deid_messages_total 3.0" in text
    assert 'sv_deid_entities_total{label="PERSON"} 2.0' in text
    assert 'sv_deid_requests_total{path="/v1/deidentify",status="200"} 1.0' in text
    assert "Knurvel" not in text and "Anna" not in text
