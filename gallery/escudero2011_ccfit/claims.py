"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

What a claim says and what is accepted stands in claims.toml; how its metric is computed, in the modules by case. A
claim is judged by one set (`scenario.JUDGED`); values of the other readings stand beside it.
"""

from . import claims_rules, claims_small, claims_trees
from .paper import CLAIMS

MODULES = (claims_small, claims_trees, claims_rules)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
