"""Measure the speed of a pipeline against a named baseline in the same run: the bare forward
passes of its encoder, one message after the other as they come.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import spacy
import srsly
import torch
import typer
from wasabi import msg, table

from components.pipes.chat_encoder import get_network
from corpus_tools.errors import clean_errors
from corpus_tools.formats.jsonl import read_messages


def benchmark(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    rounds: int = typer.Option(3, help="Rounds; the median counts"),
    threads: int = typer.Option(2, help="CPU threads"),
) -> None:
    with clean_errors():
        texts = [row["text"] for row in read_messages(data_path)]
    torch.set_num_threads(threads)
    nlp = spacy.load(model_path)
    by_length = sorted(texts, key=len)
    encoder: Any = nlp.get_pipe("transformer")
    network = get_network(encoder.model)

    def run_baseline() -> None:
        with torch.inference_mode():
            for text in texts:
                pieces = network.tokenizer.encode(text).ids[: network.bert.max_pieces]
                ids = torch.tensor([pieces])
                network.bert(ids, torch.ones_like(ids, dtype=torch.bool))

    def run_pipeline(texts: list[str], disable: tuple[str, ...] = ()) -> Callable[[], None]:
        def run() -> None:
            with nlp.select_pipes(disable=list(disable)):
                for _ in nlp.pipe(texts):
                    pass

        return run

    runs = {
        "baseline: bare encoder, one by one": run_baseline,
        "pipeline, one by one": lambda: [nlp(text) for text in texts],
        "pipeline, batches as they come": run_pipeline(texts),
        "pipeline, batches by length": run_pipeline(by_length),
        "without surrogates, batches by length": run_pipeline(by_length, ("surrogate_generator",)),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    median = {name: sorted(all_)[rounds // 2] for name, all_ in seconds.items()}
    base = median["baseline: bare encoder, one by one"]
    figures = {
        name: {"messages_per_second": len(texts) / value, "speed_ratio": base / value}
        for name, value in median.items()
    }
    rows = [
        [name, f"{row['messages_per_second']:.0f}", f"{row['speed_ratio']:.2f}"]
        for name, row in figures.items()
    ]
    print(table(rows, header=["run", "messages/s", "ratio to the baseline"], divider=True))
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    msg.good(f"{len(texts)} messages, {threads} threads, median of {rounds}", metrics_path)


if __name__ == "__main__":
    typer.run(benchmark)
