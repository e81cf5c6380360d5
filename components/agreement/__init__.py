"""Agreement of annotators on the same messages."""
