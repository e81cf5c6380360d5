"""One system, one seed: it learns, or is read where it has learnt before, and is measured."""

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import srsly
import torch

from lab.systems.base import System, get_size
from lab.systems.ensemble import Ensemble
from lab.systems.roster import MEMBERS, Entry
from lab.workbench.bench import Bench, digest_rows
from lab.workbench.cells import run_cells
from lab.workbench.scored import count_spans

NAME = "compare"
FITTED = "fitted.json"


@dataclass(frozen=True)
class Ready:
    """A system that has learnt.

    system (System): The system.
    minutes (float | None): What it took of the processor, its members' learning included; None if one
        of them had learnt before.
    size (int): Its bytes on disk, its members' included.
    """

    system: System
    minutes: float | None
    size: int


@dataclass(frozen=True)
class Comparison:
    """What all systems have in common.

    bench (Bench): The messages, the seeds, and where things go. Speed is measured on its first test.
    roster (Mapping[str, Entry]): The systems.
    rounds (int): How often finding is timed.
    threads (int): CPU threads while they learn. They find in one.
    """

    bench: Bench
    roster: Mapping[str, Entry]
    rounds: int
    threads: int = 1

    def run(self, names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        """Measure systems, each with each seed that makes a difference to it.

        names (Sequence[str]): The systems.
        RETURNS (dict[str, list[dict[str, Any]]]): What `measure` gives, seed by seed.
        """
        cells = {
            f"{name}-{seed}": {"system": name, "seed": seed, **self.roster[name].hangs_on}
            for name in names
            for seed in self._get_seeds(name)
        }
        same = {
            **self._describe(),
            "tests": {name: digest_rows(rows) for name, rows in self.bench.tests.items()},
            "rounds": self.rounds,
        }
        figures = run_cells(NAME, cells, self.measure, same=same, folder=self.bench.metrics)
        return {
            name: [figures[cell] for cell, own in cells.items() if own["system"] == name]
            for name in names
        }

    def _describe(self) -> dict[str, str]:
        return {"train": digest_rows(self.bench.train), "dev": digest_rows(self.bench.dev)}

    def measure(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Measure a system.

        settings (Mapping[str, Any]): `system` and `seed`.
        RETURNS (dict[str, Any]): `counts` by corpus, `bytes`, and by the clock of the processor, which
            other work on the machine does not reach, `fit_minutes` and `words_a_second`.
        """
        ready = self.prepare(settings["system"], settings["seed"])
        torch.set_num_threads(1)
        counts = {}
        for name, rows in self.bench.tests.items():
            found = ready.system.find([row["text"] for row in rows])
            counts[name] = count_spans(rows, found)
        texts = [row["text"] for row in next(iter(self.bench.tests.values()))]
        seconds = []
        for _ in range(self.rounds):
            start = time.process_time()
            ready.system.find(texts)
            seconds.append(time.process_time() - start)
        return {
            "counts": counts,
            "bytes": ready.size,
            "fit_minutes": ready.minutes,
            "words_a_second": sum(len(text.split()) for text in texts) / median(seconds),
        }

    def _get_seeds(self, name: str) -> Sequence[int]:
        make = self.roster[name].make
        return self.bench.seeds if make is None or make().seeded else self.bench.seeds[:1]

    def prepare(self, name: str, seed: int) -> Ready:
        """Let a system learn, unless it has.

        name (str): Its name.
        seed (int): The seed; those without chance have learnt with the first one.
        RETURNS (Ready): The system.
        """
        entry = self.roster[name]
        members: dict[str, Ready] = {}
        if entry.make is None:
            members = {member: self.prepare(member, seed) for member in MEMBERS}
            system: System = Ensemble({key: ready.system for key, ready in members.items()})
        else:
            system = entry.make()
        seed = seed if system.seeded else self.bench.seeds[0]
        folder = self.bench.get_folder(NAME, name, seed)
        own = self._fit_or_load(system, folder, {**entry.hangs_on, "seed": seed})
        minutes = [own, *(ready.minutes for ready in members.values())]
        return Ready(
            system,
            None if None in minutes else sum(filter(None, minutes)),
            get_size(folder / "model") + sum(ready.size for ready in members.values()),
        )

    def _fit_or_load(
        self, system: System, folder: Path, settings: Mapping[str, Any]
    ) -> float | None:
        """RETURNS (float | None): What learning took, now or then; None if it had been done before."""
        wanted = srsly.json_loads(srsly.json_dumps({**self._describe(), **settings}))
        fitted = folder / FITTED
        kept = srsly.read_json(fitted) if fitted.is_file() else {}
        if kept.get("learnt_from") == wanted:
            system.from_disk(folder / "model")
            return kept["minutes"]
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "model").mkdir(parents=True)
        # For the trainings in a process of their own, too
        os.environ["OMP_NUM_THREADS"] = str(self.threads)
        torch.set_num_threads(self.threads)
        start = get_processor_time()
        system.fit(self.bench.train, self.bench.dev, settings["seed"])
        minutes = (get_processor_time() - start) / 60 if system.learns else None
        system.to_disk(folder / "model")
        srsly.write_json(fitted, {"learnt_from": wanted, "minutes": minutes})
        return minutes


def get_processor_time() -> float:
    """RETURNS (float): Seconds that this process has had of the processor, and the trainings that it
    started and that have ended.
    """
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
