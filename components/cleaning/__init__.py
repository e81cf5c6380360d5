"""The cleaning of a text before the pipeline reads it, and the way back to the original."""
