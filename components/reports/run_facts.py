"""What a report tells of the run itself: no name of a file or a machine, no key."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..model.chat_encoder import describe_backend
from ..model.phi_ner import PhiNer
from ..shared.find_pipes import find_pipe
from ..surrogates.surrogate_generator import SurrogateGenerator


@dataclass(frozen=True)
class About:
    """A run.

    start (datetime): When it began, with its time zone.
    has_key (bool): Whether SV_DEID_KEY was set by the user. The key itself is never reported.
    threshold (float | dict[str, float] | None): That of the model, or those by class.
    strategy (str | dict[str, str] | None): What took the place of PHI.
    versions (dict[str, str]): Of what the result depends on.
    resumed_rows (int): Rows that an earlier run, which was resumed, had done: not in `seconds`.
    names (tuple[str, ...]): Names of the files that were read, if the user says that they hold no PHI.
    options (dict[str, Any]): The other options of the command. A path is reported as "given".
    """

    start: datetime
    seconds: float
    has_key: bool
    threshold: float | dict[str, float] | None = None
    strategy: str | dict[str, str] | None = None
    versions: dict[str, str] = field(default_factory=dict)
    processes: int = 1
    resumed_rows: int = 0
    files: int = 1
    format: str = ""
    names: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def to_dict(self, rows: int) -> dict[str, Any]:
        done = rows - self.resumed_rows
        return {
            "start": self.start.astimezone(timezone.utc).isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 1),
            "rows_per_second": round(done / self.seconds, 1) if self.seconds > 0 else None,
            "resumed_rows": self.resumed_rows,
            "processes": self.processes,
            "key_was_set": self.has_key,
            "threshold": self.threshold,
            "strategy": self.strategy,
            "input": {"files": self.files, "format": self.format, "names": list(self.names)},
            "options": {name: _hide_path(value) for name, value in self.options.items()},
            "versions": dict(self.versions),
        }


def describe_pipeline(nlp: Language) -> dict[str, Any]:
    """Tell of a pipeline what an `About` holds of it."""
    model, generator = find_pipe(nlp, PhiNer), find_pipe(nlp, SurrogateGenerator)
    strategy = generator.strategy if generator else None
    threshold = model.threshold if model else None
    return {
        "threshold": dict(threshold) if isinstance(threshold, Mapping) else threshold,
        "strategy": dict(strategy) if isinstance(strategy, Mapping) else strategy,
        "versions": {
            "pipeline": f"{nlp.meta.get('name', '')} {nlp.meta.get('version', '')}".strip(),
            "spaCy": version("spacy"),
            "encoder": describe_backend(nlp),
            "Python": platform.python_version(),
            "platform": f"{platform.system()} {platform.machine()}",
        },
    }


def _hide_path(value: Any) -> Any:
    if isinstance(value, Path):
        return "given"
    if isinstance(value, (list, tuple)):
        return [_hide_path(each) for each in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)
