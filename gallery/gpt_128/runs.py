"""The runs: static routes, adaptive routes, congestion control. The quick version: the first, of a piece of it."""

from ..common.names import single
from .scenario import CASES, QUICK, WHOLE, scenario


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for case in list(CASES)[: 1 if quick else None]:
        single(named, "iteration", lambda name: scenario(name, case, QUICK if quick else WHOLE), case=case)  # noqa: B023 (called at once)
    return named
