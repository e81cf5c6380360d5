"""What a training tells of itself while it runs."""

import sys
import time
from collections.abc import Callable
from itertools import islice, repeat
from typing import IO, Any

from spacy.language import Language
from spacy.training.loggers import console_logger
from spacy.util import registry

Log = tuple[Callable[[dict[str, Any] | None], None], Callable[[], None]]
# Seconds between two lines that say how far a training is.
EVERY = 30


@registry.loggers("sv_deid_chat.RateLogger.v1")
def make_rate_logger(progress_bar: bool) -> Callable[[Language, IO, IO], Log]:
    """Make spaCy's logger that also tells the time left, and the last learning rate."""

    def start(nlp: Language, stdout: IO = sys.stdout, stderr: IO = sys.stderr) -> Log:
        log, finish = console_logger(progress_bar)(nlp, stdout, stderr)
        setting = nlp.config.interpolate()["training"]["optimizer"]["learn_rate"]
        rates = registry.resolve({"rates": setting})["rates"] if isinstance(setting, dict) else None
        rates, last = rates or repeat(setting), -1
        steps, begin = nlp.config["training"]["max_steps"], time.monotonic()
        said = begin

        def log_step(info: dict[str, Any] | None) -> None:
            nonlocal last, said
            last += 1
            log(info)
            now = time.monotonic()
            if info is None and now - said >= EVERY and steps:
                said = now
                left = (now - begin) / (last + 1) * (steps - last)
                stdout.write(f"Step {last} of {steps}, {left / 60:.1f} minutes left\n")
                stdout.flush()

        def finish_log() -> None:
            value = next(islice(rates, max(0, last), None))
            stdout.write(f"Learning rate of the last step, {last}: {value:.2g}\n")
            finish()

        return log_step, finish_log

    return start
