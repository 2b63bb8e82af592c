"""Commands that show what came out of a run."""
