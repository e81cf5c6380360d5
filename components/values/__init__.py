"""Finding of values that are known, however they are written."""
