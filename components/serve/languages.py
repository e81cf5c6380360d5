"""The words of the pages, a file for each language in the folder `words`, and what renders them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import srsly
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment

from ..reports.pages import make_environment as make_template_environment
from .pages.view import tell_reason

ROOM = Path(__file__).parent
FOLDER = ROOM / "words"
FILES: dict[str, Any] = {name: srsly.read_yaml(FOLDER / f"{name}.yaml") for name in ("sv", "en")}
# What each example fills in of the form (`Asked`).
EXAMPLES: dict[str, dict[str, Any]] = srsly.read_yaml(FOLDER / "examples.yaml")
DEFAULT = "en"
# How each language calls itself.
OWN_NAMES: dict[str, str] = {language: words["name"] for language, words in FILES.items()}


def get_words(pages: str) -> dict[str, dict[str, Any]]:
    """RETURNS (dict): The words of the pages `try` or `annotate`, and `labels`, by language."""
    return {name: {**words[pages], "labels": words["labels"]} for name, words in FILES.items()}


def choose_language(asked: str, accepted: str = "") -> str:
    """Choose a language that there is, by what is asked for and the header `Accept-Language`."""
    tags = re.findall(r"(?:^|,)\s*([a-zA-Z]+)", accepted)
    return next((tag for tag in (asked, *map(str.lower, tags)) if tag in FILES), DEFAULT)


def count(words: Sequence[str], n: int) -> str:
    """RETURNS (str): `1 message`, `2 messages`, by the words for one and for several."""
    return words[n != 1].format(n=n)


def make_environment(app: FastAPI) -> Environment:
    """Make the environment that renders the templates, and let an app serve the assets that they name."""
    app.mount("/static", StaticFiles(directory=ROOM / "static"), name="static")
    environment = make_template_environment(ROOM / "templates")
    environment.filters["told"] = tell_reason
    return environment
