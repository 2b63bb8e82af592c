"""The three networks of the paper, its three patterns of traffic and its techniques as scenarios.

    #1   4-ary 3-tree,    64 nodes       1vl      queues for outputs, no control    hfdi     flows set aside
    #2   4-ary 4-tree,   256 nodes       ib-ith   the same, and sources throttled   ecocc    and their sources throttled
    #3   4-ary 5-tree, 1,024 nodes       voqnet   a queue and credits for each destination

Everything runs at 5 GB/s. Inputs hold 128 KiB and have a queue for each output with a read port of its own. Packets
have 2048 bytes on the wire. What the paper leaves open is set here, once, for all runs; the README lists it.
"""

from dataclasses import dataclass

from ..escudero_common.trees import MANY, background, hot, hot_spots, tree

PACKET = 2048
"""Bytes of a data packet on the wire."""
LINK = 5e9
"""Capacity of a link, bytes/s."""
MEMORY = 128 * 1024
"""Bytes of memory of an input, shared by its queues (OQ-E04); of a queue for one destination in VOQnet."""
INJECTION = 8
"""Packets between the flows and the link of a host (OQ-E17)."""
BECN = 64
"""Bytes of a notification."""
HIGH, LOW = 6, 4
"""HTh and LTh, packets."""
STAGES = {1: 3, 2: 4, 3: 5}
"""Network -> n of the 4-ary n-tree (Table 1)."""
LISTED = {1: 8, 2: 16, 3: 32}
"""Network -> destinations that a line lists."""
PATTERNS = {1: (1 / 8, 1), 2: (1 / 4, 4), 3: (3 / 8, 6)}
"""Pattern -> share of hot nodes, roots (Table 2)."""
HOT_MS = (1, 2)
"""When the hot traffic is there, ms."""
DURATION_MS = 4
COLD, CROWD = 0.7, 0.2
"""Loads of a node on one switch: to the others like it, and to the hot one."""
BIN_MS = 0.05


@dataclass(frozen=True)
class Reading:
    """The parameters that determine most of the results and that the paper leaves open."""

    share: float
    """Share of the packets that a congested output marks (OQ-E08)."""
    per: str
    """Whose index a notification raises under IB-ITh: that of a destination ("qp") or of a host ("sl")."""
    root_stops: bool
    """Whether the queue of a root stops queues upstream, or only makes them set aside."""
    timer: str = "8 us"
    """Period of CCTI_Timer (OQ-E08)."""


JUDGED = "iii"
"""The set that is judged: timer and Marking_Rate "according to" Paper III (section 4.1). The others are not."""
READINGS = {
    "a": Reading(0.15, "qp", True),
    "c": Reading(0.85, "sl", False),
    "iii": Reading(0.5, "qp", True, timer="150 us"),
}
"""Set A: 85 % of packets left unmarked. Set C: 85 % marked, IB-ITh throttles hosts, roots do not stop.
Set III: set A with timer and Marking_Rate of Paper III."""
TECHNIQUES = ("1vl", "ib-ith", "hfdi", "ecocc", "voqnet")
OPEN = ("ib-ith", "hfdi", "ecocc", "ccfit")
"""The techniques for which sets A and C differ."""
THROTTLES = ("ib-ith", "ecocc", "ccfit")
ISOLATES = ("hfdi", "ecocc", "ccfit")


def stand_in(technique, reading):
    """The reading whose runs are used for a technique: without throttling, sets A and III have the same runs."""
    if technique not in OPEN:
        return "any"
    return "a" if reading == "iii" and technique not in THROTTLES else reading


def nodes(network):
    """Nodes of a network."""
    return 4 ** STAGES[network]


def pattern(network, number, technique, reading, seed, name, **more):
    """A pattern of Table 2: some nodes uniform all the time, the others hot in [1, 2] ms (OQ-E11)."""
    share, roots = PATTERNS[number]
    count = nodes(network)
    sources, roots = hot_spots(roots, seed, count, round(share * count))
    silent = set(sources)
    traffic = background([node for node in range(count) if node not in silent], count)
    return fabric(network, technique, reading, traffic + hot(sources, roots, HOT_MS), name, seed=seed, **more)


CAUSES = {
    "hfdi8": "HFDI with eight queues to set flows aside in",
    "hfdihold": "HFDI whose hosts hold packets for stopped destinations, as until 26 November 2026",
    "1vlown": "1VL whose queues have a part of the memory each",
    "ibithown": "IB-ITh whose queues have a part of the memory each",
}
"""What some deviations come from, or not: techniques with one thing changed."""
OWN = {"1vlown": "1vl", "ibithown": "ib-ith"}
"""Those whose queues have parts -> their technique."""


def cause(network, changed, name):
    """Pattern #2 with one of CAUSES, seed 1; what throttles with the set that judges, the others with set A."""
    technique = OWN.get(changed, "hfdi")
    reading = READINGS[JUDGED if technique in THROTTLES else "a"]
    found = pattern(network, 2, technique, reading, 1, name, hpqs=8 if changed == "hfdi8" else 2)
    if changed == "hfdihold":
        found["scheme"]["isolate"]["hfdi"]["hosts_skip_stopped"] = False
    if changed in OWN:
        found["switches"]["memory"] = "reserved"
        if "lane_buffers" in found["switches"]:  # each part must hold a packet, in the lane of BECNs too
            found["switches"]["lane_buffers"] = [f"{MEMORY} B", f"{16 * PACKET} B"]
        del found["adapters"]["injection_buffer"]
    return found


