"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted; the modules by case compute the metrics. A claim is judged by one set
(`scenario.JUDGED`); values of the other readings are given in addition.
"""

from . import claims_rules, claims_small, claims_trees
from .paper import CLAIMS

MODULES = (claims_small, claims_trees, claims_rules)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
