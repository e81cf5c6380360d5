"""Schemathesis asks the service whatever its description allows, and more."""

import pytest
import schemathesis
import schemathesis.checks
from hypothesis import HealthCheck, Phase, settings

from components.serve.app import make_app
from components.serve.pipeline import PipelineQueue
from components.serve.security import Limits

HEADERS = {"Authorization": "Bearer token", "Host": "127.0.0.1"}

schemathesis.checks.load_all_checks()
NAMES = ("not_a_server_error", "status_code", "content_type", "response_schema")
CHECKS = [
    schemathesis.checks.CHECKS.get_one(name if "not" in name else f"{name}_conformance")
    for name in NAMES
]


@pytest.fixture(scope="module")
def described(tiny_nlp):
    app = make_app(PipelineQueue(tiny_nlp), "token", Limits(rate=0))
    return schemathesis.openapi.from_asgi("/openapi.json", app, headers=HEADERS)


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[*HealthCheck],
)
def test_no_error_that_nobody_has_thought_of(case):
    case.call_and_validate(headers=HEADERS, checks=CHECKS)
