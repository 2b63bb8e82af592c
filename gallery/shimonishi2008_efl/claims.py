"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there."""

from . import claims_join, claims_on_off, claims_rules, claims_steps
from .paper import CLAIMS

MODULES = (claims_join, claims_steps, claims_on_off, claims_rules)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
