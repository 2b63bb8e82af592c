"""Sources that keep a rate or a window of their own."""
