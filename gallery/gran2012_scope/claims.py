"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted; the modules compute the metrics by kind of
forest.
"""

from . import claims_kinds, claims_moving, claims_silent, claims_windy
from .paper import CLAIMS

MODULES = (claims_kinds, claims_silent, claims_windy, claims_moving)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
