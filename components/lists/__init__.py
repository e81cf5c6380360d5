"""The `gazetteer_matcher`, and the word lists that it reads."""
