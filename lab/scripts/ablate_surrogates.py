"""Measure what each branch of the surrogates is worth: annotated messages are replaced once, then again
without each branch, where it was taken. No trained pipeline is needed.

    python -m lab.scripts.ablate_surrogates lab/metrics/branches.json assets/messages/natural lab/sets/later.jsonl

A branch guards something if without it an error is raised, a check of the surrogates finds more
(`lab.surrogate_checks`), or a test fails. What guards nothing and changes fewer than 1 mention in 5,000 may go.
"""

import os
import random
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import pytest
import srsly
import typer
from _pytest.runner import runtestprotocol
from spacy.tokens import Doc
from wasabi import msg

from components.lists.lists import read_lists
from components.measures.gold import read_messages
from components.surrogates.surrogate_generator import (
    KEY_VARIABLE,
    STRATEGIES,
    SurrogateGenerator,
    read_key,
)
from lab.measures.branches import Branches
from lab.measures.replacing import GENERATOR, KEY, make_gold_doc, make_replacing_language
from lab.surrogate_checks import Known, make_talks, run_checks
from training_tools.errors import clean_errors
from training_tools.generator.natural import Thread, gather_threads, read_natural

PACKAGE = "components.surrogates"
FEW = 1 / 5000
SECONDS = 1.0
Replaced = list[list[str]]


def ablate_surrogates(
    metrics: Annotated[Path, typer.Argument(help="Where to write the figures, JSON")],
    messages: Annotated[
        list[Path],
        typer.Argument(help="Annotated messages: JSONL, or a folder of natural messages"),
    ],
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
    keys: Annotated[int, typer.Option(help="Number of keys to replace under", min=1)] = 10,
    sample: Annotated[
        int, typer.Option(help="Messages or conversations to replace for each branch", min=1)
    ] = 60,
    tests: Annotated[
        Path | None, typer.Option(help="Tests to run without each branch that changes little")
    ] = None,
) -> None:
    """Measure what each branch of the surrogates is worth."""
    os.environ[KEY_VARIABLE] = KEY
    with clean_errors():
        units = [unit for path in messages for unit in read_units(path)]
        rows = read_lists(str(lists))
    ablation = Ablation(units, rows)
    figures = ablation.measure(keys, sample)
    if tests is not None:
        few = [figure["number"] for figure in figures if figure["share"] < FEW]
        failing = find_failing_tests(ablation.branches, few, tests)
        for figure in figures:
            figure["test"] = failing.get(figure["number"])
    metrics.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics, {"mentions": ablation.mentions, "branches": figures})
    idle = [figure for figure in figures if may_go(figure)]
    for figure in idle:
        where = f"{figure['module'].removeprefix(PACKAGE)[1:]}:{figure['line']}"
        print(f"{where}\t{figure['function']}\t{figure['units']}\t{figure['condition']}")
    msg.good(f"{len(idle)} of {len(figures)} branches guard nothing and change little", metrics)


def may_go(figure: dict[str, Any]) -> bool:
    """Say whether a branch guards nothing and changes fewer than 1 mention in 5,000."""
    guards = figure["error"] or figure["checks"] or figure.get("test") or figure["builds"]
    return figure["share"] < FEW and not guards


def read_units(path: Path) -> list[Thread]:
    """Read the messages and conversations in which something is annotated."""
    units = read_natural(path) if path.is_dir() else gather_threads(read_messages(path))
    return [unit for unit in units if any(row["spans"] for row in unit)]


