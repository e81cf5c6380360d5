"""The app: the REST interface and the page to try the pipeline, guarded."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import typer
import uvicorn
from fastapi import FastAPI

from .api.presidio import make_presidio
from .api.routes import PROBLEMS, make_routes
from .pages.routes import make_pages
from .pipeline import PipelineQueue
from .security import LOOPBACK, Limits, secure


class Leaving:
    """An ASGI layer that cancels a request whose client is gone before the answer begins."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_whole = asyncio.Event()
        has_begun = False

        async def receive_noted() -> Any:
            message = await receive()
            if not message.get("more_body", False):
                is_whole.set()
            return message

        async def send_noted(message: Any) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        async def wait_until_gone() -> None:
            await is_whole.wait()
            # After the body nothing comes but that.
            await receive()

        work = asyncio.create_task(self.app(scope, receive_noted, send_noted))
        gone = asyncio.create_task(wait_until_gone())
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not has_begun:
                work.cancel()
            await asyncio.wait((work,))
            if not work.cancelled():
                work.result()
        finally:
            work.cancel()
            gone.cancel()


def make_app(
    queue: PipelineQueue,
    token: str,
    limits: Limits | None = None,
    hosts: Iterable[str] = LOOPBACK,
    version: str = "0",
    presidio: bool = False,
) -> FastAPI:
    """Make the app, which closes the queue at its end. Without hosts it has any name. On request it
    answers as Presidio does, too.
    """

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
    if presidio:
        app.include_router(make_presidio(queue), responses=PROBLEMS)
    return app


# Seconds that requests have to end when the server is stopped.
GRACE = 30


def run_server(app: FastAPI, host: str, port: int, token: str = "") -> None:
    """Run an app, and print its address, with the token if there is one. Port 0: a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listener:
        name = f"[{host}]" if ":" in host else host
        query = f"?token={token}" if token else ""
        typer.echo(f"http://{name}:{listener.getsockname()[1]}/{query}", err=True)
        config = uvicorn.Config(
            app,
            # An address may hold the token, and a warning what was sent.
            access_log=False,
            log_level="error",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        uvicorn.Server(config).run(sockets=[listener])
