"""Variants of the pipeline: trained in a process of their own, tuned on the dev set, scored, and
deleted.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import typer
from spacy.language import Language
from spacy.util import load_config

import components  # noqa: F401
from components.measures.gold import Row
from components.model.phi_ner import PhiNer
from lab.workbench.score_log import read_scores
from lab.workbench.scored import Counts, score
from training_tools.assembly import load_trained
from training_tools.formats.docs import chat_language, write_docs
from training_tools.generator.natural import Thread, gather_threads, get_digest
from training_tools.steps import plan_steps
from training_tools.thresholds.choice import choose
from training_tools.thresholds.sweep import THRESHOLDS, Sweep

WORK = Path("lab/training")
# Weight of recall against precision when the threshold is chosen, as in `project.yml`.
BETA = 2.0
# spaCy scores the dev set while it trains. Only the search reads that, others give it little to do.
WATCHED = 20
UNUSED = ["surrogate_generator", "doc_cleaner"]

# In the folder of a training, beside the pipeline.
LOG, SCORES = "log.txt", "scores.jsonl"
# Seconds between two looks at how a training goes.
POLL = 0.3

Overrides = Mapping[str, Any]
Watch = Callable[[int, float], None]
Measure = Callable[[Language, str, Sequence[Row]], dict[str, Counts]]


@dataclass(frozen=True)
class Recipe:
    """How variants are trained, whatever they are trained on.

    steps (int): Steps of training.
    config (Path): The config.
    overrides (Mapping[str, Any]): Other values, by dotted name.
    encoder (str): Encoder in place of the config's, or nothing.
    lists (str): Folder of the gazetteer's lists in place of the config's, or nothing.
    gpu_id (int): GPU, -1 for the CPU.
    """

    steps: int
    config: Path = Path("configs/small.cfg")
    overrides: Overrides = field(default_factory=dict)
    encoder: str = ""
    lists: str = ""
    gpu_id: int = -1

    def change(self, overrides: Overrides) -> "Recipe":
        """Make another recipe.

        overrides (Mapping[str, Any]): Values of the config that are other; they win.
        RETURNS (Recipe): The same but for these.
        """
        return Recipe(**{**vars(self), "overrides": {**self.overrides, **overrides}})

    def leave_out(self, *pipes: str) -> dict[str, Any]:
        """Leave pipes out of the pipeline, and what replaces: it would miss what they find.

        *pipes (str): Their names.
        RETURNS (dict[str, Any]): Values of the config.
        """
        config = load_config(self.config)
        annotating = config["training"]["annotating_components"]
        pipes = (*pipes, *UNUSED)
        return {
            "nlp.pipeline": [name for name in config["nlp"]["pipeline"] if name not in pipes],
            "training.annotating_components": [name for name in annotating if name not in pipes],
        }

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What figures depend on, for the settings of a cell."""
        return {**vars(self), "config": str(self.config), "overrides": dict(self.overrides)}


def run_variant(
    recipe: Recipe,
    train: Sequence[Row] | Path,
    dev: Sequence[Row],
    tests: Mapping[str, Sequence[Row]],
    folder: Path,
    *,
    seed: int = 0,
    keep: bool = False,
    context: bool = False,
    measure: Measure | None = None,
) -> dict[str, Any]:
    """Train a variant, choose its threshold on the dev set, and score it. What lay in the folder is
    from a training that was killed, and goes.

    recipe (Recipe): How it is trained.
    train (Sequence[Row] | Path): The messages to train on, or a `.spacy` file of them.
    dev (Sequence[Row]): The messages to choose the threshold on.
    tests (Mapping[str, Sequence[Row]]): The corpora to score it on, by name.
    folder (Path): Where the pipeline goes; deleted when all is scored.
    seed (int): Seed of the training.
    keep (bool): Whether to keep the pipeline.
    context (bool): Whether a message is read with what was said before it.
    measure (Callable[[Language, str, Sequence[Row]], dict[str, Counts]] | None): Scores the pipeline
        on a corpus of a name in a way of its own, or in several, each with a name.
    RETURNS (dict[str, Any]): "threshold", and under "counts" those of each corpus.
    """
    nlp = train_variant(recipe, train, dev, folder, seed=seed)
    threshold = tune(nlp, dev)
    counts: dict[str, Counts] = {}
    for name, rows in tests.items():
        counts |= measure(nlp, name, rows) if measure else {name: score(nlp, rows, context=context)}
    if not keep:
        shutil.rmtree(folder)
    return {"threshold": threshold, "counts": counts}


