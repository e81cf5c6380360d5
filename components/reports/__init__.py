"""What a run came to: counts without PHI, and, where it is asked for, messages to read."""
