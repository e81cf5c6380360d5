"""Measure the service under load: how long clients wait, how much it does beside the pipeline alone, whether its
memory grows, and whether each answer is that of the same message alone.
"""

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from threading import Thread
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from wasabi import msg

import components  # noqa: F401
from components.language.processes import do_work, make_pool
from components.model.backend import set_threads
from components.serve.work import BATCH, Work, do_all
from lab.scripts.measure_run import get_memory
from training_tools.markdown import fill_block, get_state, make_table

RUN = (
    "from functools import partial; import components, spacy; "
    "from components.cli.app import main; main(partial(spacy.load, {path!r}), 'serve')"
)
TOKEN = "a token for measuring only"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
LARGE = 100_000_000  # bytes
MOST_ALONE = 20.0  # seconds

Row = tuple[str, Any]


def load(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    messages_path: Path = typer.Argument(..., help="Messages to send, JSONL", exists=True),
    seconds: float = typer.Option(120.0, min=1, help="How long the times are taken"),
    requests: int = typer.Option(50_000, min=1, help="Requests until which memory is watched"),
    step: int = typer.Option(10_000, min=1, help="Requests between two looks at it"),
    clients: int = typer.Option(50, min=1, help="Clients, each of which waits for its answer"),
    workers: int = typer.Option(
        2, min=1, help="Processes of the service, and of the pipeline alone"
    ),
    output_path: Path | None = typer.Option(None, "--output", help="Where to write it, JSON"),
    page_path: Path | None = typer.Option(None, "--page", help="Page to fill in"),
) -> None:
    """Each request is one message. A slow client and a body of 100 MB come beside them."""
    os.environ |= {"SV_DEID_KEY": "a key for measuring only", "SV_DEID_SERVE_TOKEN": TOKEN}
    texts = [row["text"] for row in srsly.read_jsonl(messages_path)]
    set_threads(1)
    nlp = spacy.load(model_path)
    msg.text(f"{len(texts)} messages one by one ...")
    bodies = [make_body(nlp, text) for text in texts]
    alone = measure_alone(nlp, texts, workers, min(seconds, MOST_ALONE))
    with serving(model_path, workers) as (pid, port):
        msg.text(f"{clients} clients ...")
        run = Run(pid, port, bodies, seconds, requests, step)
        beside = [ask_slowly, send_much]
        with ThreadPoolExecutor(clients + len(beside)) as pool:
            others = [pool.submit(ask, port) for ask in beside]
            watching = Thread(target=run.watch, daemon=True)
            watching.start()
            list(pool.map(run.ask, range(clients)))
            watching.join()
            told = [other.result() for other in others]
    alone = (alone + measure_alone(nlp, texts, workers, min(seconds, MOST_ALONE))) / 2
    rows = [*run.tell(alone), ("slow client", told[0]), ("body of 100 MB", told[1])]
    title = f"{clients} clients, {workers} processes, {seconds:g} s, {len(run.waited)} requests; {get_state()}."
    memory = make_table(
        ["requests", "memory of server and workers, MB"],
        [[f"{n:,}", f"{mb:,}"] for n, mb in run.memory],
    )
    section = f"{title}\n\n{make_table(['', ''], [[*map(str, row)] for row in rows])}\n\n{memory}"
    print(section)
    if output_path is not None:
        output_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(output_path, {**dict(rows), "memory": run.memory})
    if page_path is not None:
        fill_block(page_path, "load", section)


def make_body(nlp: Language, text: str) -> tuple[bytes, str]:
    """RETURNS (tuple[bytes, str]): What is sent of a message, and what is to come out."""
    ((result,),) = do_all(nlp, [Work([text])])
    return json.dumps({"texts": [text]}).encode(), result["text"]


def measure_alone(nlp: Language, texts: list[str], workers: int, seconds: float) -> float:
    """RETURNS (float): Messages a second of the pipeline alone, in so many processes with a thread each."""
    with make_pool(nlp, partial(make_count, texts), workers, method="fork") as pool:
        done = [pool.submit(do_work, seconds) for _ in range(workers)]
        return sum(each.result() for each in done) / seconds


def make_count(texts: list[str], nlp: Language) -> Callable[[float], int]:
    """RETURNS (Callable[[float], int]): Reads messages for so many seconds, and counts them."""

    def count(seconds: float) -> int:
        works = cycle([Work([text]) for text in texts])
        until, n_done = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            n_done += len(do_all(nlp, [next(works) for _ in range(BATCH)]))
        return n_done

    return count


