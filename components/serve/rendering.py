"""The templates and assets of the pages."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..reports.before_after import make_visible
from .pages.reasons import tell_reason

ROOM = Path(__file__).parent


def make_environment(app: FastAPI) -> Environment:
    """Make what renders the templates, and let an app serve the assets that they name.

    app (FastAPI): The app.
    RETURNS (Environment): It.
    """
    app.mount("/static", StaticFiles(directory=ROOM / "static"), name="static")
    environment = Environment(
        loader=FileSystemLoader(ROOM / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = make_visible
    environment.filters["told"] = tell_reason
    return environment
