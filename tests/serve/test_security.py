"""Who may ask, how much, and that no answer, log or count quotes what was sent."""

import json
import logging

import pytest

from components.serve import pipeline, work
from components.serve.security import HEADERS, Limits
from tests.cases import cases
from tests.conftest import CANARY

from .conftest import TOKEN

JSON = {"Content-Type": "application/json"}
PATHS = ["/v1/deidentify", "/v1/analyze", "/metrics", "/openapi.json", "/nowhere"]


def check_problem(answer, status):
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    assert CANARY not in answer.text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}, {"Cookie": "a=b"}])
def test_nothing_without_token(make_client, path, headers):
    client = make_client(headers=headers)
    check_problem(client.get(path), 401)
    assert client.get("/health/live").status_code == 200


def test_token_in_the_address_becomes_a_cookie(make_client):
    client = make_client(headers={})
    answer = client.get(f"http://127.0.0.1//metrics?token={TOKEN}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/metrics")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert client.get("/metrics").status_code == 200
    # A page of another server may not use it.
    body = {"texts": []}
    for headers in ({"Origin": "http://evil.example"}, {}, {"Sec-Fetch-Site": "cross-site"}):
        check_problem(client.post("/v1/analyze", json=body, headers=headers), 403)
    headers = {"Origin": "http://127.0.0.1"}
    assert client.post("/v1/analyze", json=body, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "password, headers, code",
    [(TOKEN, {}, 200), ("x", {}, 401), (TOKEN, {"Origin": "http://evil.example"}, 401)],
)
def test_token_as_a_password(make_client, password, headers, code):
    """Of an address; but a browser may have kept it."""
    client = make_client(headers={})
    answer = client.post("/v1/analyze", json={"texts": []}, headers=headers, auth=("x", password))
    assert answer.status_code == code
    assert client.get("/metrics", headers={"Authorization": "Basic !"}).status_code == 401


@pytest.mark.parametrize("path", ["/health/live", *PATHS])
def test_headers(client, path):
    answer = client.get(path)
    assert {**answer.headers, **{k.lower(): v for k, v in HEADERS.items()}} == dict(answer.headers)
    assert "server" not in answer.headers
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_other_hosts(client):
    check_problem(client.get("/health/live", headers={"Host": "evil.example"}), 421)
    for host in ("localhost:8000", "[::1]:8000"):
        assert client.get("/health/live", headers={"Host": host}).status_code == 200


@cases
def test_errors_do_not_quote(client, caplog, body, where):
    with caplog.at_level(logging.DEBUG, "sv_deid_chat"):
        answer = client.post("/v1/deidentify", content=json.dumps(body), headers=JSON)
    check_problem(answer, 422)
    error = answer.json()["errors"][0]
    assert error["where"] == where
    # A sentence.
    assert " " in error["what"] and error["what"].endswith(".")
    assert error["what"] in answer.json()["detail"]
    assert CANARY not in caplog.text + client.get("/metrics").text


@pytest.mark.parametrize("content", [f'{{"texts": ["{CANARY}'.encode(), b"\xff", b"[" * 10_000])
def test_what_is_no_json(client, content):
    answer = client.post("/v1/deidentify", content=content, headers=JSON)
    check_problem(answer, answer.status_code)
    assert answer.status_code in (400, 422)


def test_no_such_way(client):
    check_problem(client.get(f"/v1/{CANARY}"), 404)
    check_problem(client.get("/v1/deidentify"), 405)
    check_problem(client.post(f"/v1/sessions/{CANARY}/restore", json={"text": ""}), 404)


def test_unthought_error_is_logged_without_its_words(make_client, monkeypatch, caplog):
    client = make_client()

    def fail(*args):
        raise RuntimeError(CANARY)

    monkeypatch.setattr(work, "do_all", fail)
    check_problem(client.post("/v1/analyze", json={"texts": [CANARY]}), 500)
    assert "RuntimeError, test_security.py" in caplog.text
    monkeypatch.setattr(pipeline.PipelineQueue, "run_all", fail)
    check_problem(client.post("/v1/analyze", json={"texts": [CANARY]}), 500)
    assert caplog.text.count("RuntimeError") == 2 and CANARY not in caplog.text


def test_large_bodies(make_client):
    client = make_client(Limits(body=1000, rate=0))
    check_problem(client.post("/v1/analyze", json={"texts": ["x" * 1000]}), 413)
    pieces = (b"x" * 100 for _ in range(100))
    check_problem(client.post("/v1/analyze", content=pieces), 413)
    texts = {"conversations": [{"texts": [""] * 600}] * 2}
    check_problem(make_client().post("/v1/batch", json=texts), 413)


def test_rate(make_client):
    client = make_client(Limits(rate=3))
    codes = [client.get("/health/live").status_code for _ in range(6)]
    assert codes[:3] == [200] * 3 and codes[-1] == 429


def test_full_queue(make_client):
    client = make_client(size=0)
    answer = client.post("/v1/analyze", json={"texts": []})
    check_problem(answer, 429)
    assert answer.headers["retry-after"]
    check_problem(client.get("/health/ready"), 503)


def test_time(make_client, make_nlp):
    # One of its own, which nobody else reads with while it is stopped.
    client = make_client(nlp=make_nlp(), seconds=0.0001)
    check_problem(client.post("/v1/analyze", json={"texts": ["Hej " * 500]}), 504)
