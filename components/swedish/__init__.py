"""What is known of Swedish text: its characters, tokens, words and lists, and of numbers."""
