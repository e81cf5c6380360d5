"""What the model is made of: the encoder's network, features, decoding, training."""
