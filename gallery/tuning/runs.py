"""Runs that are known beforehand: none. Which settings have to be run depends on what others did (`searches`)."""


def runs(quick=False):
    """Named scenarios."""
    return {}
