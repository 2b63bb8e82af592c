"""The three networks of the paper, its four cases of traffic and its six techniques as scenarios.

    Configuration #1   7 nodes, 2 switches; links of hosts 2.5 GB/s, between switches and inside them 5 GB/s
    Configuration #2   2-ary 3-tree, 8 nodes, everything 2.5 GB/s
    Configuration #3   4-ary 3-tree, 64 nodes, everything 2.5 GB/s

    1q      one queue at each input                fbicm   flows set aside
    voqsw   a queue for each output                ccfit   flows set aside, and their sources throttled
    ith     the same, and sources throttled        voqnet  a queue and credits for each destination

Inputs hold 64 KiB and are read one packet at a time; iSLIP matches them with outputs. Packets have 2048 bytes on the
wire. What the paper leaves open is set here, once, for all runs; the README lists it.
"""

from dataclasses import dataclass

from ..escudero_common.trees import background, hot, hot_spots, tree

PACKET = 2048
"""Bytes of a data packet on the wire."""
LINK = 2.5e9
"""Capacity of a host's link, bytes/s."""
MEMORY = 64 * 1024
"""Bytes of memory of an input, and of a host between its flows and its link (OQ-C08)."""
DESTINATION = {7: 9 * 1024, 8: 8 * 1024, 64: 4 * 1024}
"""Bytes of a queue for one destination (VOQnet), by nodes: a part of the 64 KiB; in Configuration #3 as printed."""
BECN = 64
"""Bytes of a notification (OQ-C11)."""
CASE1 = {"F0": (0, 3), "F1": (1, 4), "F2": (2, 4), "F5": (5, 4), "F6": (6, 4)}
"""Case #1: flow -> (from, to), nodes counted from 0. F0 is the victim, node 4 the root (OQ-C02)."""
CASE2 = {"F1": (1, 5), "F0": (0, 7), "F4": (4, 7), "F2": (2, 7), "F3": (3, 7)}
"""Case #2: F1 shares the upward path with F0; F2 and F3 share theirs; all but F1 meet at node 7 (OQ-C02)."""
STARTS1 = {"F0": 0, "F1": 2, "F2": 4, "F5": 6, "F6": 6}
STARTS2 = {"F1": 0, "F0": 2, "F4": 4, "F2": 6, "F3": 6}
"""When flows start, ms, as printed (OQ-C01)."""
UNIFORM3 = (5, 6, 7)
"""Nodes that add uniform traffic in Case #3."""
HOT_MS = (1, 2)
"""When the hot traffic of Case #4 is there, ms."""
BIN_MS = 0.05


@dataclass(frozen=True)
class Throttle:
    """How sources are throttled."""

    share: float
    """Share of the packets that a congested output marks."""
    timer: str = "8 us"
    """Period of CCTI_Timer."""
    per: str = "qp"
    """Whose index a notification raises under ITh: that of a destination ("qp") or of a host ("sl")."""


JUDGED = "b"
"""The one set of the paper that is judged; other readings are given in addition."""
READINGS = {
    JUDGED: Throttle(0.5),
    "a": Throttle(0.15),
    "c": Throttle(0.85, per="sl"),
    "d": Throttle(0.85),
    "iii": Throttle(0.5, timer="153.6 us"),
}
"""Set B: the printed timer, and half of the packets, as in Paper III. Set A: 85 % of packets left unmarked. Set C: 85 %
marked, and ITh throttles hosts. Set D: 85 % marked, by destination. Paper III: its own values."""
NAMED = "c"
"""The reading that a claim and a figure set beside the one that judges."""
TECHNIQUES = ("1q", "voqsw", "ith", "fbicm", "ccfit", "voqnet")
THROTTLES = ("ith", "ccfit")
"""The techniques for which the readings differ."""
ISOLATES = ("fbicm", "ccfit")
ISOLATION = {"detect": 8, "detect_above": True, "suspect": "head", "stop": 10, "go": 4}
"""When flows are set aside, in packets (OQ-C03, OQ-C04, OQ-C07)."""


