"""What is measured of a corpus, of surrogates, and of hostile text."""
