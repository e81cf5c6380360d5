"""A message as the pipes read it, cleaned and in sections, and the way back to the original."""
