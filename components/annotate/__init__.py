"""Annotation of messages on a page: several annotators, every click saved."""
