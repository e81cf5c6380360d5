"""The pipeline around the pipes: any message, conversations, several processes."""
