"""How long a training is: the one place where steps, warm-up and the length of the schedule come from."""

import math
from collections.abc import Mapping
from typing import Any

RATE = "training.optimizer.learn_rate"


def fit_steps(config: Mapping[str, Any], messages: int) -> dict[str, Any]:
    """Fit the steps of a config to a corpus. The config says in `[schedule]` for how many messages its
    own are: a corpus of twice as many gets twice the steps.
    """
    if "schedule" not in config:
        return {}
    share = messages / config["schedule"]["messages"]
    training = config["training"]
    steps = max(1, round(training["max_steps"] * share))
    return plan_steps(config, steps)


def plan_steps(config: Mapping[str, Any], steps: int) -> dict[str, Any]:
    """Fit the schedule of a config to a number of steps.

    config (Mapping[str, Any]): The config.
    steps (int): How many.
    RETURNS (dict[str, Any]): Values of the config, by dotted name: the learning rate rises in the same
        share of the steps as there, and falls to zero at the end; the dev set is scored as often.
    """
    training = config["training"]
    schedule = training["optimizer"]["learn_rate"]
    share = steps / schedule["total_steps"]
    return {
        "training.max_steps": steps,
        "training.max_epochs": 0,
        "training.eval_frequency": max(1, round(training["eval_frequency"] * share)),
        f"{RATE}.total_steps": steps,
        f"{RATE}.warmup_steps": max(1, round(schedule["warmup_steps"] * share)),
    }


def demand_covered(training: Mapping[str, Any], messages: int) -> None:
    """Complain of a learning rate that is zero before the training ends.

    training (Mapping[str, Any]): The block `[training]` of a config.
    messages (int): Messages of the training corpus.
    RAISES (ValueError): If the schedule is shorter than the training.
    """
    schedule = training["optimizer"]["learn_rate"]
    total = schedule.get("total_steps") if isinstance(schedule, Mapping) else None
    steps = training["max_steps"]
    batcher = training["batcher"]
    if not steps and batcher["@batchers"].startswith("spacy.batch_by_sequence"):
        steps = training["max_epochs"] * math.ceil(messages / batcher["size"])
    if total is not None and total < steps:
        raise ValueError(
            f"The learning rate is zero after {total} steps, the training makes {steps}: give the "
            f"config a block [schedule] with its number of messages, or set {RATE}.total_steps to "
            f"{steps}."
        )