def case1(technique, throttle, name, *, starts=None):
    """Configuration #1: a victim, and four flows to node 4 one after the other."""
    traffic = flows({label: (f"H{a + 1}", f"H{b + 1}") for label, (a, b) in CASE1.items()}, STARTS1 | (starts or {}))
    return network(
        {"test-bed": {"trunk_rate": "40 Gbit/s"}}, technique, throttle, traffic, 10, name, crossbar="40 Gbit/s"
    )


def case2(technique, throttle, name, *, uniform=False):
    """Configuration #2: several points of congestion; with `uniform` traffic of nodes 5 to 7 it is Case #3."""
    traffic = flows({label: (f"h{a}", f"h{b}") for label, (a, b) in CASE2.items()}, STARTS2)
    if uniform:
        traffic += background(UNIFORM3, 8)
    return network(tree(2), technique, throttle, traffic, 10, name)


def case4(trees, technique, throttle, seed, name, *, probes=()):
    """Configuration #3: 48 nodes send uniformly, 16 to `trees` hot nodes in [1, 2] ms, in equal parts (OQ-C14)."""
    sources, roots = hot_spots(trees, seed)
    traffic = background([node for node in range(64) if node not in sources], 64)
    traffic += hot(sources, roots, HOT_MS)
    return network(tree(4), technique, throttle, traffic, 4, name, seed=seed, probes=probes)


def flows(ends, starts):
    """A flow from one node to another at the full rate of its link."""
    return [
        {"name": label, "from": a, "to": b, "arrivals": {"steady": {"load": 1.0}}, "start": f"{starts[label]} ms"}
        for label, (a, b) in ends.items()
    ]


def network(topology, technique, throttle, traffic, duration_ms, name, *, seed=1, crossbar=None, probes=()):
    """A configuration with a technique. `crossbar`: its speed where it is not that of the links."""
    throttled = technique in THROTTLES
    nodes = topology["k-ary-n-tree"]["k"] ** 3 if "k-ary-n-tree" in topology else 7
    hosts = {} if technique == "voqnet" else {"injection_buffer": MEMORY // PACKET}
    watched = ["isolation"] if technique in ISOLATES else []
    return {
        "name": name,
        "seed": seed,
        "topology": topology,
        "links": {
            "rate": "20 Gbit/s",
            "delay": "6 ns",
            "flow_control": {"byte-credits": {"block": "64 B", "credit_delay": "6 ns"}},
        }
        | ({"lanes": 2} if throttled else {}),
        "switches": {
            "buffer": f"{MEMORY} B",
            "queues": queues(technique, nodes),
            "read_ports": "one",
            "arbiter": {"islip": {"iterations": 3, "matching": "slotted"}},
            "switching": "cut-through",
            "forwarding_delay": "100 ns",
        }
        | ({"lane_buffers": [f"{MEMORY} B", f"{2 * PACKET} B"]} if throttled else {})
        | ({"crossbar": crossbar} if crossbar else {}),
        "adapters": {"mtu": f"{PACKET} B", "header": "0 B"} | hosts,
        "scheme": scheme(technique, throttle),
        "traffic": traffic,
        "measure": {
            "duration": f"{duration_ms} ms",
            "bin": f"{BIN_MS} ms",
            "probes": ["flows", *watched, *probes],
        },
    }


def queues(technique, nodes):
    """The queues of an input."""
    if technique == "voqnet":
        return {"voqnet": {"buffer": f"{DESTINATION[nodes]} B"}}
    return "voq" if technique in ("voqsw", "ith") else "single"


def scheme(technique, throttle):
    """Keys of `scheme`."""
    isolate = {"isolate": {technique: ISOLATION}} if technique in ISOLATES else {}
    if technique not in THROTTLES:
        return {"preset": "fbicm" if technique == "fbicm" else "none"} | isolate
    if technique == "ith":
        mark = {"fecn": {"enter": f"{4 * PACKET} B", "gap": f"{2 * PACKET} B", "share": throttle.share}}
    else:
        mark = {"root": {"share": throttle.share}}
    per = throttle.per if technique == "ith" else "qp"
    return {
        "preset": technique,
        "mark": mark,
        "notify": {"cnp": {"size": f"{BECN} B", "lane": 1}},
        "react": {"cct": {"timer": throttle.timer, "per": per}},
    } | isolate
