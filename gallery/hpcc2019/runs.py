"""All runs by name, those with published values first: ``runs(quick)``.

Full: flows begin for 50 ms, and 70 ms are left for the last to finish; both loads, and at that with published values
seven draws of flows. Quick: flows begin for 2 ms at 50 %.
What begins in the first quarter is not counted, when the fabric fills. In the quick version it fills to the end, since
flows of 30 MB last longer: it shows that everything works, and not yet what is published.
"""

from ..common.names import repeated, single
from .scenario import SCHEMES, pair, web

FULL, QUICK = (50, 120), (2, 10)
"""For how long flows begin, and the run goes on, ms."""
DRAWS = {50: 7, 30: 1}
"""Draws of flows, by load; quick: one."""


def runs(quick=False):
    """Named scenarios."""
    named = {}
    single(named, "pair", pair)
    arrivals, duration = QUICK if quick else FULL
    for load in (50,) if quick else (50, 30):
        for scheme in SCHEMES:
            repeated(
                named,
                "web",
                1 if quick else DRAWS[load],
                lambda rep, name, scheme=scheme, load=load: web(name, scheme, load, arrivals, duration, rep + 1),
                scheme=scheme,
                load=load,
            )
    return named
