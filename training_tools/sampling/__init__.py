"""Which messages to annotate, and how many."""
