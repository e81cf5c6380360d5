"""Pages and an API on one's own machine."""
