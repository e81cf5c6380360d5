"""What is measured of a pipeline, and on what: annotated messages, counts, scores, intervals."""
