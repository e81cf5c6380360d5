"""The page to try the pipeline on: what is found in messages, why, and what comes out."""
