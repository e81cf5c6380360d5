"""The pipeline as a service and as pages. Only its commands import it: it needs the extra `serve`."""
