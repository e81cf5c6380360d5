"""What the tests of the extras need. Nothing is left out where it is missing: then they fail."""

import shutil
from importlib.util import find_spec

import pytest

MODULES = ("narwhals", "pandas", "polars", "pyarrow", "pyspark", "ray", "moto")

missing = [name for name in MODULES if find_spec(name) is None]
if missing:
    raise pytest.UsageError(
        f"These tests need {', '.join(missing)}: pip install -r requirements-extras.txt"
    )
if shutil.which("java") is None:
    raise pytest.UsageError(
        "These tests need Java for Spark, 17 or newer: apt-get install default-jre-headless"
    )
