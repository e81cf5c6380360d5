"""The `known_matcher`, and finders of known values, however they are written."""
