"""Scenarios for a closer look, each with probes of its own, and two that the paper draws: figures 1 and 2.

hogging   pattern #1 with IB-ITh: which queue takes the memory of an input
watched   pattern #2: declared roots and their offered traffic, the traffic that hosts let through, the marking outputs
sudden    one switch where an output becomes hot at once: which packets wait behind which
sharing   figure 1: three hot flows to X, two cold ones that share queues with them
moving    figure 2: hot nodes that change, from every 10 ms to every 0.2 ms
"""

import random

from ..escudero_common.trees import background, hot_spots
from .scenario import HOT_MS, PATTERNS, fabric, nodes, one_switch, pattern

HOGGING_MS = 0.25
"""Time after the beginning of the hot traffic that is examined."""
SUDDEN_COLD = 0.4
"""Load of cold traffic on one switch: a single queue carries that, with what else it has."""
SUDDEN_MS = 0.2
"""When the output becomes hot."""
LIVES_MS = (10, 5, 2, 1, 0.5, 0.2)
"""How long the hot nodes of figure 2 are hot; ten is the whole run."""
MOVING = ("ib-ith", "hfdi", "ecocc", "voqnet")
FLOWS = {"A": "X", "B": "X", "D": "X", "C": "Z", "E": "Y"}
"""Flows of figure 1."""


def hogging(reading, name):
    """Pattern #1 with IB-ITh until shortly after the hot traffic has begun."""
    length = HOT_MS[0] + HOGGING_MS
    found = pattern(1, 1, "ib-ith", reading, 1, name, duration_ms=length, probes=("input-queues", "trees"))
    found["measure"]["sampling_interval"] = "10 us"
    return found


def watched(technique, reading, name):
    """Pattern #2 until its hot traffic ends; CCFIT where inputs are read one packet at a time. "bare": EcoCC without
    queues to set flows aside in.
    """
    more = {"ccfit": {"ports": "one"}, "bare": {"hpqs": 0}}.get(technique, {})
    probes = ("detections", "injection-audit", *(("events",) if technique == "ecocc" else ()))
    technique = "ecocc" if technique == "bare" else technique
    return pattern(1, 2, technique, reading, 1, name, duration_ms=HOT_MS[1], probes=probes, **more)


def sudden(technique, reading, name):
    """One switch, whose last output becomes hot at once."""
    more = {"ports": "one"} if technique == "ccfit" else {}
    probes = ("hol-blocking", "detections")
    found = one_switch(technique, reading, name, load=SUDDEN_COLD, duration_ms=0.5, probes=probes, **more)
    found["measure"]["bin"] = "1 us"
    return found


def sharing(name):
    """Figure 1, whose drawing is not in the source: any tree with such sharing will do (OQ-I06).

    A and C share the link S1-S4, D and E the link S2-S4; A, B and D meet on the link S4-S5, which leads to X.
    """
    at = {"A": "S1", "C": "S1", "D": "S2", "E": "S2", "B": "S3", "X": "S5", "Z": "S6", "Y": "S7"}
    links = [{"a": host, "b": switch} for host, switch in at.items()]
    links += [{"a": switch, "b": "S4"} for switch in ("S1", "S2", "S3", "S5", "S6", "S7")]
    steady = {"arrivals": {"steady": {"load": 1.0}}}
    traffic = [{"name": f"{a}{b}", "from": a, "to": b} | steady for a, b in FLOWS.items()]
    found = fabric(1, "1vl", None, traffic, name, duration_ms=2)
    switches = [f"S{number}" for number in range(1, 8)]
    return found | {"topology": {"graph": {"hosts": list(at), "switches": switches, "links": links}}}


def moving(technique, reading, life_ms, name, seed=1):
    """The hot traffic of pattern #2 all the time, to hot nodes that change together; uniform traffic of the others."""
    share, roots = PATTERNS[2]
    count = nodes(1)
    sources, _ = hot_spots(roots, seed, count, round(share * count))
    others = [node for node in range(count) if node not in set(sources)]
    dice = random.Random(f"moving {seed}")
    slots = [dice.sample(others, roots) for _ in range(round(LIVES_MS[0] / life_ms))]
    traffic = background(others, count)
    for number in range(roots):
        to = [f"h{slot[number]}" for slot in slots]
        entry = {"name": f"hot{number}", "from": [f"h{node}" for node in sources[number::roots]]}
        goal = {"to": to[0]} if len(to) == 1 else {"pattern": {"moving": {"to": to, "every": f"{life_ms} ms"}}}
        traffic.append(entry | goal | {"arrivals": {"steady": {"load": 1.0}}})
    return fabric(1, technique, reading, traffic, name, seed=seed, duration_ms=LIVES_MS[0])
