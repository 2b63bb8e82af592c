"""Every setting of the grid, on the test bed and in the forests, by name; what the searches run besides, they name.

The quick version has a grid of 24 settings and shorter runs, and no forest of 648 hosts.
"""

from ..common.names import single
from .scenario import point, settings, space

GRIDS = ("testbed", "forest72", "forest648")


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for part in GRIDS[:2] if quick else GRIDS:
        for number, setting in enumerate(settings(space(quick))):
            single(
                named,
                part,
                lambda name, part=part, setting=setting: point(part, setting, name, quick),
                point=number,
            )
    return named
