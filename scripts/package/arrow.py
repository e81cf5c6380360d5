"""The function that Spark and Ray Data apply to batches of Arrow."""

from .components.frames.arrow import make_partition_function

__all__ = ["make_partition_function"]
