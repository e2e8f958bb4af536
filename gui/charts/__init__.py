"""Charts drawn from descriptions."""
