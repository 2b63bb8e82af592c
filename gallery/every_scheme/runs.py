"""A run for each scheme, by name; the quick version has one seed in place of three."""

from ..common.names import repeated
from .scenario import SCHEMES, scenario

SEEDS = 3


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for scheme in SCHEMES:
        repeated(
            named,
            "incast",
            1 if quick else SEEDS,
            lambda rep, name: scenario(name, scheme, rep + 1),  # noqa: B023 (called at once)
            by=scheme,
        )
    return named
