"""Measure speed and memory of the command over many rows, in one process and in several."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import srsly
import typer
from wasabi import msg

from lab.workbench.options import parse_numbers
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, get_state, make_table
from training_tools.report.plots import Line, draw_lines

# Rows of a conversation.
TURNS = 5
SECONDS = 2.0
RUN = (
    "from functools import partial; import components, spacy; "
    "from components.cli.app import main; main(partial(spacy.load, {path!r}), 'run')"
)
# Memory is compared from when so many rows are done: before, pools and caches fill.
WARM = 0.1
SCALES = {"a million": 10**6, "a billion": 10**9}


def measure_run(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    messages_path: Path = typer.Argument(..., help="Messages to repeat, JSONL", exists=True),
    output_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    rows: int = typer.Option(200_000, min=TURNS, help="Rows of the run"),
    processes: str = typer.Option("1,2", help="How many processes, comma-separated"),
    page_path: Path | None = typer.Option(None, "--page", help="Page to fill in"),
    plot_path: Path | None = typer.Option(None, "--plot", help="The picture"),
) -> None:
    """The rows of a conversation lie all over the file. Each process has one thread."""
    texts = [row["text"] for row in srsly.read_jsonl(messages_path)]
    figures: dict[str, dict[str, Any]] = {}
    with clean_errors():
        numbers = parse_numbers(processes, "--processes")
    with TemporaryDirectory() as folder:
        in_path = Path(folder) / "in.jsonl"
        write_rows(in_path, texts, rows)
        for number in numbers:
            figures[str(number)] = measure(model_path, in_path, rows, number)
            msg.text(f"{number} processes: {figures[str(number)]['rows_per_second']} rows a second")
    output_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(output_path, figures)
    if page_path is not None:
        fill_block(page_path, "run", write_section(figures, rows, plot_path))
    if plot_path is not None:
        lines = {
            f"{name} processes": Line(*zip(*figure["memory"])) for name, figure in figures.items()
        }
        plot_path.write_text(draw_lines(lines, "rows", "memory, MB", ylim=(0, None)), "utf8")


def write_rows(path: Path, texts: list[str], n_rows: int) -> None:
    """Write the rows, conversations mixed.

    path (Path): The file.
    texts (list[str]): Messages, which are repeated.
    n_rows (int): How many.
    """
    ids = [row // TURNS for row in range(n_rows)]
    random.Random(0).shuffle(ids)
    with path.open("w", encoding="utf8") as file:
        for row, id in enumerate(ids):
            values = {"id": row, "text": texts[row % len(texts)], "conversation": id}
            file.write(json.dumps(values, ensure_ascii=False) + "\n")


def measure(model_path: Path, in_path: Path, n_rows: int, n_process: int) -> dict[str, Any]:
    """Run the command, and look at it again and again.

    model_path (Path): The pipeline.
    in_path (Path): The rows.
    n_rows (int): How many there are.
    n_process (int): How many processes work.
    RETURNS (dict[str, Any]): Seconds, rows a second, and the memory by rows done, MB.
    """
    out_path = in_path.with_name(f"out-{n_process}.jsonl")
    work_path = in_path.with_name(f".{out_path.name}.work")
    env = {**os.environ, "OMP_NUM_THREADS": "1", "SV_DEID_KEY": "a key for measuring only"}
    code = RUN.format(path=str(model_path))
    command = [sys.executable, "-c", code, str(in_path), str(out_path)]
    start = time.perf_counter()
    command += ["--n-process", str(n_process)]
    process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL)
    memory: list[tuple[int, int]] = []
    counts: dict[Path, int] = {}
    while process.poll() is None:
        time.sleep(SECONDS)
        for path in work_path.glob("block-*.jsonl"):
            if path not in counts:
                counts[path] = count_rows(path)
        n_done = sum(counts.values())
        used = get_memory(process.pid)
        if n_done and used:
            memory.append((n_done, used))
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"The command ended with {process.returncode}.")
    return {
        "seconds": round(seconds, 1),
        "rows_per_second": round(n_rows / seconds, 1),
        "memory": thin(memory),
    }


def count_rows(path: Path) -> int:
    """path (Path): The results of a block.
    RETURNS (int): Its rows.
    """
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1


def get_memory(pid: int) -> int:
    """Measure a process and those that it has started. What they share is shared out among them.

    pid (int): The process.
    RETURNS (int): MB.
    """
    total = 0
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = (path / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if int(path.name) == pid or int(parent) == pid:
                lines = (path / "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue  # it has ended
    return total // 1024


def thin(memory: list[tuple[int, int]], size: int = 100) -> list[tuple[int, int]]:
    """memory (list[tuple[int, int]]): Rows and MB.
    size (int): How many to keep, about.
    RETURNS (list[tuple[int, int]]): Some of them, evenly.
    """
    step = max(1, len(memory) // size)
    return [*memory[::step], memory[-1]]


def write_section(figures: dict[str, dict[str, Any]], n_rows: int, plot_path: Path | None) -> str:
    """RETURNS (str): The figures as a section of a page."""
    table = []
    for name, figure in figures.items():
        warm = [used for done, used in figure["memory"] if done >= WARM * n_rows]
        rate = figure["rows_per_second"]
        hours = [count * int(name) / rate / 3600 for count in SCALES.values()]
        table.append(
            [
                name,
                f"{rate:,.0f}",
                f"{warm[0]:,}",
                f"{max(warm):,}",
                *(f"{value:,.1f}" if value < 100 else f"{value:,.0f}" for value in hours),
            ]
        )
    head = ["processes", "rows a second", f"MB after {n_rows * WARM:,.0f} rows", "MB at most"]
    head += [f"core hours for {name} rows, on paper" for name in SCALES]
    told = (
        f"{n_rows:,} rows of messages that are repeated, conversations of {TURNS} rows mixed all over the "
        f"file; one thread a process; loading, index and writing included; {get_state()}."
    )
    paper = (
        "On paper: rows a second and core, times as many. Hours fall with the cores, as blocks need nothing "
        "of each other."
    )
    parts = [told, make_table(head, table), paper]
    if plot_path is not None:
        parts.append(f"![Memory by rows done]({plot_path.name})")
    return "\n\n".join(parts)


if __name__ == "__main__":
    typer.run(measure_run)
