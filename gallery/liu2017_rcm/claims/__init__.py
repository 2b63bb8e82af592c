"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

Verdicts are those of RCM over DCQCN; values of RCM by itself and of DCQCN with the timers of adapters stand beside.
"""

from ..paper import CLAIMS
from . import applications, hot_spots, mechanism, small

MODULES = (small, mechanism, hot_spots, applications)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
