"""Conversations, the configuration of a loaded pipeline, and explanations."""
