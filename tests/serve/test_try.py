"""The page to try, by a client without JavaScript."""

import csv
import io
import json
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from components.conversations.conversation import deidentify_conversation
from components.serve.app import make_app
from components.serve.pages.controls import Asked, Own
from components.serve.pipeline import PipelineQueue, QueueFull
from tests.cases import cases

TOKEN = "a-token"
ORIGIN = {"origin": "http://127.0.0.1"}
TEXT = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj."


@pytest.fixture(scope="module")
def queue(make_nlp):
    return PipelineQueue(make_nlp())


@pytest.fixture(scope="module")
def client(queue):
    app = make_app(queue, TOKEN, version="0")
    with TestClient(app, base_url="http://127.0.0.1", headers=ORIGIN) as client:
        client.get("/", params={"token": TOKEN})
        yield client


@pytest.fixture(scope="module")
def own(queue):
    return Own.of(queue.nlp)


def make_form(own, **more):
    """What a browser sends of a page that nobody has touched, and what is changed there."""
    asked = Asked.from_own(own)
    form = {
        "lang": "en",
        "split": asked.split,
        "threshold": asked.threshold,
        "strategy": asked.strategy,
        "label": asked.ticked,
        **asked.options,
    }
    return {**form, **more}


def get_texts(html):
    """What stands in the places of texts: before and after."""
    places = re.findall(r'<div class="text">(.*?)</div>', html, re.DOTALL)
    bare = [re.sub(r"<small>.*?</small>|<[^>]*>", "", place) for place in places]
    return [unescape(place) for place in bare]


def post(client, form, path="/result", file=None, **more):
    """With a file, if there is one: its name and its bytes."""
    return client.post(path, data=form, files=file and {"file": file}, **more)


def read_csv(answer):
    return [*csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))]


def test_needs_the_token(queue):
    client = TestClient(make_app(queue, TOKEN, version="0"), base_url="http://127.0.0.1")
    for path in ("/", "/static/try.js"):
        assert client.get(path).status_code == 401
    assert client.post("/result", data={"text": TEXT}).status_code == 401


def test_page(client):
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["referrer-policy"] == "same-origin"
    assert page.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    # Nothing that the policy would have to allow, and nothing from elsewhere.
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?://", page.text)
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        asset = client.get(path)
        assert asset.status_code == 200
        assert not re.search(r"https?://(?!www\.w3\.org)|url\(", asset.text)


def test_languages(client):
    page = client.get("/", headers={"accept-language": "sv"})
    assert '<html lang="sv"' in page.text
    assert "Vad den inte lovar" in page.text
    assert "What it does not promise" in client.get("/?lang=en").text


@pytest.mark.parametrize("example", ["mother", "conversation", "doubts", "more", "table"])
def test_examples(client, example):
    page = client.get("/", params={"example": example, "lang": "sv"})
    assert page.status_code == 200
    assert '<div class="text">' in page.text
    assert 'role="alert"' not in page.text


def test_result_is_what_the_pipeline_writes(client, own, queue):
    answer = post(client, make_form(own, text=TEXT))
    assert answer.status_code == 200
    doc = queue.nlp(TEXT)
    assert get_texts(answer.text) == [TEXT, doc._.deidentified]
    links = re.findall(r'<a class="found (\w+)[^"]*" href="#([^"]+)"', answer.text)
    assert [label for label, _ in links] == [ent.label_ for ent in doc.ents]
    assert all(f'<section id="{id}"' in answer.text for _, id in links)


def test_conversation_is_one(client, own, queue):
    texts = ["lind här", "Hej Anna Lind!"]
    form = make_form(own, text="\n".join(texts), split="lines", together="on")
    docs = deidentify_conversation(queue.nlp, texts, conversation_id="1")
    shown = get_texts(post(client, form).text)
    assert shown == [each for doc in docs for each in (doc.text, doc._.deidentified)]


@cases
def test_any_text_is_shown_as_it_is(client, own, text):
    answer = post(client, make_form(own, text=text, strategy="keep"))
    before, _ = get_texts(answer.text)
    assert before == text.replace("\u202e", "\ufffd").replace("\x07", "\u2407")
    assert "<b>Anna</b> &" not in answer.text


def test_strategy_and_classes(client, own):
    def get_after(**more):
        return get_texts(post(client, make_form(own, text=TEXT, **more)).text)[1]

    assert "[PERSON]" in get_after(strategy="label")
    assert "Anna Lind" in get_after(label=["DATE"])
    after = get_after(strategy="label", strategy_PERSON="mask")
    assert "***" in after
    assert "[PERSON]" not in after


def test_threshold(client, own, queue):
    def count(**more):
        return post(client, make_form(own, text=TEXT, **more)).text.count('class="found')

    assert count(threshold="0") > count(threshold="1")
    assert count(threshold="0,5") == count(threshold="0.5")
    by_class = {f"threshold_{label}": "0" for label in own.labels}
    assert count(threshold="1", **by_class) == count(threshold="0")
    # What one asks for holds for him alone.
    assert queue.nlp.get_pipe("phi_ner").threshold == own.threshold


def test_optional_classes(client, own):
    form = make_form(own, text="Se www.annasblogg.se/resa nu")
    assert "URL" not in post(client, form).text
    answer = post(client, {**form, "class": ["URL"]})
    assert 'class="found URL OTHER"' in answer.text


