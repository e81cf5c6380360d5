"""Measure the speed of a pipeline against stock spaCy over the same encoder, in one run, and write
the page with the figures.
"""

import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import read_messages
from components.measures.scores import Scores
from components.measures.spans import get_entities, to_char_spans
from components.model.backend import AUTO, set_threads
from lab.measures.speed import (
    KB_SHAPE,
    Timing,
    compute_with,
    get_memory,
    make_bare,
    make_stock,
    take_shape,
    time_pipes,
    time_rounds,
)
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state, make_table

MODEL = ("transformer", "phi_ner")
SURROGATES = ("surrogate_generator",)
# A pipeline brings along every installed package that has pipes for spaCy: spacy-transformers, which
# only what is compared with needs.
LOADING = """
import time
start = time.perf_counter()
import spacy
import components
imported = time.perf_counter()
import catalogue
from importlib.metadata import EntryPoints, distributions
points = (point for package in distributions() for point in package.entry_points)
catalogue.AVAILABLE_ENTRY_POINTS = EntryPoints(
    point for point in points if not point.value.startswith("spacy_transformers")
)
hidden = time.perf_counter()
spacy.load({path!r})
print(imported - start, time.perf_counter() - hidden)
"""
# Messages of each run; of KB-BERT's shape fewer, as they take long.
N_KB = 150
N_LATENCY = 200
N_PROCESSES = 4000
# Backends with their precisions.
COMPUTED = [("numpy", "fp32"), ("torch", "fp32"), ("torch", "bf16")]


def benchmark(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(None, help="A page to write the tables into"),
    rounds: int = typer.Option(5, help="Rounds; the median counts"),
    threads: int = typer.Option(2, help="CPU threads"),
    memory: int = typer.Option(0, help="Messages of the measure of memory; 0 leaves it out"),
) -> None:
    with clean_errors():
        rows = read_messages(data_path)
        demand_pipeline(model_path)
    texts = [row["text"] for row in rows]
    set_threads(threads)
    nlp = spacy.load(model_path)
    figures: dict[str, Any] = {"messages": len(texts), "machine": get_machine(threads)}
    msg.text("The shape of its own encoder")
    figures["own"] = compare(nlp, texts, rounds)
    msg.text("KB-BERT's shape")
    large = spacy.load(model_path)
    take_shape(large, KB_SHAPE)
    figures["kb"] = compare(large, texts[:N_KB], rounds)
    msg.text("One thread")
    set_threads(1)
    figures["pipes"] = time_pipes(nlp, texts, rounds)
    figures["one_thread"] = compare_alone(nlp, texts, rounds)
    msg.text("Backends")
    figures["backends"] = {" ".join(both): check(nlp, rows, *both) for both in COMPUTED}
    msg.text("Processes, loading, memory")
    set_threads(threads)
    figures["latency_ms"] = get_latency(nlp, texts[:N_LATENCY])
    set_threads(1)
    figures["processes"] = compare_processes(nlp, texts, rounds)
    figures["loading"] = get_loading(model_path)
    if memory:
        # A process of its own, in which nothing else has run.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            figures["memory"] = pool.submit(get_memory, str(model_path), texts, memory).result()
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    content = make_page(figures)
    print(content)
    if page is not None:
        with clean_errors():
            fill_block(page, "speed", content)
    msg.good("Figures written", page or metrics_path)


