"""The page to try the pipeline."""
