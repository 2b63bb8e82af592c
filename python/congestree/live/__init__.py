"""A run that somebody else drives, step by step."""
