"""The templates and assets of the pages."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment

from ..reports.pages import make_environment as make_template_environment
from .pages.view import tell_reason

ROOM = Path(__file__).parent


def make_environment(app: FastAPI) -> Environment:
    """Make the environment that renders the templates, and let an app serve the assets that they name."""
    app.mount("/static", StaticFiles(directory=ROOM / "static"), name="static")
    environment = make_template_environment(ROOM / "templates")
    environment.filters["told"] = tell_reason
    return environment
