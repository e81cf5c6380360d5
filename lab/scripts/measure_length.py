"""Measure time and memory against the length of one message, pipe by pipe, and draw the plot."""

import multiprocessing
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import matplotlib
import spacy
import srsly
import typer
from matplotlib import pyplot
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import read_messages
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, make_table

MB = 1_000_000
LENGTHS = (10_000, 30_000, 100_000, 300_000, MB)
KINDS = ("7", "Anna ", "a ", "1-", "a@a.", "den 3 maj ", " ")
MESSAGES = "messages"


def measure_length(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    plot_path: Path = typer.Option(Path("lab/docs/length.svg"), "--plot", help="The picture"),
    page_path: Path | None = typer.Option(None, "--page", help="Page to write the table into"),
    longest: int = typer.Option(MB, help="The longest message, in characters"),
) -> None:
    with clean_errors():
        messages = "\n".join(row["text"] for row in read_messages(data_path)) + "\n"
    lengths = [length for length in LENGTHS if length <= longest]
    figures: dict[str, dict[int, dict[str, Any]]] = {}
    for kind in (MESSAGES, *KINDS):
        piece = messages if kind == MESSAGES else kind
        for length in lengths if kind == MESSAGES else lengths[-2:]:
            text = (piece * (length // len(piece) + 1))[:length]
            # A process of its own, which says how much memory it has needed at most.
            context = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(1, mp_context=context) as pool:
                figure = pool.submit(run, str(model_path), text).result()
            figures.setdefault(kind, {})[length] = figure
            msg.text(f"{kind!r}, {length} characters: {figure}")
        # After each kind: all of them take a quarter of an hour.
        metrics_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_json(metrics_path, figures)
        draw(figures[MESSAGES], plot_path)
        if page_path is not None:
            fill_block(page_path, "length", write_table(figures))
    msg.good("Figures written", metrics_path)


def run(model_path: str, text: str) -> dict[str, Any]:
    """Process one message.

    model_path (str): The trained pipeline.
    text (str): The message.
    RETURNS (Dict[str, Any]): The seconds of each pipe and in all, the peak of memory in MB.
    """
    nlp = spacy.load(model_path)
    nlp("Hej Anna, 3 maj")
    seconds: dict[str, float] = {}

    def timed(name: str, pipe: Callable) -> Callable:
        def call(doc, **kwargs):
            start = time.process_time()
            doc = pipe(doc, **kwargs)
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - start
            return doc

        call.takes_failed = getattr(pipe, "takes_failed", False)  # type: ignore[attr-defined]
        return call

    nlp._components = [(name, timed(name, pipe)) for name, pipe in nlp._components]
    start = time.process_time()
    doc = nlp(text)
    total = time.process_time() - start
    if doc._.failed:
        raise RuntimeError(doc._.failed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "total": round(total, 3),
        "entities": len(doc.ents),
        "peak_mb": round(peak),
    }


def draw(figures: dict[int, dict[str, Any]], path: Path) -> None:
    """Draw seconds against characters, a line for each pipe.

    figures (Dict[int, Dict[str, Any]]): The figures by length.
    path (Path): The picture.
    """
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "sv_deid_chat"
    figure, axes = pyplot.subplots(figsize=(8, 5))
    for name in next(iter(figures.values()))["seconds"]:
        values = [max(row["seconds"].get(name, 0.0), 1e-3) for row in figures.values()]
        axes.plot([*figures], values, marker="o", label=name)
    ends = [min(figures), max(figures)]
    first = figures[ends[0]]["total"]
    axes.plot(ends, [first, first * ends[1] / ends[0]], "k:", label="linear")
    axes.set(xscale="log", yscale="log", xlabel="characters in one message", ylabel="CPU seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")


def write_table(figures: dict[str, dict[int, dict[str, Any]]]) -> str:
    """RETURNS (str): Time and memory as a Markdown table."""
    lines = []
    for kind, rows in figures.items():
        name = kind if kind == MESSAGES else f"`{kind}`"
        before = None
        for length, row in rows.items():
            growth = f"{row['total'] / before:.1f}" if before else "–"
            before = row["total"]
            lines.append([name, f"{length:,}", f"{before:.1f}", growth, f"{row['peak_mb']:,}"])
    return make_table(["text", "characters", "CPU seconds", "times as long", "peak, MB"], lines)


if __name__ == "__main__":
    typer.run(measure_length)
