"""Swedish text: characters, tokens, words, sentences, word lists and numbers."""
