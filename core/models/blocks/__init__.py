"""Blocks of weights that families are composed of."""
