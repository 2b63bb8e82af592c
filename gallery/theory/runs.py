"""Every run of the page, by name. The quick version has fewer seeds; its runs are some of the full ones."""

from ..common.names import repeated, single
from .scenario import (
    LOADS,
    PEER,
    PORTS,
    SENDERS,
    SHIFTS,
    SMALL_PEER,
    SWITCHES,
    UNIFORM,
    ecmp,
    fair,
    incast,
    peer,
    queue,
    shift,
    switch,
    uniform,
)

PACKETS = 300_000
"""Offered to a switch at saturation."""
SERVED = dict.fromkeys(LOADS, 300_000) | {0.8: 600_000, 0.9: 2_000_000}
"""Packets of a run of M/D/1: waits forget each other the more slowly the higher the load."""
SEEDS = {"queue": 6, "switch": 3, "ecmp": 30, "uniform": 3, "peer": 9}
VOQ_PORTS = (4, 8, 16, 32)


def runs(quick=False):
    """Named scenarios."""
    named = {}
    seeds = dict.fromkeys(SEEDS, 1) | {"ecmp": 10} if quick else SEEDS
    for load in LOADS:
        repeated(named, "queue", seeds["queue"], lambda rep, name: queue(load, SERVED[load], rep + 1, name), load=load)  # noqa: B023 (called at once)
    for kind in SWITCHES:
        for ports in PORTS if kind == "single" else VOQ_PORTS:
            repeated(
                named,
                "switch",
                seeds["switch"],
                lambda rep, name: switch(kind, ports, PACKETS, rep + 1, name),  # noqa: B023
                by=kind,
                ports=ports,
            )
    single(named, "fair", fair)
    repeated(named, "ecmp", seeds["ecmp"], lambda rep, name: ecmp(rep + 1, name))
    for by in SHIFTS:
        single(named, "shift", lambda name: shift(by, name), by=by)  # noqa: B023
    for senders in SENDERS:
        single(named, "incast", lambda name: incast(senders, name), n=senders)  # noqa: B023
    for load in UNIFORM:
        repeated(named, "uniform", seeds["uniform"], lambda rep, name: uniform(load, rep + 1, name), load=load)  # noqa: B023
    for sizes in PEER.values():
        for size, keys in sizes.items():
            if size in SMALL_PEER or not quick:
                for key in keys.values():
                    repeated(named, "peer", seeds["peer"], lambda rep, name: peer(key, rep + 1, name), key=key)  # noqa: B023
    return named
