"""The Learn side: pages that say why the figures are what they are."""