def alone(number, technique, reading, seed, name):
    """The hot traffic of a pattern on network #1, without the uniform traffic."""
    found = pattern(1, number, technique, reading, seed, name)
    return found | {"traffic": [entry for entry in found["traffic"] if entry["name"].startswith("hot")]}


def uniform(network, technique, reading, load, name):
    """Uniform traffic of all nodes and nothing else, 2 ms."""
    traffic = background(range(nodes(network)), nodes(network), load)
    return fabric(network, technique, reading, traffic, name, duration_ms=2)


def one_switch(technique, reading, name, *, memory="shared", load=COLD, **more):
    """One switch: seven nodes send a load to each other, and 20 per cent of a link to the eighth from 0.2 ms on.

    memory: "reserved" where every queue of an input has a part of its own.
    """
    hosts = [f"H{number + 1}" for number in range(8)]
    cold = {"poisson": {"load": load / 6}}
    traffic = [
        {"name": f"cold{to}", "from": [node for node in hosts[:-1] if node != to], "to": to, "arrivals": cold}
        for to in hosts[:-1]
    ]
    crowd = {"name": "hot", "from": hosts[:-1], "to": hosts[-1], "start": "0.2 ms"}
    traffic.append(crowd | {"arrivals": {"steady": {"load": CROWD}}})
    found = fabric(1, technique, reading, traffic, name, **{"duration_ms": 2} | more)
    found["switches"] |= {"memory": memory}
    if memory == "reserved":
        del found["adapters"]["injection_buffer"]
    return found | {"topology": {"single-switch": {"hosts": 8}}}


def fabric(
    network, technique, reading, traffic, name, *, seed=1, ports="all", duration_ms=DURATION_MS, probes=(), hpqs=2
):
    """A network with a technique. ports: read ports of an input, "all" or "one"; hpqs: queues to set flows aside in."""
    throttled = technique in THROTTLES
    isolates = technique in ISOLATES
    hosts = {} if technique == "voqnet" else {"injection_buffer": INJECTION}
    return {
        "name": name,
        "seed": seed,
        "topology": tree(4, STAGES[network]),
        "links": {
            "rate": "40 Gbit/s",
            "delay": "6 ns",
            "flow_control": {"byte-credits": {"block": "64 B", "credit_delay": "6 ns"}},
        }
        | ({"lanes": 2} if throttled else {}),
        "switches": ({} if technique == "voqnet" else {"buffer": f"{MEMORY} B"})
        | {
            "queues": queues(technique, ports),
            "read_ports": ports,
            "arbiter": "round-robin" if ports == "all" else {"islip": {"iterations": 3, "matching": "slotted"}},
            "switching": "cut-through",
            "forwarding_delay": "100 ns",
        }
        | ({"lane_buffers": [f"{MEMORY} B", f"{2 * PACKET} B"]} if throttled else {}),
        "adapters": {"mtu": f"{PACKET} B", "header": "0 B"} | hosts,
        "scheme": scheme(network, technique, reading, ports, hpqs),
        "traffic": traffic,
        "measure": {
            "duration": f"{duration_ms} ms",
            "bin": f"{BIN_MS} ms",
            "probes": [series(network), *(["isolation"] if isolates else []), *probes],
        },
    }


def series(network):
    """The probe that throughput over time is read from: by flow if there are not too many flows."""
    return "classes" if nodes(network) > MANY else "flows"


def queues(technique, ports):
    """The queues of an input. 1VL has one where inputs have one read port: VOQs are what several ports read."""
    if technique == "voqnet":
        return {"voqnet": {"buffer": f"{MEMORY} B"}}
    return "single" if ports == "one" and technique in ("1vl", *ISOLATES) else "voq"


def scheme(network, technique, reading, ports, hpqs):
    """Keys of `scheme`."""
    if technique in ("1vl", "voqnet"):
        return {"preset": "none"}
    found = {"preset": technique}
    if technique in ("hfdi", "ecocc"):
        keys = {
            "queues": hpqs,
            "high": HIGH,
            "low": LOW,
            "destinations": LISTED[network],
            "root_stops": reading.root_stops,
        }
        if technique == "hfdi":  # EcoCC without throttling (section 4.1), so its hosts are those of EcoCC (OQ-E17)
            keys |= {"hosts_skip_stopped": True}
        if ports == "one":
            keys |= {"local": True, "lines": 2}
        found["isolate"] = {technique: keys}
    if technique == "ccfit":
        keys = {"detect": 8, "detect_above": True}
        found["isolate"] = {technique: keys}
    if technique in THROTTLES:
        enter = {"enter": f"{HIGH * PACKET} B", "gap": f"{(HIGH - LOW) * PACKET} B", "share": reading.share}
        found["mark"] = {"fecn": enter} if technique == "ib-ith" else {"root": {"share": reading.share}}
        found["notify"] = {"cnp": {"size": f"{BECN} B", "lane": 1}}
        per = reading.per if technique == "ib-ith" else "qp"
        found["react"] = {"cct": {"timer": reading.timer, "per": per}}
    return found
