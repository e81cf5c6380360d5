"""Measure the service under load: how long clients wait, and how much it does beside the pipeline alone."""

import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from pathlib import Path
from typing import Any

import httpx
import spacy
import srsly
import typer
from wasabi import msg

import components  # noqa: F401
from components.serve.pipeline import BATCH, Work, do_all


def load(
    messages_path: Path = typer.Argument(..., help="Messages to send, JSONL", exists=True),
    address: str = typer.Argument(..., help="Where `serve` runs, started with --rate 0"),
    token: str = typer.Option(..., envvar="SV_DEID_SERVE_TOKEN", help="Its token"),
    clients: int = typer.Option(50, min=1, help="Clients, each of which waits for its answer"),
    seconds: float = typer.Option(120.0, min=1, help="How long they ask"),
    model_path: Path | None = typer.Option(
        None, "--model", help="The pipeline, to measure alone what one worker does", exists=True
    ),
    output_path: Path | None = typer.Option(None, help="Where to write the figures, JSON"),
) -> None:
    """Each request is one message. Answers are compared with those of the same message before."""
    texts = [row["text"] for row in srsly.read_jsonl(messages_path)]
    figures = ask(texts, address, token, clients, seconds)
    if model_path is not None:
        alone = measure_alone(texts, model_path, min(seconds, 20))
        figures["alone_per_second"] = round(alone, 1)
        figures["share_of_alone"] = round(figures["per_second"] / alone, 2)
    for name, value in figures.items():
        msg.text(f"{name}: {value}")
    if output_path is not None:
        output_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(output_path, figures)


def ask(texts: list[str], address: str, token: str, clients: int, seconds: float) -> dict[str, Any]:
    """Ask the service, all clients at once."""
    codes: Counter[int] = Counter()
    waited: list[float] = []
    answers: dict[str, str] = {}
    n_different = 0
    start = time.monotonic()

    def run(number: int) -> None:
        nonlocal n_different
        for i in count(number, clients):
            text, asked = texts[i % len(texts)], time.monotonic()
            if asked > start + seconds:
                return
            answer = client.post("/v1/deidentify", json={"texts": [text]})
            waited.append(time.monotonic() - asked)
            codes[answer.status_code] += 1
            if answer.status_code == 200:
                out = answer.json()["messages"][0]["text"]
                n_different += answers.setdefault(text, out) != out

    with (
        httpx.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {token}"},
            limits=httpx.Limits(max_connections=clients),
            timeout=120,
        ) as client,
        ThreadPoolExecutor(clients) as pool,
    ):
        list(pool.map(run, range(clients)))
    taken = time.monotonic() - start
    cuts = statistics.quantiles(waited, n=100)
    return {
        "clients": clients,
        "per_second": round(codes[200] / taken, 1),
        **{f"p{share}": round(cuts[share - 1], 3) for share in (50, 95, 99)},
        "codes": {str(code): number for code, number in sorted(codes.items())},
        "different": n_different,
    }


def measure_alone(texts: list[str], model_path: Path, seconds: float) -> float:
    """Messages a second of the pipeline alone, in one process with one thread."""
    nlp = spacy.load(model_path)
    works = cycle([Work([text]) for text in texts])
    do_all(nlp, [next(works) for _ in range(BATCH)])
    start, n_done = time.monotonic(), 0
    while time.monotonic() - start < seconds:
        n_done += len(do_all(nlp, [next(works) for _ in range(BATCH)]))
    return n_done / (time.monotonic() - start)


if __name__ == "__main__":
    typer.run(load)