def train_variant(
    recipe: Recipe,
    train: Sequence[Row] | Path,
    dev: Sequence[Row],
    folder: Path,
    *,
    seed: int = 0,
    watch: Watch | None = None,
) -> Language:
    """Train a variant in a process of its own, so that neither memory nor what spaCy keeps goes
    from one to the next. It takes what the training ends with: the learning rate falls to zero, and
    nothing is chosen by the dev set but the threshold.

    recipe (Recipe): How it is trained.
    train (Sequence[Row] | Path): The messages to train on, or a `.spacy` file of them.
    dev (Sequence[Row]): The messages of the dev set.
    folder (Path): Where the pipeline goes, as `model-last`; made again.
    seed (int): Seed of the training.
    watch (Callable[[int, float], None] | None): Called with step and score whenever the dev set has
        been scored. What it raises ends the training.
    RETURNS (Language): The pipeline, without the pipes that find nothing.
    RAISES (ValueError): If the training fails.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if isinstance(train, Path):
        train_path = train
    else:
        train_path = folder / "train.spacy"
        write_docs(train_path, train, chat_language())
    watched = choose_rows(dev, WATCHED) if watch is None else dev
    write_docs(folder / "dev.spacy", watched, chat_language())
    overrides = {
        "paths.train": str(train_path),
        "paths.dev": str(folder / "dev.spacy"),
        "training.logger.@loggers": "sv_deid_chat.ScoreLogger.v1",
        "training.logger.progress_bar": sys.stderr.isatty(),
        "training.logger.scores": str(folder / SCORES),
        **plan_steps(load_config(recipe.config), recipe.steps),
        "training.eval_frequency": recipe.steps,
        **recipe.overrides,
    }
    command = [sys.executable, "-B", "-m", "scripts.train", str(recipe.config), str(folder)]
    command += ["--encoder", recipe.encoder, "--lists", recipe.lists]
    command += ["--gpu-id", str(recipe.gpu_id), "--seed", str(seed)]
    given = os.environ.get("SPACY_CONFIG_OVERRIDES", "")
    env = {**os.environ, "SPACY_CONFIG_OVERRIDES": f"{given} {write_overrides(overrides)}".strip()}
    with (folder / LOG).open("w", encoding="utf8") as log:
        process = subprocess.Popen(command, env=env, stdout=log)
    try:
        _follow(process, folder / SCORES, watch)
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        typer.echo((folder / LOG).read_text(encoding="utf8"), err=True)
        raise ValueError(f"The training of {folder} failed: what is said above tells why.")
    return load_variant(folder)


def _follow(process: subprocess.Popen, scores: Path, watch: Watch | None) -> None:
    """Wait for a training, and pass on what it tells."""
    told, running = 0, True
    while running:
        try:
            process.wait(POLL)
            running = False
        except subprocess.TimeoutExpired:
            pass
        if watch is not None:
            known = read_scores(scores)
            for step, value in known[told:]:
                watch(step, value)
            told = len(known)


def load_variant(folder: Path) -> Language:
    """Load a variant that was trained.

    folder (Path): What `train_variant` was given.
    RETURNS (Language): The pipeline, without the pipes that find nothing.
    """
    return load_trained(folder / "model-last", exclude=UNUSED)


def tune(nlp: Language, dev: Sequence[Row], beta: float = BETA) -> float:
    """Choose the threshold of a pipeline, as the command `tune` does, and give it to it.

    nlp (Language): The pipeline.
    dev (Sequence[Row]): The messages to choose it on.
    beta (float): Weight of recall against precision.
    RETURNS (float): The threshold.
    """
    sweep = Sweep(nlp, dev, beta)
    threshold = choose([sweep.get_row(value) for value in THRESHOLDS])["threshold"]
    cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    return threshold


def write_overrides(overrides: Overrides) -> str:
    """Write values of a config as the environment variable SPACY_CONFIG_OVERRIDES takes them.

    overrides (Mapping[str, Any]): Values by dotted name.
    RETURNS (str): Options, quoted as a shell wants it.
    """
    options = (f"--{name}={json.dumps(value)}" for name, value in overrides.items())
    return " ".join(map(shlex.quote, options))


def take(threads: Sequence[Thread], size: int | None) -> list[Thread]:
    """Choose some threads, for a learning curve: each number takes in all that a smaller one does.

    size (int | None): How many messages there may be; None for all.
    RETURNS (list[Thread]): Whole threads, in an order of hash.
    """
    ordered = sorted(threads, key=get_digest)
    taken = 0
    for number, thread in enumerate(ordered):
        taken += len(thread)
        if size is not None and taken > size:
            return ordered[:number]
    return ordered


def choose_rows(rows: Sequence[Row], size: int | None) -> list[Row]:
    """Choose some messages, whole conversations: each size takes in all that a smaller one does.

    rows (Sequence[Row]): The messages.
    size (int | None): How many at most; None for all.
    RETURNS (list[Row]): The messages; at least one thread.
    """
    if size is None or size >= len(rows):
        return list(rows)
    threads = gather_threads(rows)
    chosen = take(threads, size) or take(threads, None)[:1]
    return [row for thread in chosen for row in thread]
