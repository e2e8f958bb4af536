"""The parts of the window that show the account."""
