"""Put faults into the components, one at a time, and see whether a test fails. mutmut makes the faults
and runs the tests that reach the changed function; here a sample is drawn by seed, and what became
of it is written down.

    python -m lab.scripts.mutation_test metrics/mutation.json --only 'components.decoding.*'
"""

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import srsly
import typer
from mutmut.__main__ import collect_source_file_mutation_data, create_mutants
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import copy_src_dir
from wasabi import msg

# A fault with which the tests never end is noticed, too.
NOTICED = ("killed", "timeout")
UNNOTICED = ("survived", "no tests")
UNCHECKED = "not checked"


def mutation_test(
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    mutants: int = typer.Option(300, help="How many faults; 0 for all"),
    seed: int = typer.Option(0, help="Seed of the sample"),
    only: str = typer.Option("*", help="The faults to draw from: components.decoding.*"),
    jobs: int = typer.Option(2, help="Processes"),
    resume: bool = typer.Option(False, "--resume", help="Go on where the last run stopped"),
) -> None:
    if not resume:
        shutil.rmtree("mutants", ignore_errors=True)
    copy_src_dir()
    create_mutants(jobs)
    names = sorted(name for name in read_results() if fnmatch(name, only))
    sample = random.Random(seed).sample(names, min(mutants or len(names), len(names)))
    results = read_results()
    left = [name for name in sample if results[name][1] == UNCHECKED]
    if left:
        # As many threads as processes would be too many.
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        mutmut = Path(sys.executable).with_name("mutmut")
        subprocess.run([mutmut, "run", f"--max-children={jobs}", *left], check=True, env=env)
    results = read_results()
    figures = summarise({name: results[name] for name in sample})
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"seed": seed, "of": len(names), **figures})
    msg.good(f"{figures['score']:.1%} of {len(sample)} faults noticed", metrics_path)


def read_results() -> dict[str, tuple[Path, str]]:
    """RETURNS (Dict[str, Tuple[Path, str]]): The file of each fault by its name, and its status:
    "killed", "survived", "timeout", "no tests" or "not checked".
    """
    rows, _ = collect_source_file_mutation_data(mutant_names=())
    return {name: (Path(data.path), status_by_exit_code[code]) for data, name, code in rows}


def summarise(results: dict[str, tuple[Path, str]]) -> dict[str, Any]:
    """Count the faults by status, in all and by file, and show the unnoticed ones.

    results (Dict[str, Tuple[Path, str]]): The file and the status of each fault by its name.
    RETURNS (Dict[str, Any]): The figures.
    """
    statuses = Counter(status for _, status in results.values())
    files: dict[str, Counter[str]] = {}
    for path, status in results.values():
        files.setdefault(str(path), Counter())[status] += 1
    survivors = []
    for name, (path, status) in results.items():
        if status in UNNOTICED:
            diff = get_diff_for_mutant(name, path=path)
            line = find_line(diff, path.read_text(encoding="utf8"))
            survivors.append({"file": str(path), "line": line, "name": name, "diff": diff})
    return {
        "mutants": len(results),
        "score": sum(statuses[status] for status in NOTICED) / max(1, len(results)),
        **{status: statuses[status] for status in (*NOTICED, *UNNOTICED)},
        "other": sum(statuses[status] for status in statuses if status not in NOTICED + UNNOTICED),
        "files": {path: dict(files[path]) for path in sorted(files)},
        "survivors": sorted(survivors, key=lambda row: (row["file"], row["line"])),
    }


def find_line(diff: str, source: str) -> int:
    """Find the line that a fault changes: the diff of mutmut counts within the function.

    diff (str): The unified diff, of one hunk.
    source (str): The file without the fault.
    RETURNS (int): The number of the line in the file.
    """
    hunk = diff.splitlines()[3:]
    before = [line[1:].strip() for line in hunk if not line.startswith("+")]
    changed = next(i for i, line in enumerate(hunk) if line.startswith("-"))
    lines = [line.strip() for line in source.splitlines()]
    at = next(i for i in range(len(lines)) if lines[i : i + len(before)] == before)
    return at + changed + 1


if __name__ == "__main__":
    typer.run(mutation_test)
