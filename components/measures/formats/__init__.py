"""The formats of annotated messages that other tools read and write."""
