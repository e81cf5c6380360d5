"""What decides, after rules, lists and the model, about the final entities."""
