"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted; the modules by section compute the metrics.
"""

from . import claims_one_switch, claims_two_switches
from .paper import CLAIMS

MODULES = (claims_one_switch, claims_two_switches)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
