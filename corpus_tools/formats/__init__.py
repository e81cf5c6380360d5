"""The formats of annotated messages, and docs of them."""
