"""What a training step keeps: states, shards, activations, and the moment at which they peak."""
