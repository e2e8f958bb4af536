"""Inputs: one widget for each kind of field."""