@contextmanager
def serving(model_path: Path, workers: int) -> Iterator[tuple[int, int]]:
    """YIELDS (tuple[int, int]): The id of the process of a service, and its port."""
    command = [sys.executable, "-c", RUN.format(path=str(model_path))]
    command += ["--port", "0", "--rate", "0", "--workers", str(workers)]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
                if address:
                    yield process.pid, int(address[1])
                    return
            raise RuntimeError("The service does not start.")
        finally:
            process.terminate()


class Run:
    """What clients do, and what comes of it.

    pid (int), port (int): Of the service.
    bodies (list[tuple[bytes, str]]): What is sent, and what is to come out (`make_body`).
    seconds (float), requests (int): They ask so long, and at least so often.
    step (int): Requests between two looks at the memory.
    """

    def __init__(
        self,
        pid: int,
        port: int,
        bodies: list[tuple[bytes, str]],
        seconds: float,
        requests: int,
        step: int,
    ) -> None:
        self.pid, self.port, self.bodies = pid, port, bodies
        self.seconds, self.requests, self.step = seconds, requests, step
        self.start = time.monotonic()
        self.codes: Counter[int] = Counter()
        # Of all requests, and of those that were answered in time.
        self.waited: list[float] = []
        self.n_in_time = 0
        self.n_different = 0
        self.memory = [(0, get_memory(pid))]

    @property
    def is_over(self) -> bool:
        """RETURNS (bool): Whether enough was asked."""
        is_late = time.monotonic() > self.start + self.seconds
        return is_late and len(self.waited) >= self.requests

    def ask(self, number: int) -> None:
        """Ask as one of the clients."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        for body, want in cycle(self.bodies[number:] + self.bodies[:number]):
            if self.is_over:
                break
            asked = time.monotonic()
            connection.request("POST", "/v1/deidentify", body, HEADERS)
            answer = connection.getresponse()
            data = answer.read()
            now = time.monotonic()
            self.codes[answer.status] += 1
            if answer.status == 200:
                self.n_in_time += now < self.start + self.seconds
                self.n_different += json.loads(data)["messages"][0]["text"] != want
            self.waited.append(now - asked)
        connection.close()

    def watch(self) -> None:
        """Look at the memory again and again."""
        while self.memory[-1][0] + self.step <= self.requests:
            if len(self.waited) >= self.memory[-1][0] + self.step:
                self.memory.append((self.memory[-1][0] + self.step, get_memory(self.pid)))
            time.sleep(0.05)

    def tell(self, alone: float) -> Iterator[Row]:
        """alone (float): Messages a second of the pipeline alone.
        YIELDS (Row): The rows of the page.
        """
        cuts = statistics.quantiles(self.waited, n=100)
        for share in (50, 95, 99):
            yield f"p{share}, s", round(cuts[share - 1], 3)
        rate = self.n_in_time / self.seconds
        yield "messages a second", round(rate, 1)
        yield "of the pipeline alone", round(alone, 1)
        yield "share of it", round(rate / alone, 2)
        yield "answers", ", ".join(f"{code}: {n}" for code, n in sorted(self.codes.items()))
        yield "other than one by one", self.n_different
        # Before the first step, caches fill.
        warm = self.memory[1:]
        if len(warm) > 1:
            slope = statistics.linear_regression(*zip(*warm)).slope
            yield "memory, MB more in 10,000 requests", round(slope * 10_000, 2)


def ask_slowly(port: int) -> str:
    """Send a body of which a byte comes each second.

    port (int): Of the service.
    RETURNS (str): When it was refused, and how.
    """
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(write_head("Content-Length: 1000"))
        connection.settimeout(1)
        while True:
            with suppress(TimeoutError):
                return tell_code(connection.recv(100), start)
            connection.sendall(b" ")


def send_much(port: int) -> str:
    """Send a body that is too large, without telling so before.

    port (int): Of the service.
    RETURNS (str): When it was refused, and how.
    """
    start, piece = time.monotonic(), b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(write_head("Transfer-Encoding: chunked"))
        try:
            for _ in range(LARGE // 0x10000):
                connection.sendall(piece)
        except OSError:
            return f"cut off after {time.monotonic() - start:.1f} s"
        return tell_code(connection.recv(100), start)


def write_head(line: str) -> bytes:
    """RETURNS (bytes): The head of a request."""
    headers = [f"{name}: {value}" for name, value in HEADERS.items()]
    lines = ["POST /v1/deidentify HTTP/1.1", "Host: localhost", *headers, line, "", ""]
    return "\r\n".join(lines).encode()


def tell_code(answer: bytes, start: float) -> str:
    """RETURNS (str): The code of an answer, and when it came."""
    code = answer.split()[1].decode() if answer else "cut off"
    return f"{code} after {time.monotonic() - start:.1f} s"


if __name__ == "__main__":
    typer.run(load)
