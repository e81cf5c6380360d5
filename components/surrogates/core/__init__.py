"""What all classes of surrogates share: scope, choices, mentions."""