class Ablation:
    """Replaces messages with and without each branch.

    units (Sequence[Thread]): Annotated messages and conversations.
    lists (dict): The word lists.
    """

    def __init__(self, units: Sequence[Thread], lists: Any) -> None:
        self.units = units
        self.nlp = make_replacing_language(lists)
        self.generator = cast(SurrogateGenerator, self.nlp.get_pipe(GENERATOR))
        self.generator.required = []
        self.known = Known(lists)
        self.branches = Branches(PACKAGE)
        self._replaced: dict[tuple[int, int], Replaced] = {}
        self.mentions = sum(len(row["spans"]) for unit in units for row in unit)
        # What is taken while pools are built is not taken again: the first round finds it.
        self.building = self._record()
        self.taken = self._record()

    def measure(self, keys: int, sample: int) -> list[dict[str, Any]]:
        """Measure each branch.

        keys (int): The number of keys.
        sample (int): The number of units for each branch.
        RETURNS (list[dict]): For each branch where it stands, in how many units it is taken, and of the
            mentions of all units the estimated `share` that it changes, whether it ends in an `error` without it,
            and the names of the `checks` that find more.
        """
        places: dict[int, list[int]] = {}
        for place, numbers in enumerate(self.taken):
            for number in numbers:
                places.setdefault(number, []).append(place)
        built = set().union(*self.building)
        figures = []
        for number, branch in enumerate(self.branches.all):
            own = places.get(number, [])
            drawn = random.Random(number).sample(own, min(sample, len(own)))
            figures.append(
                {
                    "number": number,
                    **branch._asdict(),
                    "units": len(own),
                    "builds": number in built and not own,
                    **self._compare(number, drawn, keys, len(own)),
                }
            )
        return figures

    def _compare(self, number: int, drawn: list[int], keys: int, taken: int) -> dict[str, Any]:
        changed = 0
        differing = []
        # One in few units takes all keys; one in many is told apart by fewer.
        used = min(keys, max(2, 200 // max(1, len(drawn))))
        for place in drawn:
            for key in range(used):
                before = self._replace_with_all(place, key)
                self.branches.switch(number)
                after, docs = self._replace(place, key)
                self.branches.switch()
                if any(doc._.failed is not None for doc in docs):
                    return {"share": 1.0, "error": True, "checks": []}
                if before != after:
                    changed += count_changed(before, after)
                    differing.append((place, key, docs))
        share = changed / used / max(1, len(drawn)) * taken / self.mentions
        worse: set[str] = set()
        if share < FEW:
            worse = set().union(*(self._find_worse(*one) for one in differing))
        return {"share": share, "error": False, "checks": sorted(worse)}

    def _find_worse(self, place: int, key: int, docs: list[Doc]) -> set[str]:
        rows = self.units[place]
        before, after = (
            run_checks(make_talks(rows, some), self.known)
            for some in (self._replace(place, key)[1], docs)
        )
        return {name for name, check in after.items() if check.failed > before[name].failed}

    def _replace_with_all(self, place: int, key: int) -> Replaced:
        if (place, key) not in self._replaced:
            self._replaced[place, key] = self._replace(place, key)[0]
        return self._replaced[place, key]

    def _replace(self, place: int, key: int) -> tuple[Replaced, list[Doc]]:
        os.environ[KEY_VARIABLE] = f"{KEY} {key}"
        self.generator._key = read_key()
        docs = [make_gold_doc(self.nlp, row) for row in self.units[place]]
        # Without its branch a loop may never end.
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        self.generator.replace_conversation(docs)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return [[part["replacement"] for part in doc._.replacements or ()] for doc in docs], docs

    def _record(self) -> list[set[int]]:
        taken = []
        for place in range(len(self.units)):
            self.branches.switch()
            for strategy in ("surrogate", "numbered"):
                self.generator.strategy = strategy
                self._replace(place, 0)
            self.generator.strategy = STRATEGIES[0]
            taken.append(self.branches.fired)
        return taken


def _stop(*_: Any) -> None:
    raise TimeoutError


def count_changed(before: Replaced, after: Replaced) -> int:
    """Count the mentions whose replacements differ."""
    return sum(
        sum(one != other for one, other in zip(some, others)) + abs(len(some) - len(others))
        for some, others in zip(before, after)
    )


def find_failing_tests(branches: Branches, numbers: Iterable[int], folder: Path) -> dict[int, str]:
    """Run tests, each again without each of the branches that it takes.

    branches (Branches): The branches.
    numbers (Iterable[int]): Those to switch off.
    folder (Path): The tests.
    RETURNS (dict[int, str]): For each branch that a test fails without, the first such test.
    """
    guards = _Guards(branches, set(numbers))
    pytest.main([str(folder), "-q", "-p", "no:cacheprovider"], plugins=[guards])
    return guards.failing


class _Guards:
    """A plugin of pytest that runs each test again without the branches that it takes."""

    def __init__(self, branches: Branches, numbers: set[int]) -> None:
        self.branches, self.open = branches, numbers
        self.failing: dict[int, str] = {}

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        self.branches.switch()
        passed = self._run(item, nextitem)
        taken = self.branches.fired & self.open if passed else set()
        for number in sorted(taken):
            self.branches.switch(number)
            if not self._run(item, nextitem):
                self.failing[number] = item.nodeid
                self.open.remove(number)
        return True

    def _run(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        cast(Any, item)._initrequest()
        return all(
            report.outcome != "failed"
            for report in runtestprotocol(item, log=False, nextitem=nextitem)
        )


if __name__ == "__main__":
    typer.run(ablate_surrogates)
