"""The results compared with theory: ``claims(results)`` gives one row a claim whose runs are there.

Values are measured numbers divided by those of `formulas`, so that a formula of acceptance is a tolerance.
"""

from pathlib import Path

import numpy as np

from ..common.judge import Claims, Finding
from ..common.study import Missing
from ..uec_htsim.claims import View as Peer
from ..uec_htsim.key import cases
from . import formulas
from .scenario import FAIR, FORWARDING, LEAF, LOADS, MESSAGE, PEER, PORTS, ROUNDS, SENDERS, SHIFTS, SLOT, UNIFORM
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check


def at_saturation(study, kind):
    """{ports: share of its slots in which an output is busy}."""
    ports = [n for n in PORTS if ("switch", kind, n) in study.table]
    return {n: study.sample(("switch", kind, n), lambda view: view.carried(n)) for n in ports or PORTS}  # noqa: B023


@check("theory-md1-wait")
def waiting(study):
    waits = {load: study.sample(("queue", load), lambda view: view.wait()) for load in LOADS}
    values = {f"load {load}": found * (1 / formulas.wait(load)) for load, found in waits.items()}
    return Finding(values, note="mean wait over r / (2 (1 - r)) times of a packet")


@check("theory-md1-no-room-lacking")
def roomy(study):
    return Finding(max(view.blocked() for load in LOADS for view in study.views("queue", load)))


@check("theory-karol-table")
def karol(study):
    found = at_saturation(study, "single")
    values = {f"{n} ports": found[n] - formulas.KAROL[n] for n in formulas.KAROL}
    return Finding(values, note="measured less Table I")


@check("theory-karol-limit")
def limit(study):
    found = at_saturation(study, "single")
    values = {str(n): found[n] for n in (8, 16, 32)}
    return Finding(values, note=f"by ports; without bound {formulas.LIMIT:.4f}")


def islip(id, rounds):
    """Throughput of VOQs with this many rounds of iSLIP."""

    @check(id)
    def carries(study):
        return Finding({f"{n} ports": share for n, share in at_saturation(study, f"islip{rounds}").items()})


for _rounds in ROUNDS:
    islip(f"theory-islip-{_rounds}", _rounds)


@check("theory-voq-all-ports")
def queues(study):
    return Finding({f"{n} ports": share for n, share in at_saturation(study, "voq").items()})


@check("theory-max-min")
def fairness(study):
    rates = study.views("fair")[0].rates
    ideal = formulas.max_min({flow: (f"{a} up", f"{b} down") for flow, (a, b) in FAIR.items()})
    values = {flow: [rates[flow], ideal[flow]] for flow in FAIR}
    return Finding(values, note="share of a link, and max-min")


@check("theory-ecmp-links")
def links_in_use(study):
    share = study.sample("ecmp", lambda view: np.mean(view.in_use()) / LEAF)
    values = {"measured": share, "formula": formulas.in_use(LEAF, LEAF)}
    return Finding(values, note=f"share of the links up that have a flow; {share.spread()}")


@check("theory-ecmp-collisions")
def collisions(study):
    drawn = [used for view in study.views("ecmp") for used in view.in_use()]
    chances = formulas.occupied(LEAF, LEAF)
    found = {used: drawn.count(used) for used in chances}
    squared = sum((found[used] - chance * len(drawn)) ** 2 / (chance * len(drawn)) for used, chance in chances.items())
    values = {"chi-squared": squared} | {
        f"{used} links, share of leaves": [found[used] / len(drawn), chance] for used, chance in chances.items()
    }
    return Finding(
        values, note=f"{len(drawn)} leaves; share found, chance. Collision {formulas.collision(LEAF, LEAF):.4f}"
    )


@check("theory-permutation")
def permutation(study):
    return Finding({f"shift by {by}": float(study.views("shift", by)[0].each().min()) for by in SHIFTS})


@check("theory-incast-time")
def one_after_the_other(study):
    """All bytes through one link, after the first packet has arrived at the switch."""
    values = {}
    for senders in SENDERS:
        took = study.views("incast", senders)[0].ends()
        values[f"{senders} senders"] = took / ((senders * MESSAGE + 1) * SLOT + FORWARDING)
    return Finding(values, note="time of the last packet over that of n messages one after the other")


@check("theory-uniform-accepted")
def accepted(study):
    values = {f"load {load}": study.sample(("uniform", load), lambda view: view.carried(64)) for load in UNIFORM}
    return Finding({name: share * (1 / load) for (name, share), load in zip(values.items(), UNIFORM, strict=True)})


def beside_the_peer(traffic):
    """Times of the last flow over those of the peer, of all runs that are there."""

    @check(f"theory-peer-{traffic}")
    def tails(study):
        values, told = {}, cases()
        for size, keys in PEER[traffic].items():
            for control, run in keys.items():
                if ("peer", run) in study.table:
                    tail = study.sample(("peer", run), lambda view: Peer(view.run).measure("tail_fct"))
                    values[f"{size}, {control}"] = tail * (1 / told[run][1]["tail_fct"])
        if not values:
            raise Missing(traffic)
        return Finding(values, note="time of the last flow over that of the peer, by size and control")


for _traffic in PEER:
    beside_the_peer(_traffic)


def claims(results, only=None):
    """Rows of id, value, unit, target, verdict and reason; ``only`` some ids, if given."""
    return CLAIMS.evaluate(results, only)
