"""Which messages to annotate."""
