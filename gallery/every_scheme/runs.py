"""Two runs for each scheme over each kind of link, by name; the quick version is short and has one seed, not ten."""

from ..common.names import name
from .scenario import exchange, incast
from .schemes import CASES

SEEDS = 10
OFTENER = {"pfc-rcm": 30}
"""Seeds of incasts that differ more than others: regions come and go."""
FULL, QUICK = ((20, 10), 6), ((3, 1), 1)
"""Length and warm-up of the incast in ms, and layers of the exchange."""


def runs(quick=False):
    """Named scenarios, seed by seed."""
    lengths, layers = QUICK if quick else FULL
    named = {}
    seeds = 1 if quick else SEEDS
    for seed in range(seeds):
        for case in CASES:
            label = name("incast", seed, by=case)
            named[label] = incast(label, case, seed + 1, *lengths)
            label = name("exchange", seed, by=case)
            named[label] = exchange(label, case, seed + 1, layers)
    for case, count in ({} if quick else OFTENER).items():
        for seed in range(seeds, count):
            label = name("incast", seed, by=case)
            named[label] = incast(label, case, seed + 1, *lengths)
    return named
