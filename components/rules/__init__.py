"""The `phi_entity_ruler`, and the regexes of its rules."""
