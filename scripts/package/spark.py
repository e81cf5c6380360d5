"""Functions that Spark applies to its data."""

from .components.frames.spark import make_group_function, make_partition_function

__all__ = ["make_group_function", "make_partition_function"]
