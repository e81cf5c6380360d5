"""What the tests of the extras need. Nothing is left out where it is missing: then they fail."""

import logging
import shutil
from importlib.util import find_spec

import pytest

MODULES = ("narwhals", "pandas", "polars", "pyarrow", "pyspark", "ray", "moto")

# Of the object store in the tests.
BUCKET = "messages"

missing = [name for name in MODULES if find_spec(name) is None]
if missing:
    raise pytest.UsageError(
        f"These tests need {', '.join(missing)}: pip install -r requirements-extras.txt"
    )
if shutil.which("java") is None:
    raise pytest.UsageError(
        "These tests need Java for Spark, 17 or newer: apt-get install default-jre-headless"
    )


@pytest.fixture(scope="session")
def s3():
    """The address of an object store, with its keys in the environment."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
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
