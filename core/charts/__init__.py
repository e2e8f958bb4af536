"""Charts as data: what is drawn, before anything draws it."""
