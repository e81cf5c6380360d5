"""Schemathesis asks the service whatever its description allows, and more."""

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.checks")

from components.serve.app import make_app
from components.serve.pipeline import PipelineQueue
from components.serve.security import Limits

HEADERS = {"Authorization": "Bearer token", "Host": "127.0.0.1"}

checks.load_all_checks()
NAMES = ("not_a_server_error", "status_code", "content_type", "response_schema")
CHECKS = [checks.CHECKS.get_one(name if "not" in name else f"{name}_conformance") for name in NAMES]


def test_no_answer_that_nobody_has_thought_of(tiny_nlp):
    app = make_app(PipelineQueue(tiny_nlp), "token", Limits(rate=0))
    described = schemathesis.openapi.from_asgi("/openapi.json", app, headers=HEADERS)
    for found in described.get_all_operations():

        @settings(
            max_examples=20, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck]
        )
        @given(case=found.ok().as_strategy())
        def ask(case):
            case.call_and_validate(headers=HEADERS, checks=CHECKS, timeout=60)

        ask()
