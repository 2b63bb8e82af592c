"""Every run of the page, by name. The quick version has a smaller tree, one load, and shorter runs there."""

from ..common.names import single
from .fabric import BESIDE, LOADS, application, hot_spots
from .scenario import LASTING, SMALL, SPLIT_SEED, burst, lasting, victim

COMPARED = ("dcqcn", "rcm", "sar")
"""Schemes on the whole tree."""
SIZES = ("enterprise", "data-mining")


def runs(quick=False):
    """Named scenarios."""
    named = {}
    for scheme in SMALL:
        key = scheme.replace("-", "")
        single(named, "burst", lambda name: burst(scheme, name), by=key)  # noqa: B023 (called at once)
        single(named, "victim", lambda name: victim(scheme, name, SPLIT_SEED), by=key)  # noqa: B023
    for scheme in LASTING:
        key = scheme.replace("-", "")
        single(named, "lasting", lambda name: lasting(scheme, name, quick), by=key)  # noqa: B023 (called at once)
    single(named, "outputs", lambda name: victim("rcm", name, SPLIT_SEED, watch="output-queues"), by="rcm")
    for scheme in COMPARED:
        for load in LOADS[:1] if quick else LOADS:
            single(named, "hot", lambda name: hot_spots(scheme, load, name, 1, quick), by=scheme, load=load)  # noqa: B023
    for scheme in (*COMPARED, *BESIDE):
        for sizes in SIZES:
            key = sizes.replace("-", "")
            single(named, "app", lambda name: application(scheme, sizes, name, 1, quick), by=scheme, sizes=key)  # noqa: B023
    return named
