"""The claims of the thesis, judged: ``claims(results)`` gives one row a claim whose runs are there.

What a claim says and what is accepted stands in claims.toml; how its metric is computed, in the modules by section.
"""

from . import claims_congestion, claims_infiniband
from .paper import CLAIMS

MODULES = (claims_congestion, claims_infiniband)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
