"""How long a training is: the one place where steps, warm-up and evaluations come from."""

import math
from collections.abc import Mapping
from typing import Any

RATE = "training.optimizer.learn_rate"


def plan_size(config: Mapping[str, Any], has_head: bool, n_own: int = 0) -> int:
    """Plan how many of the project's messages a training reads, beside a user's own."""
    whole = config.get("schedule", {}).get("messages")
    if whole is None:
        raise ValueError(
            "The config has no [schedule] with its messages: say how many to make (--vars.size)."
        )
    if not has_head:
        return whole
    schedule = config["schedule"]["with_head"]
    return min(whole, max(schedule["messages"], n_own * schedule["messages_for_own"]))


def fit_steps(config: Mapping[str, Any], messages: int) -> dict[str, Any]:
    """Fit the steps of a config with a `[schedule]` to a corpus: epochs × messages ÷ batch."""
    if "schedule" not in config:
        return {}
    schedule = config["schedule"]
    return plan_steps(config, math.ceil(schedule["epochs"] * messages / schedule["batch"]))


def plan_steps(config: Mapping[str, Any], steps: int) -> dict[str, Any]:
    """Plan a training of so many steps by `[schedule]`. The learning rate falls until the last step.

    RETURNS (dict[str, Any]): Values of the config, by dotted name.
    """
    schedule = config["schedule"]
    rate = {f"{RATE}.initial_rate": schedule["rate"]} if "rate" in schedule else {}
    return {
        **rate,
        "training.max_steps": steps,
        "training.max_epochs": 0,
        "training.eval_frequency": max(1, round(steps / schedule["evaluations"])),
        # spaCy makes a step more than `max_steps`.
        f"{RATE}.total_steps": steps + 1,
        f"{RATE}.warmup_steps": max(1, round(schedule["warmup"] * steps)),
    }


def describe_steps(training: Mapping[str, Any]) -> str:
    """Say in words the steps of the block `[training]` of a config."""
    rate = training["optimizer"]["learn_rate"]
    text = f"{training['max_steps']} steps, scored every {training['eval_frequency']}"
    if not isinstance(rate, Mapping) or "total_steps" not in rate:
        return text
    return f"{text}; the learning rate rises for {rate['warmup_steps']}, then falls until the end"


def demand_covered(training: Mapping[str, Any], messages: int) -> None:
    """RAISES (ValueError): If the learning rate is zero before the training ends."""
    schedule = training["optimizer"]["learn_rate"]
    total = schedule.get("total_steps") if isinstance(schedule, Mapping) else None
    steps = training["max_steps"]
    batcher = training["batcher"]
    if not steps and batcher["@batchers"].startswith("spacy.batch_by_sequence"):
        steps = training["max_epochs"] * math.ceil(messages / batcher["size"])
    if total is not None and total < steps:
        raise ValueError(
            f"The learning rate is zero after {total} steps, the training makes {steps}: give the "
            f"config a block [schedule] with its epochs, or set {RATE}.total_steps to {steps + 1}."
        )
