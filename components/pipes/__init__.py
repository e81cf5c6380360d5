"""The pipes, one module each, named like the pipe."""
