"""Two runs for each scheme over each kind of link, by name; the quick version is short and has one seed in place of three."""

from ..common.names import repeated
from .scenario import exchange, incast
from .schemes import CASES

SEEDS = 3


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for case in CASES:
        kinds = {
            "incast": lambda rep, name: incast(name, case, rep + 1, *((3, 1) if quick else (40, 20))),  # noqa: B023
            "exchange": lambda rep, name: exchange(name, case, rep + 1, 1 if quick else 6),  # noqa: B023 (called at once)
        }
        for kind, build in kinds.items():
            repeated(named, kind, 1 if quick else SEEDS, build, by=case)
    return named
