"""Surrogates of the optional classes, and of classes of a user's own."""