def get_machine(threads: int) -> str:
    """RETURNS (str): The processor and the versions."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf8").splitlines()
        name = next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor()
    names = ("spacy", "spacy-transformers", "torch", "numpy", "pcre2")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"{name}, {threads} threads; Python {platform.python_version()}, {versions}"


def run_all(nlp: Language, texts: Iterable[str], **options: Any) -> None:
    """Process messages, and keep nothing."""
    for _ in nlp.pipe(texts, **options):
        pass


def compare(nlp: Language, texts: list[str], rounds: int) -> dict[str, Timing]:
    """Time a pipeline, stock spaCy over the same encoder, and its bare forward passes."""
    with tempfile.TemporaryDirectory() as folder:
        nlp.get_pipe("transformer").to_disk(folder)  # type: ignore[attr-defined]
        stock = make_stock(Path(folder))
    bare = make_bare(nlp, [nlp.make_doc(text) for text in texts])
    runs = {
        "stock": lambda: run_all(stock, texts),
        "ours": lambda: run_all(nlp, texts),
        "bare": bare,
    }
    return time_rounds(runs, rounds)


def compare_alone(nlp: Language, texts: list[str], rounds: int) -> dict[str, Timing]:
    """Time the pipeline, without its model, and the bare forward passes."""
    bare = make_bare(nlp, [nlp.make_doc(text) for text in texts])

    def run_rules() -> None:
        run_all(nlp, texts, disable=[*MODEL, *SURROGATES])

    return time_rounds(
        {"ours": lambda: run_all(nlp, texts), "bare": bare, "rules": run_rules}, rounds
    )


def check(
    nlp: Language, rows: list[dict[str, Any]], backend: str, precision: str
) -> dict[str, float]:
    """What the pipeline finds, and how fast, with one backend and precision."""
    compute_with(nlp, backend, precision)
    scores = Scores()
    start = time.perf_counter()
    docs = [*nlp.pipe([row["text"] for row in rows])]
    seconds = time.perf_counter() - start
    for row, doc in zip(rows, docs):
        scores.add(doc.text, to_char_spans(row["spans"]), get_entities(doc))
    compute_with(nlp, AUTO, AUTO)
    return {"f": scores.entity().f1, "redact": scores.redact(), "seconds": seconds}


def get_latency(nlp: Language, texts: list[str]) -> float:
    """RETURNS (float): The median of the milliseconds that one message alone takes."""
    seconds = []
    for text in texts:
        start = time.perf_counter()
        nlp(text)
        seconds.append(time.perf_counter() - start)
    return 1000 * sorted(seconds)[len(seconds) // 2]


def compare_processes(nlp: Language, texts: list[str], rounds: int) -> dict[str, Timing]:
    """Time two processes against one of one thread, on messages enough that starting them is little."""
    many = [*islice(cycle(texts), N_PROCESSES)]
    runs = {
        "one": lambda: run_all(nlp, many),
        "two": lambda: run_all(nlp, many, n_process=2),
    }
    return time_rounds(runs, min(rounds, 3))


def get_loading(path: Path) -> dict[str, float]:
    """RETURNS (Dict[str, float]): Seconds of the imports and of loading in a fresh process."""
    code = LOADING.format(path=str(path))
    seconds = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        seconds.append([float(item) for item in done.stdout.split()])
    imports, load = sorted(seconds, key=sum)[1]
    return {"imports": imports, "load": load}


def make_page(figures: dict[str, Any]) -> str:
    """RETURNS (str): The figures as Markdown."""
    n = figures["messages"]

    def speed(timing: Timing, n_messages: int) -> str:
        return f"{n_messages / timing.seconds:,.0f} (±{50 * timing.spread:.0f} %)"

    rows = []
    for name, key, n_texts in (
        ("its own encoder", "own", n),
        ("KB-BERT's shape", "kb", min(n, N_KB)),
    ):
        times = figures[key]
        ours = times["ours"].seconds
        rows.append(
            [
                name,
                *(speed(times[run], n_texts) for run in ("stock", "ours", "bare")),
                f"{times['stock'].seconds / ours:.2f}",
                f"{times['bare'].seconds / ours:.2f}",
            ]
        )
    head = [
        "messages a second",
        "stock spaCy",
        "ours",
        "bare passes",
        "ours / stock",
        "ours / bare",
    ]
    parts = [make_table(head, rows)]
    alone = figures["one_thread"]
    outside = 1000 * (alone["ours"].seconds - alone["bare"].seconds) / n
    processes = figures["processes"]
    loading = figures["loading"]
    rows = [
        ["all that is not the forward pass, ms a message", f"{outside:.2f}"],
        ["rules and lists alone, messages a second", speed(alone["rules"], n)],
        ["one message alone, ms", f"{figures['latency_ms']:.1f}"],
        ["two processes against one", f"{processes['one'].seconds / processes['two'].seconds:.2f}"],
        ["imports, s", f"{loading['imports']:.1f}"],
        ["loading, s", f"{loading['load']:.1f}"],
    ]
    if "memory" in figures:
        samples = [*figures["memory"].items()]
        (first, least), (last, most) = samples[0], samples[-1]
        rows.append([f"memory after {first:,} messages, MB", f"{least:,.0f}"])
        rows.append([f"its growth until {last:,} messages", f"{100 * (most / least - 1):.1f} %"])
    parts.append(make_table(["one core", ""], rows))
    parts.append(
        make_table(
            ["pipe", "ms a message"], [[name, f"{ms:.3f}"] for name, ms in figures["pipes"].items()]
        )
    )
    rows = [
        [name, f"{row['f']:.4f}", f"{row['redact']:.4f}", f"{n / row['seconds']:,.0f}"]
        for name, row in figures["backends"].items()
    ]
    parts.append(
        make_table(["backend", "strict F1", "redact", "messages a second, one core"], rows)
    )
    parts.append(f"{figures['machine']}; {n} messages, {get_state()}.")
    return "\n\n".join(parts)


if __name__ == "__main__":
    typer.run(benchmark)
