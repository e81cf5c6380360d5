"""What Prometheus is told: counts and times, of no text."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The counts of an app.

    n_waiting (Callable[[], int]): Tells how many requests wait.
    """

    def __init__(self, n_waiting: Any) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "sv_deid_requests", "Requests answered", ["path", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "sv_deid_request_seconds", "Seconds to an answer", ["path"], registry=self._registry
        )
        self._messages = Counter("sv_deid_messages", "Messages read", registry=self._registry)
        self._failed = Counter(
            "sv_deid_failed_messages", "Messages masked whole", registry=self._registry
        )
        self._entities = Counter(
            "sv_deid_entities", "Entities found", ["label"], registry=self._registry
        )
        waiting = Gauge("sv_deid_waiting", "Requests that wait", registry=self._registry)
        waiting.set_function(n_waiting)

    def write(self) -> bytes:
        """RETURNS (bytes): The counts in the text format of Prometheus."""
        return generate_latest(self._registry)

    def count_messages(self, results: Iterable[Mapping[str, Any]]) -> None:
        """results (Iterable[Mapping[str, Any]]): What the pipeline made of messages."""
        for result in results:
            self._messages.inc()
            self._failed.inc(bool(result["failed"]))
            for span in result["spans"]:
                self._entities.labels(span["label"]).inc()

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """path (str): The pattern of the path: the path itself may hold an id.
        status (int): The code of the answer.
        seconds (float): How long it took.
        """
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)


class Counting:
    """An ASGI layer that counts requests.

    app (Any): What it is around.
    metrics (Metrics): The counts.
    """

    def __init__(self, app: Any, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.monotonic(), 0

        async def send_counted(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            path = getattr(scope.get("route"), "path", "none")
            self.metrics.count_request(path, status, time.monotonic() - start)
