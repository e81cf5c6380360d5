"""Packages that only some of the pipeline's users need: the extras of the wheel."""

from importlib import import_module
from typing import Any

# The modules of each extra, which `package_pipeline` writes into the wheel.
EXTRAS = {
    "parquet": ("pyarrow",),
    "zstd": ("zstandard",),
    "frames": ("narwhals",),
    "ray": ("ray", "pyarrow"),
}


class ExtraError(ValueError):
    """A package that is not installed, and how to install it."""


def load_extra(name: str, extra: str) -> Any:
    """Import a module of a package that an extra brings.

    name (str): The module, e.g. `pyarrow.parquet`.
    extra (str): The extra.
    RETURNS (module): The module.
    RAISES (ExtraError): If it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise ExtraError(
            f"This needs {' and '.join(EXTRAS[extra])}, which is not installed: "
            f"pip install 'sv_deid_chat[{extra}]', or pip install {' '.join(EXTRAS[extra])}."
        ) from None
