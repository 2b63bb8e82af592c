"""All runs by name: ``runs(quick)``.

Full: flows begin for 10 ms, and 30 ms are left for the last to finish; both loads. Quick: flows begin for 2 ms at 50 %.
The first half millisecond is not counted, when the fabric fills.
"""

from ..common.names import single
from .scenario import SCHEMES, pair, web

FULL, QUICK = (10, 40), (2, 10)
"""For how long flows begin, and the run goes on, ms."""


def runs(quick=False):
    """Named scenarios."""
    named = {}
    single(named, "pair", pair)
    arrivals, duration = QUICK if quick else FULL
    for load in (50,) if quick else (30, 50):
        for scheme in SCHEMES:
            single(
                named,
                "web",
                lambda name, scheme=scheme, load=load: web(name, scheme, load, arrivals, duration),
                scheme=scheme,
                load=load,
            )
    return named
