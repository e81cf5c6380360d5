"""A service over the tiny pipeline."""

import pytest
from fastapi.testclient import TestClient

from components.serve.app import make_app
from components.serve.pipeline import PipelineQueue
from components.serve.security import Limits

TOKEN = "a-token-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="session")
def make_client(tiny_nlp):
    """Makes a client of a service: with the token, unless told otherwise."""
    clients = []

    def make(limits=None, headers=BEARER, nlp=tiny_nlp, presidio=False, **settings):
        queue = PipelineQueue(nlp, **settings)
        app = make_app(queue, TOKEN, limits or Limits(rate=0), presidio=presidio)
        client = TestClient(app, "http://127.0.0.1", raise_server_exceptions=False, headers=headers)
        clients.append(client)
        # In a context all calls have one event loop, and the app ends with it.
        return client.__enter__()

    yield make
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def client(make_client):
    """A client of a service, shared."""
    return make_client()
