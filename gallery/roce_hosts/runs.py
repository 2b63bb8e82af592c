"""The runs: four senders, one that joins, messages of several sizes. Quick: one seed, no sweep of depths."""

from ..common.names import repeated, single
from .scenario import JOIN_MS, MARKS, PUBLISHED, WAYS, dcqcn, fitted, messages

SEEDS = 20
DEPTHS = (1, 2, 4, 8, 16)
SIZES = (4, 16, 64, 256)
COST = 5e-6
"""T0 of the sweep that is compared with the laws, s."""


def runs(quick=False):
    """Named scenarios."""
    named = {}
    seeds = 1 if quick else SEEDS
    for marks in MARKS:
        repeated(named, "four", seeds, lambda rep, name: dcqcn(name, 4, 100, 0, rep + 1, marks), marks=marks)  # noqa: B023 (called at once)
        repeated(named, "joins", seeds, lambda rep, name: dcqcn(name, 2, 250, JOIN_MS, rep + 1, marks), marks=marks)  # noqa: B023
    for way in WAYS:
        for kib in PUBLISHED:
            single(named, "published", lambda name: messages(name, way, kib, fitted(way)), way=way, kib=kib)  # noqa: B023 (called at once)
        for depth in DEPTHS[-1:] if quick else DEPTHS:
            for kib in SIZES:
                single(named, "law", lambda name: messages(name, way, kib, COST, depth), way=way, depth=depth, kib=kib)  # noqa: B023
    return named
