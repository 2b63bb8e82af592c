"""Commands that show the results of a run."""
