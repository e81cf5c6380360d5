"""Metrics for Prometheus: counts and times, of no text."""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..pipeline import PipelineQueue

# What servers write in place of a code where the client has gone.
CLIENT_GONE = 499


class Metrics(Collector):
    """The counts of an app with a queue."""

    def __init__(self, queue: PipelineQueue) -> None:
        self.queue = queue
        self._registry = CollectorRegistry()
        count = partial(Counter, registry=self._registry)
        self._requests = count("sv_deid_requests", "Requests answered", ["path", "status"])
        self._seconds = Histogram(
            "sv_deid_request_seconds", "Seconds to an answer", ["path"], registry=self._registry
        )
        self._messages = count("sv_deid_messages", "Messages read")
        self._failed = count("sv_deid_failed_messages", "Messages masked whole")
        self._entities = count("sv_deid_entities", "Entities found", ["label"])
        self._registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """YIELDS (Metric): The counts of the queue."""
        queue = self.queue
        yield GaugeMetricFamily("sv_deid_waiting", "Requests that wait", queue.n_waiting)
        left = "Requests that nobody waited for any longer"
        yield CounterMetricFamily("sv_deid_left", left, queue.n_left)
        died = "Workers that crashed and were restarted"
        yield CounterMetricFamily("sv_deid_died", died, queue.n_died)

    def write(self) -> bytes:
        """RETURNS (bytes): The counts in the text format of Prometheus."""
        return generate_latest(self._registry)

    def count_messages(self, results: Iterable[Mapping[str, Any]]) -> None:
        """Count messages, by the results of the pipeline."""
        for result in results:
            self._messages.inc()
            self._failed.inc(bool(result["failed"]))
            for span in result["spans"]:
                self._entities.labels(span["label"]).inc()

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """Count a request; `path` is the pattern of its path: the path itself may hold an id."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)


class Counting:
    """An ASGI layer that counts requests."""

    def __init__(self, app: Any, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.monotonic(), CLIENT_GONE

        async def send_counted(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            path = getattr(scope.get("route"), "path", "none")
            self.metrics.count_request(path, status, time.monotonic() - start)
