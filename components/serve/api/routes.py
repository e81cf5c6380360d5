"""The paths of the REST interface."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Response

from ...shared.find_pipes import find_pipes
from ...surrogates.surrogate_generator import SurrogateGenerator
from ..pipeline import PipelineQueue, QueueFull, WorkerDied
from ..security import make_problem
from ..work import Work, WorkError
from . import models
from .metrics import Counting, Metrics
from .sessions import Session, Sessions, SessionsFull

NUMBERED = {"strategy": "numbered"}
# The errors that any path may answer with.
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": models.Problem, "content": {"application/problem+json": {}}}
    for code in (400, 401, 403, 404, 405, 408, 413, 421, 422, 429, 500, 503, 504)
}
Results = list[list[dict[str, Any]]]
# The code of the answer to an error, what it says, and its headers.
SOON = {"Retry-After": "1"}
REFUSALS: dict[type[Exception], tuple[Any, ...]] = {
    QueueFull: (429, "It is full. Come back later.", SOON),
    SessionsFull: (429, "It is full. Come back later.", SOON),
    TimeoutError: (504, "It takes too long. Send less at a time."),
    WorkError: (500, "The pipeline failed: see the log of the server."),
    WorkerDied: (503, "The worker crashed and is restarting. Try again.", SOON),
}


def make_routes(app: FastAPI, queue: PipelineQueue) -> None:
    """Give an app the REST interface, health and metrics of a queue."""
    metrics = Metrics(queue)
    queue.observe = metrics.count_messages
    app.add_middleware(Counting, metrics=metrics)
    app.include_router(make_health(queue, metrics), responses=PROBLEMS)
    app.include_router(make_api(queue), responses=PROBLEMS)
    for kind, answer in REFUSALS.items():
        app.add_exception_handler(kind, partial(_refuse, answer))


async def _refuse(answer: tuple[Any, ...], request: Any, error: Exception) -> Response:
    return make_problem(*answer)


def make_health(queue: PipelineQueue, metrics: Metrics) -> APIRouter:
    """Make the paths for the health of the server."""
    router = APIRouter(tags=["health"])

    @router.get("/health/live")
    async def live() -> dict[str, str]:
        """Whether the server runs. If not, restart it."""
        if queue.is_broken:
            raise HTTPException(503)
        return {"status": "live"}

    @router.get("/health/ready")
    async def ready() -> dict[str, str]:
        """Whether it takes requests now, and answers them in time."""
        if not queue.is_ready:
            raise HTTPException(503)
        return {"status": "ready"}

    @router.get("/metrics", response_class=Response)
    async def tell_metrics() -> Response:
        """Counts in the text format of Prometheus."""
        return Response(metrics.write(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return router


def make_api(queue: PipelineQueue) -> APIRouter:
    """Make the paths of the REST interface."""
    router = APIRouter(prefix="/v1", tags=["pipeline"])
    generator, *_ = find_pipes(queue.nlp, SurrogateGenerator)
    sessions = Sessions(generator.identify)

    async def run(conversations: Sequence[models.Conversation], settings: Any) -> Results:
        works = [
            Work(
                each.texts,
                each.conversation,
                [participant.model_dump(exclude_none=True) for participant in each.known],
                settings,
            )
            for each in conversations
        ]
        return await queue.run_all(works)

    def find(id: str) -> Session:
        session = sessions.get(id)
        if session is None:
            raise HTTPException(404)
        return session

    @router.post("/deidentify", response_model=models.Messages)
    async def deidentify(request: models.SessionRequest) -> Any:
        """De-identify texts, or the messages of a conversation."""
        if not request.session:
            (messages,) = await run([request], request.options.get())
            return {"messages": messages}
        session = find(request.session)
        request.known.append(models.Participant.model_validate(session.known))
        (messages,) = await run([request], {**request.options.get(), **NUMBERED})
        # Others are answered meanwhile.
        replaced = await asyncio.to_thread(
            session.replace, request.texts, messages, request.conversation
        )
        return {"messages": replaced}

    @router.post("/analyze", response_model=models.Analyses)
    async def analyze(request: models.Request) -> Any:
        """Tell what is found where, by what, and which rules changed or dropped it."""
        (messages,) = await run([request], request.options.get())
        return {"messages": messages}

    @router.post("/batch", response_model=models.Batched)
    async def batch(request: models.Batch) -> Any:
        """De-identify several conversations."""
        if sum(len(each.texts) for each in request.conversations) > models.MAX_TEXTS:
            raise HTTPException(413)
        results = await run(request.conversations, request.options.get())
        return {"conversations": [{"messages": messages} for messages in results]}

    @router.post("/sessions", response_model=models.SessionMade, status_code=201)
    async def begin_session() -> Any:
        """Begin a session, in which placeholders can be restored. It is kept in memory alone."""
        return {"session": sessions.new(), "seconds": sessions.seconds}

    @router.post("/sessions/{session}/restore", response_model=models.Restored)
    async def restore(session: str, request: models.RestoreRequest) -> Any:
        """Put what placeholders of a session stand for in their place, such as in an answer of a language
        model. A piece of one that is streamed says `more`; its `rest` belongs in front of the next piece.
        """
        text, rest = find(session).restore(request.text, request.more)
        return {"text": text, "rest": rest}

    @router.delete("/sessions/{session}", status_code=204)
    async def end_session(session: str) -> None:
        """Forget a session."""
        sessions.drop(session)

    return router