def test_known_participants(client, own):
    form = make_form(own, text="Hej Knurv!")
    fields = {f"known_{name}": ["", ""] for name in ("name", "pid", "phone", "email", "address")}
    answer = post(client, {**form, **fields, "known_name": ["", "Knurv"]})
    assert 'class="found PERSON"' in answer.text
    assert "participant that you named" in answer.text
    answer = post(client, {**form, **fields, "known_pid": ["12", ""]})
    assert "Personal identity number of participant 1 is too short" in unescape(answer.text)


@cases
def test_settings_that_cannot_be(client, own, wrong):
    answer = post(client, make_form(own, text=TEXT, **wrong))
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_form_keeps_what_was_asked_for(client, own):
    form = make_form(own, text=TEXT, strategy="mask", label=["DATE"], to="sv", threshold_AGE="0.3")
    page = post(client, form, "/")
    assert '<html lang="sv"' in page.text
    assert f"{TEXT}</textarea>" in page.text
    assert '<option value="mask" selected>' in page.text
    assert re.search(r'name="threshold_AGE"[^>]*value="0.3"', page.text, re.DOTALL)
    assert re.search(r'name="label" value="DATE" checked', page.text)
    assert not re.search(r'name="label" value="AGE" checked', page.text)


def test_file_and_its_pages(client, own):
    rows = [{"body": f"{TEXT} {i}", "n": i} for i in range(90)]
    data = "".join(json.dumps(row) + "\n" for row in rows)
    file = "messages.jsonl", data.encode()
    answer = post(client, make_form(own), file=file)
    assert answer.text.count("<article") == 40
    assert "Messages 1 to 40 of 90" in answer.text
    assert "<option selected>body</option>" in answer.text
    answer = post(client, make_form(own, page="3"), file=file)
    assert answer.text.count("<article") == 10
    assert post(client, make_form(own, page="99"), file=file).text == answer.text


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_download(client, own, format, queue):
    texts = [TEXT.replace(",", ""), "Hej lind!"]
    data = f"text,conversation,note\n{texts[0]},k,x\n{texts[1]},k,y\n"
    form = make_form(own, format=format)
    answer = post(client, form, "/download", ("messages.csv", data.encode()))
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith(f'"deidentified.{format}"')
    if format == "csv":
        rows = read_csv(answer)
    else:
        rows = [json.loads(line) for line in answer.text.splitlines()]
    docs = deidentify_conversation(queue.nlp, texts, conversation_id="k")
    assert [row["text"] for row in rows] == [doc._.deidentified for doc in docs]
    assert [row["note"] for row in rows] == ["x", "y"]


def test_file_without_a_header(client, own):
    """Its first row is read as a message, and stands in no list of columns."""
    file = "messages.csv", b"Anna Lind,Hej hej hej\nBo Ek,Tack\n"
    answer = post(client, make_form(own), file=file)
    assert "the columns are numbered" in answer.text
    fields = answer.text.split("<fieldset class")[1]
    assert re.findall(r"<option[^>]*>([^<]*)</option>", fields)[:2] == ["1", "2"]
    assert answer.text.count("<article") == 2
    answer = post(client, make_form(own), file=("a.csv", b"namn,meddelande\nBo Ek,Tack\n"))
    assert "the columns are numbered" not in answer.text and ">meddelande</option>" in answer.text


def test_columns_that_are_written_as_they_are_are_named(client, own):
    data = 'text;patient;sent;tel;note\n"Hej, jag heter Anna Lind, 3 maj";Anna Lind;2024-05-04;="070-1740605";x\n'
    answer = post(client, make_form(own), file=("messages.csv", data.encode()))
    said = unescape(answer.text)
    for name, rest in ("patient", ", and holds person"), ("sent", ", and holds times"), ("tel", ""):
        assert f"the column {name} is written as it is{rest}" in said.lower()
    assert "The column note" not in said


def test_no_cell_of_a_download_is_a_formula(client, own):
    row = {"text": '=HYPERLINK("http://example.com")', "note": "@SUM(A1)", "other": "a\0b", "n": -3}
    file = "messages.jsonl", json.dumps(row).encode()
    (cells,) = read_csv(post(client, make_form(own, format="csv"), "/download", file))
    assert cells["text"].startswith("'=") and cells["note"] == "'@SUM(A1)"
    assert (cells["other"], cells["n"]) == ("a␀b", "-3")


def test_nothing_and_too_much_to_download(client, own, monkeypatch, queue):
    async def refuse(works):
        raise QueueFull

    answer = post(client, make_form(own, text=" "), "/download")
    assert answer.status_code == 422 and "nothing to download" in answer.text
    monkeypatch.setattr(queue, "run_all", refuse)
    answer = post(client, make_form(own, text=TEXT))
    assert answer.status_code == 429
    assert "Try again" in answer.text


@cases
def test_errors_of_files_quote_nothing(client, own, lang, status, data, said):
    answer = post(client, make_form(own, lang=lang), file=("Anna Lind.jsonl", data))
    assert answer.status_code == status
    assert said in unescape(answer.text)
    assert "Anna" not in answer.text and "engelska:" not in answer.text


def test_form_of_another_site(client, own):
    form = make_form(own, text=TEXT)
    assert post(client, form, headers={"origin": "http://evil.example"}).status_code == 403
