"""The claims of the paper, judged: ``claims(results)`` gives one row a claim whose runs are there.

claims.toml has each claim and what is accepted; the modules by section compute the metrics.
"""

from . import claims_buffers, claims_dynamics, claims_marking, claims_reaction, claims_spreading
from .paper import CLAIMS

MODULES = (claims_spreading, claims_marking, claims_buffers, claims_reaction, claims_dynamics)
"""Importing them registers their checks."""


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
