"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

Verdicts are those of RCM over DCQCN; values of RCM alone and of DCQCN with adapters' timers are given in addition.
"""

from ..paper import CLAIMS
from . import applications, hot_spots, mechanism, small

MODULES = (small, mechanism, hot_spots, applications)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
