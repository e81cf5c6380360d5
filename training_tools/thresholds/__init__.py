"""The decision threshold: what comes out with each, which is chosen, what can be promised of it."""
