"""Finders of known values, however they are written."""
