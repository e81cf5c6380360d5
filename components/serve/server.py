"""Runs an app until somebody stops it."""

import socket

import typer
import uvicorn
from fastapi import FastAPI

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
