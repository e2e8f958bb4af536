"""Models: their dimensions, and how many parameters these make."""
