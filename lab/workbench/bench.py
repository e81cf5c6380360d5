"""What experiments that train have in common: the corpora, the recipe, and how their variants are
run, each as a cell that is kept.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import typer
from spacy.util import load_config

from components.lists import lists as package
from components.measures.gold import Row
from lab.places import METRICS
from lab.workbench.cells import digest, run_cells
from lab.workbench.scored import Counts, pool
from lab.workbench.training import WORK, Overrides, Recipe, run_variant
from training_tools.markdown import get_state
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import Outcome

Rows = Sequence[Row]
Train = Rows | Path
NO_NAME = re.compile(r"[^\w.]+")
COMPONENTS = Path(package.__file__).parent.parent


@dataclass(frozen=True)
class Variant:
    """What is trained in a cell.

    train (Sequence[Row] | Callable[[], Sequence[Row] | Path]): The messages to train on; or what
        makes them or a `.spacy` file of them, if that takes time.
    overrides (Mapping[str, Any]): Values of the config that are other than the recipe's.
    about (Mapping[str, Any]): What tells this variant from others: needed if `train` is a function,
        whose messages nobody knows before they are made.
    dev (Sequence[Row]): What its threshold is chosen on; nothing for what that of all is.
    tests (Mapping[str, Sequence[Row]]): What it is scored on; nothing for what all are.
    """

    train: Rows | Callable[[], Train]
    overrides: Overrides = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    dev: Rows = ()
    tests: Mapping[str, Rows] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What its figures depend on."""
        train = {} if callable(self.train) else {"train": digest_rows(self.train)}
        own = {
            "own dev": digest_rows(self.dev),
            "own tests": {name: digest_rows(rows) for name, rows in self.tests.items()},
        }
        return {**self.about, **train, **own, "overrides": dict(self.overrides)}


@dataclass(frozen=True)
class Bench:
    """Where variants are trained and scored.

    train (Sequence[Row]): The messages to train on.
    dev (Sequence[Row]): Those to choose thresholds on.
    tests (Mapping[str, Sequence[Row]]): The corpora to score on, by name; the first is that of the
        same kind as the training.
    recipe (Recipe): How variants are trained.
    seeds (Sequence[int]): The seeds of which each variant is trained.
    quick (bool): Whether it shows that all works, rather than what is so.
    metrics (Path): Where figures go.
    work (Path): Where trainings go.
    keep (bool): Whether trained pipelines are kept.
    """

    train: Rows
    dev: Rows
    tests: Mapping[str, Rows]
    recipe: Recipe
    seeds: Sequence[int] = (0,)
    quick: bool = False
    metrics: Path = METRICS
    work: Path = WORK
    keep: bool = False

    def run(
        self,
        experiment: str,
        variants: Mapping[str, Variant],
        score: Callable[..., Any] = run_variant,
    ) -> dict[str, dict[str, Any]]:
        """Train and score variants, of each seed.

        experiment (str): Its name.
        variants (Mapping[str, Variant]): The variants by name.
        score (Callable[..., Any]): Trains and scores one: called as `run_variant` is, gives what
            that does.
        RETURNS (dict[str, dict[str, Any]]): For each variant "counts": by corpus, the seeds pooled;
            "runs": the figures of each seed.
        """
        cells = {
            name_cell(name, seed): {"variant": name, "seed": seed, **variant.describe()}
            for name, variant in variants.items()
            for seed in self.seeds
        }

        def run(settings: Mapping[str, Any]) -> dict[str, Any]:
            name, seed = settings["variant"], settings["seed"]
            variant = variants[name]
            return score(
                self.recipe.change(variant.overrides),
                variant.train() if callable(variant.train) else variant.train,
                variant.dev or self.dev,
                variant.tests or self.tests,
                self.get_folder(experiment, name, seed),
                seed=seed,
                keep=self.keep,
            )

        figures = run_cells(experiment, cells, run, same=self.describe(), folder=self.metrics)
        results = {}
        for name in variants:
            runs = [figures[name_cell(name, seed)] for seed in self.seeds]
            counts: dict[str, Counts] = {
                corpus: pool([one["counts"][corpus] for one in runs])
                for corpus in runs[0]["counts"]
            }
            results[name] = {"counts": counts, "runs": runs}
        return results

    def get_folder(self, experiment: str, name: str, seed: int) -> Path:
        """Tell where a variant is trained.

        experiment (str): The experiment.
        name (str): The variant.
        seed (int): The seed.
        RETURNS (Path): The folder.
        """
        return self.work / experiment / name_cell(name, seed)

    def publish(self, outcome: Outcome) -> None:
        """Say what came out, and write it where figures go.

        outcome (Outcome): The outcome; its state becomes that of the bench.
        """
        typer.echo(outcome.says)
        write_outcome(replace(outcome, state=self.state), self.metrics)

    @property
    def state(self) -> str:
        """RETURNS (str): When it is measured, and on how much."""
        seeds = ", ".join(map(str, self.seeds))
        parts = [
            get_state(),
            f"{len(self.train)} messages to train on",
            f"{self.recipe.steps} steps",
        ]
        parts += [f"seeds {seeds}" if len(self.seeds) > 1 else f"seed {seeds}"]
        return ", ".join(parts) + (": the quick setting, which tells little" if self.quick else "")

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What the figures of all variants depend on: the recipe, the
        corpora, and the code and data of the pipeline.
        """
        recipe = self.recipe
        paths = load_config(recipe.config)["paths"]
        encoder, lists = recipe.encoder or paths["encoder"], recipe.lists or paths["lists"]
        data = [Path(path) for path in (encoder, lists, paths["patterns"])]
        files = [*sorted(COMPONENTS.rglob("*.py")), recipe.config, *data]
        return {
            "recipe": recipe.describe(),
            "dev": digest_rows(self.dev),
            "tests": {name: digest_rows(rows) for name, rows in self.tests.items()},
            "pipeline": digest(*files),
        }


def name_cell(name: str, seed: int) -> str:
    """Name the cell of a variant, as a file or a folder may be called.

    name (str): The variant.
    seed (int): The seed.
    RETURNS (str): The name.
    """
    return f"{NO_NAME.sub('-', name).strip('-')}-{seed}"


def digest_rows(rows: Rows) -> str:
    """Tell messages apart by what is in them.

    rows (Sequence[Row]): The messages.
    RETURNS (str): Sixteen digits that change with any of them.
    """
    total = sha256()
    for row in rows:
        total.update(json.dumps([row["text"], row["spans"], row.get("conversation")]).encode())
    return total.hexdigest()[:16]
