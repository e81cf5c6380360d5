"""The ways of the REST interface."""

from fastapi import FastAPI

from ..pipeline import PipelineQueue


def make_routes(app: FastAPI, queue: PipelineQueue) -> None:
    """Give an app the REST interface.

    app (FastAPI): The app.
    queue (PipelineQueue): Runs the pipeline.
    """

    @app.get("/health/live")
    async def live() -> dict[str, str]:
        return {"status": "ok"}
