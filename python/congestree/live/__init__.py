"""A run that another program drives, step by step."""
