"""What all rooms use: labels, hits, failures, extras, saving a pipe."""
