"""Every run of the key, by its id: ``runs(quick)``."""

from .key import cases, flows
from .scenario import scenario


def runs(quick=False):
    """All runs; they are short, so that the quick version is the same."""
    return {run: scenario(row, flows(row), run) for run, (row, _) in cases().items()}


def one(run):
    """One run of the key."""
    row, _ = cases()[run]
    return scenario(row, flows(row), run)
