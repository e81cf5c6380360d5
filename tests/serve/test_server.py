"""The server as its users start it: processes, sockets, signals."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import CANARY, ROOT

START = """
import sys
import spacy
import components
from components.cli.app import main
path = sys.argv.pop(1)
main(lambda: spacy.load(path), "serve")
"""


class Server:
    """A server in a process of its own."""

    def __init__(self, model_path, log_path, *arguments):
        self.log_path = log_path
        with log_path.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, str(model_path), "--port", "0", *arguments],
                cwd=ROOT,
                stderr=log,
            )
        address = None
        while address is None:
            assert self.process.poll() is None, self.log
            time.sleep(0.1)
            address = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)\n", self.log)
        self.port, self.token = int(address[1]), address[2]

    @property
    def log(self):
        return self.log_path.read_text()

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                is_json = answer.headers.get_content_type() == "application/json"
                return answer.status, json.load(answer) if is_json else answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def ask_patiently(self, path, body):
        """Ask again where a worker has just died."""
        while (answer := self.ask(path, body))[0] == 503:
            time.sleep(0.1)
        return answer

    def connect(self, head, body=b""):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        lines = [head, "Host: localhost", f"Authorization: Bearer {self.token}", "", ""]
        connection.sendall("\r\n".join(lines).encode() + body)
        return connection

    def begin(self, body, path="/v1/deidentify"):
        """Ask what takes a while."""
        head = f"POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json"
        data = json.dumps(body).encode()
        return self.connect(f"{head}\r\nContent-Length: {len(data)}", data)

    def wait_for(self, line):
        until = time.monotonic() + 60
        while line not in self.ask("/metrics")[1]:
            assert time.monotonic() < until, self.ask("/metrics")[1]
            time.sleep(0.05)

    @property
    def workers(self):
        pid = self.process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def kill_workers(self):
        for worker in self.workers:
            os.kill(int(worker), signal.SIGKILL)


@pytest.fixture(scope="module")
def server(tiny_path, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "sixteen bytes or more")
        folder = tmp_path_factory.mktemp("server")
        config = folder / "gateway.toml"
        config.write_text("[serve]\npresidio = true\n")
        limits = ["--workers", "2", "--body", "50000", "--rate", "0"]
        server = Server(tiny_path, folder / "log", *limits, "--config", str(config))
    yield server
    server.process.kill()
    server.process.wait()


def test_no_answer_differs_from_one_by_one(server):
    names = ["Anna Lind", "Bo Ek", "Karin Olsson"]
    texts = [f"Hej {CANARY}, {names[i % 3]}. Jag är {i} år" + " och" * (i % 7) for i in range(60)]
    bodies = [{"texts": [text], "conversation": f"c{i % 5}"} for i, text in enumerate(texts)]
    one_by_one = [server.ask("/v1/deidentify", body) for body in bodies]
    with ThreadPoolExecutor(20) as pool:
        at_once = [*pool.map(lambda body: server.ask("/v1/deidentify", body), bodies)]
    assert at_once == one_by_one
    assert {status for status, _ in at_once} == {200}


def test_slow_clients_and_large_bodies_harm_nobody(server):
    slow = [
        server.connect(f"POST /v1/analyze HTTP/1.1\r\nContent-Length: {10 + i}") for i in range(20)
    ]
    large = server.connect("POST /v1/analyze HTTP/1.1\r\nContent-Length: 100000000")
    assert b" 413 " in large.recv(1000)
    endless = server.connect("POST /v1/analyze HTTP/1.1\r\nTransfer-Encoding: chunked")
    endless.sendall(2 * (b"8000\r\n" + b"x" * 0x8000 + b"\r\n"))
    assert b" 413 " in endless.recv(1000)
    start = time.monotonic()
    status, _ = server.ask("/v1/deidentify", {"texts": ["Hej Anna"]})
    assert status == 200 and time.monotonic() - start < 20
    for connection in [*slow, large, endless]:
        connection.close()


# Hundreds of messages, which are not read at once.
LONG = {"texts": ["Hej, jag heter Anna Lind. " * 3] * 500}


def test_what_nobody_waits_for_ends(server):
    begun = server.begin(LONG)
    # A worker has it when others are answered, and the other one takes those.
    assert server.ask("/v1/deidentify", {"texts": ["Hej Anna"]})[0] == 200
    begun.close()
    server.wait_for('{path="/v1/deidentify",status="499"} 1.0')
    server.wait_for("sv_deid_left_total 1.0")


@pytest.mark.skipif(sys.platform != "linux", reason="It looks into /proc")
def test_workers_that_die_are_started_anew(server):
    # One more takes what is long.
    assert len(server.workers) == 3
    texts = {"texts": ["Hej, jag heter Anna Lind"]}
    answer = server.ask("/v1/deidentify", texts)
    head = "POST /v1/analyze HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json"
    slow = server.connect(f"{head}\r\nContent-Length: 2")
    server.kill_workers()
    assert server.ask_patiently("/v1/deidentify", texts) == answer
    slow.sendall(b"{}")
    with slow.makefile("rb") as file:
        # To its end: no process that was forked meanwhile keeps it open.
        assert file.read()
    for path, body in (("/v1/deidentify", LONG), ("/analyze", {"text": LONG["texts"]})):
        begun = server.begin(body, path)
        server.ask_patiently("/v1/deidentify", texts)
        server.kill_workers()
        with begun.makefile("rb") as file:
            head, _, problem = file.read().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ") and b"retry-after: 1" in head
        assert b"application/problem+json" in head and json.loads(problem)["status"] == 503
        assert b"Anna" not in problem
    assert server.ask_patiently("/v1/deidentify", texts) == answer
    assert server.ask("/health/live")[0] == 200
    assert "sv_deid_died_total 0.0" not in server.ask("/metrics")[1]


def test_log_holds_no_text(server):
    server.ask("/v1/deidentify", {"texts": [CANARY], CANARY: 1})
    server.ask(f"/{CANARY}?token={CANARY}")
    broken = server.connect(f"{CANARY}")
    broken.recv(1000)
    assert CANARY not in server.log
    # But for processes that died, the address alone.
    lines = [line for line in server.log.splitlines() if "its process crashed" not in line]
    assert len(lines) == 1, server.log


def test_stops_when_it_has_answered(tiny_path, tmp_path):
    server = Server(tiny_path, tmp_path / "log")
    body = json.dumps({"texts": ["Hej, jag heter Anna Lind. " * 10] * 20}).encode()
    begun = server.connect(
        f"POST /v1/deidentify HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    # What comes after it is answered, so it has been seen.
    assert server.ask("/health/live") == (200, {"status": "live"})
    server.process.send_signal(signal.SIGTERM)
    begun.sendall(body)
    assert begun.recv(1000).startswith(b"HTTP/1.1 200 ")
    begun.close()
    assert server.process.wait(60) == 143
    with pytest.raises(OSError):
        server.ask("/health/live")
