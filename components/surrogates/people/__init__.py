"""Surrogates of people's names."""
