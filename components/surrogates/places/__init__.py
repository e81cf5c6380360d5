"""Surrogates of places and addresses."""
