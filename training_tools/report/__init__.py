"""Pages that open in a browser without network."""
