"""The regexes of the rules, and which of them may hit."""
