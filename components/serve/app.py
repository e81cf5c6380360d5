"""The app: the REST interface and the page to try the pipeline, guarded."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI

from .api.routes import make_routes
from .leaving import Leaving
from .pages.routes import make_pages
from .pipeline import PipelineQueue
from .security import LOOPBACK, Limits, secure


def make_app(
    queue: PipelineQueue,
    token: str,
    limits: Limits | None = None,
    hosts: Iterable[str] = LOOPBACK,
    version: str = "0",
) -> FastAPI:
    """Make the app, which closes the queue at its end. Without hosts it has any name."""

    @asynccontextmanager
    async def close_queue(app: FastAPI) -> AsyncIterator[None]:
        yield
        queue.close()

    app = FastAPI(
        title="sv_deid_chat",
        description="Finds personal health information in Swedish medical chat messages and replaces it.",
        version=version,
        lifespan=close_queue,
        # They would fetch their scripts elsewhere.
        docs_url=None,
        redoc_url=None,
    )
    make_pages(app, queue)
    app.add_middleware(Leaving)
    secure(app, token, limits or Limits(), hosts)
    # What counts requests stands around what refuses them.
    make_routes(app, queue)
    return app
