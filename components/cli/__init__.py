"""The command line: rows of files in, rows of files out, and back."""
