"""The `custom_ruler`: patterns, phrases and codes of one's own, and the optional classes."""
