"""The scores of a training, kept while it runs."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from spacy.language import Language
from spacy.training.loggers import console_logger
from spacy.util import registry

from training_tools.registered import Log


@registry.loggers("sv_deid_chat.ScoreLogger.v1")
def make_score_logger(progress_bar: bool, scores: str) -> Callable[[Language, IO, IO], Log]:
    """Make a logger that does what spaCy's does, and writes each score of the dev set to a file at
    once.
    """

    def start(nlp: Language, stdout: IO = sys.stdout, stderr: IO = sys.stderr) -> Log:
        log, finish = console_logger(progress_bar)(nlp, stdout, stderr)
        path = Path(scores)
        path.write_text("", encoding="utf8")

        def log_step(info: dict[str, Any] | None) -> None:
            log(info)
            if info is not None:
                line = json.dumps({"step": info["step"], "score": float(info["score"])})
                with path.open("a", encoding="utf8") as file:
                    file.write(line + "\n")

        return log_step, finish

    return start


def read_scores(path: Path) -> list[tuple[int, float]]:
    """Read what such a logger has written so far."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf8").split("\n")[:-1]
    rows = [json.loads(line) for line in lines]
    return [(row["step"], row["score"]) for row in rows]
