"""All runs by name, those with published values first: ``runs(quick)``.

Full: flows begin for 50 ms, and the last ones have 70 ms to finish; both loads, and seven draws of flows at the load
with published values. Quick: flows begin for 2 ms at 50 %.
Flows that begin in the first quarter, while the fabric fills, are not counted. In the quick version it fills until the
end, since flows of 30 MB last longer: this version shows that everything works, but not the published values.
"""

from ..common.names import repeated, single
from .scenario import SCHEMES, pair, web

FULL, QUICK = (50, 120), (2, 10)
"""How long flows begin, and how long the run lasts, ms."""
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
