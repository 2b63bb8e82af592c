"""Runs that are known beforehand: none. Which settings have to be run depends on the results of others (`searches`)."""


def runs(quick=False):
    """Named scenarios."""
    return {}
