"""The text of a message: cleaned, folded, in sections, tokens, sentences, numbers."""
