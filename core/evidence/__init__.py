"""Evidence: what is predicted against what was measured, by ourselves and by others, made from tables."""
