"""The accounting: exact, pure, and free of Qt."""
