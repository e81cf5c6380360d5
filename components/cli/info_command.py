"""The command `info`."""

import inspect
import json
import os
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import typer
from spacy.language import Language
from wasabi import table

from ..conversations.configuration import (
    SERVE,
    configure,
    describe_settings,
    get_settings,
    read_settings,
)
from ..model.backend import get_threads
from ..reports.evidence import digest_pipeline
from ..reports.run_facts import describe_pipeline
from ..runs.run_settings import SERVE_OPTIONS, read_table
from ..shared.extras import EXTRAS
from ..shared.labels import LABELS
from ..shared.secret import has_secret
from ..surrogates.surrogate_generator import KEY_VARIABLE
from ..text.languages import HOME
from .options import CONFIG
from .serve_command import serve
from .terminal import show, wrong_usage

# The options of `serve` that limit what it takes.
LIMITS = ("workers", "queue", "seconds", "body", "rate")

# More than any value has: nothing is cut off.
WIDTH = 10_000


def info(
    context: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print JSON"),
    config: Path | None = CONFIG,
) -> None:
    """Print what is installed and what is on: the sheet for a ticket.

    It holds no text, no key and no path of this machine. Give the file of settings that you work with:
    the sheet tells what is set by it. The limits of serve are those without options.
    """
    with wrong_usage(ValueError):
        settings = read_settings(config)
        more = read_table(config, SERVE, SERVE_OPTIONS)
    nlp = context.obj()
    with wrong_usage(ValueError):
        configure(nlp, settings)
    sheet = make_sheet(nlp, {"presidio": False, **more})
    if as_json:
        show(json.dumps(sheet, ensure_ascii=False, indent=2))
    else:
        lines = table([*_flatten(sheet)], max_col=WIDTH).splitlines()
        show("\n".join(line.rstrip() for line in lines if line))


def make_sheet(nlp: Language, service: Mapping[str, Any]) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): What is installed, and what is on."""
    settings = get_settings(nlp)
    limits = inspect.signature(serve).parameters
    return {
        "versions": describe_pipeline(nlp)["versions"],
        "digests": digest_pipeline(nlp),
        "certificate": nlp.meta.get("certificate"),
        "key_is_set": has_secret(KEY_VARIABLE),
        "classes": [*LABELS, *settings["classes"]],
        "languages": [*HOME],
        "settings": describe_settings(settings),
        "threads": {"computing": get_threads(), "cores": os.cpu_count()},
        "limits": {"message_characters": nlp.max_length},
        "serve": {**service, **{name: limits[name].default.default for name in LIMITS}},
        "extras": [name for name, needs in EXTRAS.items() if all(map(_is_installed, needs))],
    }


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _flatten(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _flatten(inner, f"{name} {key}".strip())
    elif isinstance(value, bool):
        yield name, "yes" if value else "no"
    else:
        listed = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        yield name, str(listed or "none")
