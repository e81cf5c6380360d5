"""Cleans a text before the pipeline reads it, and finds the way back to the original."""
