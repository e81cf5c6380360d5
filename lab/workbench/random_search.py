"""Random search over the settings of a training, with pruning and resume, by Optuna."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import optuna
from optuna.pruners import MedianPruner
from optuna.samplers import RandomSampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState
from spacy.util import load_config
from wasabi import msg

from lab.workbench.bench import Bench, digest_rows
from lab.workbench.scored import Counts, score
from lab.workbench.training import train_variant, tune
from training_tools.steps import plan_steps

NAME = "search"
# What is kept of a trial beside its settings and scores: the counts of the test corpora.
COUNTS = "counts"
# Arvidsson and Gerle 2022, 4.4.2 and 5.1.1: the ranges, and the best found in them.
RATES, BEST_RATE = (1e-6, 1e-4), 5.44e-5
# Where all is dropped nothing is learned; of the range from 0 to 1 all that is left.
DROPOUTS = (0.0, 0.95)
EPOCHS, BEST_EPOCHS = (3, 8), 4
BATCHES, BEST_BATCH = (8, 16, 32), 32
# Of 560 steps at most, in trainings of 1130.
WARMUPS = (0.0, 0.5)
# How often the dev set is scored in a training, and after how many trainings and scores one may
# end.
RUNGS = 5
FINISHED, FIRST_RUNGS = 3, 2

SCHEDULE = "training.optimizer.learn_rate"
FINAL = (TrialState.COMPLETE, TrialState.PRUNED)
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Space:
    """Where the search looks: the ranges of the thesis, moved so that its best is where the config
    is. For KB-BERT's config they are what they are there; a smaller encoder learns at a higher
    rate.

    rate (float): The encoder's learning rate of the config.
    scale (float): How many times slower than the rest the encoder learns.
    steps (int): Steps of four epochs.
    batch (int): Size of a batch that stands for 32 messages.
    dropout (float), warmup (float): Those of the config, the second as a share of the steps.
    """

    rate: float
    scale: float
    steps: int
    batch: int
    dropout: float
    warmup: float

    @classmethod
    def from_bench(cls, bench: Bench) -> "Space":
        """bench (Bench): Where trainings run.
        RETURNS (Space): The space around its config.
        """
        training = load_config(bench.recipe.config)["training"]
        optimizer = training["optimizer"]
        schedule = optimizer["learn_rate"]
        return cls(
            rate=schedule["initial_rate"] * optimizer["encoder_scale"],
            scale=optimizer["encoder_scale"],
            steps=bench.recipe.steps,
            batch=bench.recipe.overrides.get("training.batcher.size", training["batcher"]["size"]),
            dropout=training["dropout"],
            warmup=schedule["warmup_steps"] / schedule["total_steps"],
        )

    def suggest(self, trial: Trial) -> dict[str, Any]:
        """Draw settings.

        trial (Trial): The trial.
        RETURNS (dict[str, Any]): The settings.
        """
        low, high = (self.rate * rate / BEST_RATE for rate in RATES)
        return {
            "learning rate": trial.suggest_float("learning rate", low, high, log=True),
            "dropout": trial.suggest_float("dropout", *DROPOUTS),
            "epochs": trial.suggest_int("epochs", *EPOCHS),
            "batch size": trial.suggest_categorical("batch size", BATCHES),
            "warm-up": trial.suggest_float("warm-up", *WARMUPS),
        }

    def get_own(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The settings of the config itself, to begin with."""
        return {
            "learning rate": self.rate,
            "dropout": self.dropout,
            "epochs": BEST_EPOCHS,
            "batch size": BEST_BATCH,
            "warm-up": self.warmup,
        }

    def make_overrides(self, settings: Settings, config: Path) -> dict[str, Any]:
        """Turn settings into values of the config.

        settings (Mapping[str, Any]): The settings.
        config (Path): The config.
        RETURNS (dict[str, Any]): Values by dotted name.
        """
        rung = max(1, round(self.steps * settings["epochs"] / BEST_EPOCHS / RUNGS))
        steps = rung * RUNGS
        return {
            **plan_steps(load_config(config), steps),
            "training.eval_frequency": rung,
            f"{SCHEDULE}.initial_rate": settings["learning rate"] / self.scale,
            f"{SCHEDULE}.warmup_steps": round(settings["warm-up"] * steps),
            "training.dropout": settings["dropout"],
            "training.batcher.size": max(1, self.batch * settings["batch size"] // BEST_BATCH),
        }


def run_search(bench: Bench, space: Space, trials: int) -> optuna.Study:
    """Run trials until there are so many that ended or were pruned, those of an earlier run
    included.

    bench (Bench): Where trainings run.
    space (Space): Where to look.
    trials (int): How many trials.
    RETURNS (Study): The study. What it came to is kept in `search.journal`, beside the other
        figures.
    """
    study = open_study(bench, space)
    while (done := len(study.get_trials(states=FINAL))) < trials:
        msg.info(f"{NAME} {done + 1}/{trials}")
        run_trial(bench, space, study)
    return study


def open_study(bench: Bench, space: Space) -> optuna.Study:
    """Open the study of this bench: another corpus or recipe has another.

    bench (Bench): Where trainings run.
    space (Space): Where to look.
    RETURNS (Study): The study. A trial that was killed is begun again.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    bench.metrics.mkdir(parents=True, exist_ok=True)
    about = json.dumps([bench.describe(), digest_rows(bench.train), vars(space)], sort_keys=True)
    study = optuna.create_study(
        storage=JournalStorage(JournalFileBackend(str(bench.metrics / f"{NAME}.journal"))),
        study_name=hashlib.sha256(about.encode()).hexdigest()[:16],
        direction="maximize",
        pruner=MedianPruner(n_startup_trials=FINISHED, n_warmup_steps=FIRST_RUNGS),
        load_if_exists=True,
    )
    for trial in study.get_trials(states=[TrialState.RUNNING]):
        study.tell(trial.number, state=TrialState.FAIL)
        study.enqueue_trial(trial.params)
    if not study.trials:
        study.enqueue_trial(space.get_own())
    # What was drawn before is not drawn again.
    study.sampler = RandomSampler(seed=bench.seeds[0] + len(study.trials))
    return study


def run_trial(bench: Bench, space: Space, study: optuna.Study) -> None:
    """Train once, with settings that the study draws. It is ended as soon as it does worse than
    half of those before it did by then. What comes to its end is scored on the test corpora.

    bench (Bench): Where trainings run.
    space (Space): Where to look.
    study (Study): The study.
    """
    trial = study.ask()
    overrides = space.make_overrides(space.suggest(trial), bench.recipe.config)
    folder = bench.get_folder(NAME, f"trial {trial.number}", bench.seeds[0])
    scores: list[float] = []

    def watch(step: int, score: float) -> None:
        # The first score is that of an untrained pipeline.
        if step:
            scores.append(score)
            trial.report(score, len(scores))
            if len(scores) < RUNGS and trial.should_prune():
                raise optuna.TrialPruned

    try:
        nlp = train_variant(
            bench.recipe.change(overrides), bench.train, bench.dev, folder,
            seed=bench.seeds[0], watch=watch,
        )  # fmt: skip
        tune(nlp, bench.dev)
        counts = {name: score(nlp, rows) for name, rows in bench.tests.items()}
        trial.set_user_attr(COUNTS, counts)
        study.tell(trial, scores[-1])
    except optuna.TrialPruned:
        study.tell(trial, state=TrialState.PRUNED)
    finally:
        if not bench.keep:
            shutil.rmtree(folder, ignore_errors=True)


def get_score(trial: FrozenTrial) -> float:
    """RETURNS (float): The last score of a trial, pruned or not."""
    return trial.intermediate_values[max(trial.intermediate_values)]


def get_counts(trial: FrozenTrial) -> dict[str, Counts]:
    """RETURNS (dict[str, Counts]): What a finished trial came to on the test corpora."""
    return trial.user_attrs[COUNTS]
