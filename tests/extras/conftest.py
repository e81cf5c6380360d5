"""What the tests of the extras share. Each asks for what it needs, and is skipped where that is missing."""

import io
import logging
import os
import shutil
import time
from contextlib import contextmanager
from threading import Thread

import pytest

from tests.conftest import ROOT

# Of the object store in the tests.
BUCKET = "messages"


@pytest.fixture(scope="module")
def browser():
    """A browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("SV_DEID_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("There is no Chromium: apt-get install chromium, or SV_DEID_CHROMIUM=its path")
    options = {"executable_path": path, "args": ["--no-sandbox"]}
    with playwright.sync_playwright() as started, started.chromium.launch(**options) as browser:
        yield browser


@contextmanager
def serving(app):
    """Serves an app in a thread of this process, and gives its address."""
    uvicorn = pytest.importorskip("uvicorn")
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def check_accessible(page):
    found = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().run(page)
    assert [
        (each["id"], node["html"])
        for each in found.response["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ] == []


def check_picture(page, name):
    """That a picture of the docs is what the page shows. With SV_DEID_SCREENSHOTS it is made anew."""
    image, chops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageChops")
    path = ROOT / "docs" / "images" / f"{name}.png"
    shown = image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if "SV_DEID_SCREENSHOTS" in os.environ:
        shown.quantize(64).save(path, optimize=True)
        assert path.stat().st_size < 150_000
    kept = image.open(path)
    assert shown.size == kept.size
    # Dark is what differs by an eighth of the scale or less: edges of letters, colours of the palette.
    counts = chops.difference(shown.convert("L"), kept.convert("L")).histogram()
    # A page tells how fast somebody was.
    assert sum(counts[32:]) < 0.003 * sum(counts), f"{path} is another: SV_DEID_SCREENSHOTS=1"


@pytest.fixture(scope="session")
def s3():
    """The address of an object store, with its keys in the environment."""
    moto = pytest.importorskip("moto.server")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = f"127.0.0.1:{server.get_host_and_port()[1]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "testing")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield address
    server.stop()


@pytest.fixture
def bucket(s3):
    """A bucket, empty."""
    import boto3

    bucket = boto3.resource("s3", endpoint_url=f"http://{s3}").Bucket(BUCKET)
    bucket.create()
    yield bucket
    bucket.objects.all().delete()
    bucket.delete()
