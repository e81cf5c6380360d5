"""Packages that only some of the pipeline's users need: the extras of the wheel."""

from importlib import import_module
from typing import Any

# The packages of each extra, which `package_pipeline` writes into the wheel.
EXTRAS = {
    "parquet": ("pyarrow",),
    "excel": ("openpyxl",),
    "zstd": ("zstandard",),
    "json": ("python_jsonpath",),
    "frames": ("narwhals",),
    "torch": ("torch",),
    "serve": ("fastapi", "uvicorn", "python_multipart", "prometheus_client"),
}


class ExtraError(ValueError):
    """A package that is not installed, and how to install it."""


def load_extra(name: str, extra: str) -> Any:
    """Import a module that an extra brings, or raise an ExtraError that says how to get it."""
    try:
        return import_module(name)
    except ImportError:
        packages = EXTRAS[extra]
        raise ExtraError(
            f"This needs {' and '.join(packages)}, which is not installed: pip install "
            f"{' '.join(map(repr, packages))}, or the file of the wheel with its extra: pip install "
            f"'./sv_deid_chat-VERSION-py3-none-any.whl[{extra}]'."
        ) from None
