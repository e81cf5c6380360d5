"""Where the laboratory writes, seen from the folder of the main project."""

from pathlib import Path

METRICS = Path("lab/metrics")
