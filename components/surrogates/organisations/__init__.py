"""Surrogates of organisations."""
