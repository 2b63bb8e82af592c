"""Small networks for which theory has exact results, as scenarios.

    queue      hosts offer Poisson packets to one output of a switch: M/D/1
    switch     every input always backlogged, destinations uniform: single FIFO queues; VOQs with iSLIP; VOQs
    fair       flows with a queue each over several full links: max-min fairness
    ecmp       four hosts of each leaf of a fat tree of radix 8 send to four other leaves: balls into bins
    shift      every host sends to the host s further on, D-mod-K: no link has two flows
    incast     n hosts send a message each to one host
    uniform    Poisson traffic to all hosts of a 4-ary 3-tree, below saturation
    peer       incasts and permutations of another simulator, by its rules (`uec_htsim/scenario.py`)

A packet has 1000 bytes on the wire, and every link carries 8 Gbit/s: a packet time is a microsecond. One set of
parameters for everything but the peer's; the name of a run gives what differs.
"""

from ..uec_htsim import runs as peers
from .formulas import KAROL

LINK = 8e9
"""bit/s."""
SLOT = 1e-6
"""Time of a packet, s."""
FORWARDING = 100e-9
"""Of a switch, s."""
QUEUE_HOSTS = 16
LOADS = (0.3, 0.5, 0.7, 0.8, 0.9)
"""Offered load of the one output, as a share of its capacity."""
PORTS = (*KAROL, 16, 32)
"""Of switches at saturation."""
SINGLE = {"queues": "single", "read_ports": "one", "buffer": "4 packets"}
ROOM = "4096 packets"
"""Memory of an input with virtual output queues: theory has no bound, and no queue comes near this one."""
ROUNDS = (1, 3)
"""Iterations of iSLIP."""
SWITCHES = {
    "single": SINGLE,
    **{
        f"islip{rounds}": {
            "queues": "voq",
            "read_ports": "one",
            "buffer": ROOM,
            "arbiter": {"islip": {"matching": "slotted", "iterations": rounds}},
        }
        for rounds in ROUNDS
    },
    "voq": {"queues": "voq", "read_ports": "all", "buffer": ROOM},
}
"""How an input is organised."""
FAIR = {
    "a1": ("h0", "h4"),
    "a2": ("h0", "h5"),
    "b1": ("h1", "h5"),
    "b2": ("h1", "h6"),
    "c": ("h2", "h5"),
    "d": ("h3", "h7"),
    "e": ("h3", "h6"),
    "f": ("h8", "h7"),
    "g": ("h9", "h7"),
}
"""Flow -> (from, to), on one switch with ten hosts: no two flows have the same pair, so each has a queue of its own."""
LEAF, LEAVES = 4, 8
"""Hosts of a leaf, which are its links up, and leaves, of the fat tree of radix 8."""
SHIFTS = (1, 5, 16, 33, 63)
SENDERS = (2, 4, 8, 16, 32)
MESSAGE = 64
"""Packets of a message of the incast."""
UNIFORM = (0.2, 0.4, 0.6, 0.8)
"""Loads of every host."""
PEER = {
    "incast": {
        "15 to 1": {"nscc": "r2385", "rccc": "r2370", "both": "r2343"},
        "1023 to 1": {"nscc": "r2387", "rccc": "r2372", "both": "r2345"},
        "out and in": {"nscc": "r2389", "rccc": "r2374", "both": "r2347"},
    },
    "permutation": {
        "16": {"nscc": "r2390", "rccc": "r2375", "both": "r2348"},
        "1024": {"nscc": "r2393", "rccc": "r2378", "both": "r2351"},
        "1024, 4:1": {"nscc": "r2396", "rccc": "r2381", "both": "r2354"},
    },
}
"""Runs of the Ultra Ethernet consortium's simulator over many paths, by traffic, size and control."""
SMALL_PEER = ("15 to 1", "16")
"""Those of 16 hosts."""


def network(topology, traffic, duration, name, *, seed=1, warm_up="0 us", probes=(), **sections):
    """A scenario with the links and packets of the page."""
    return {
        "name": name,
        "seed": seed,
        "topology": topology,
        "links": {"rate": "8 Gbit/s"} | sections.pop("links", {}),
        "adapters": {"mtu": "980 B", "header": "20 B"},
        "traffic": traffic,
        "measure": {"duration": duration, "warm_up": warm_up, "probes": list(probes)},
    } | sections


def queue(load, packets, seed, name):
    """Sixteen Poisson sources into one output."""
    sources = [f"H{i + 1}" for i in range(QUEUE_HOSTS)]
    arrivals = {"poisson": {"load": round(load / QUEUE_HOSTS, 9)}}
    return network(
        {"single-switch": {"hosts": QUEUE_HOSTS + 1}},
        [{"from": sources, "to": f"H{QUEUE_HOSTS + 1}", "arrivals": arrivals}],
        f"{round(packets / load)} us",
        name,
        seed=seed,
        warm_up="2 ms",
        probes=["latency"],
        switches={"buffer": "8 MiB", "switching": "store-and-forward", "forwarding_delay": "100 ns"},
    )


def switch(kind, ports, packets, seed, name):
    """A switch whose inputs are always backlogged; all hosts send to sinks drawn at random."""
    sources = [f"H{i + 1}" for i in range(ports)]
    sinks = [f"H{ports + i + 1}" for i in range(ports)]
    slots = packets // ports
    return network(
        {"single-switch": {"hosts": 2 * ports}},
        [{"from": sources, "pattern": {"hot-spot": {"to": sinks, "fraction": 1.0}}}],
        f"{slots} us",
        name,
        seed=seed,
        warm_up=f"{slots // 10} us",
        links={"flow_control": {"packet-slots": {}}},
        switches=SWITCHES[kind],
    )


def fair(name):
    """Flows that meet in pairs and threes, a queue for each destination at each input, round robin everywhere."""
    names = sorted({host for pair in FAIR.values() for host in pair}, key=lambda host: int(host[1:]))
    return network(
        {"graph": {"hosts": names, "switches": ["S"], "links": [{"a": host, "b": "S"} for host in names]}},
        [{"name": flow, "from": a, "to": b} for flow, (a, b) in FAIR.items()],
        "12 ms",
        name,
        warm_up="2 ms",
        links={"flow_control": {"packet-slots": {}}},
        switches={"queues": {"voqnet": {"buffer": "4 packets"}}, "read_ports": "all"},
    )


def ecmp(seed, name):
    """Host j of leaf i sends to host j of leaf i + j + 1: four flows up from each leaf, to four leaves."""
    traffic = [
        {
            "name": f"{leaf}.{host}",
            "from": f"h{leaf * LEAF + host}",
            "to": f"h{(leaf + host + 1) % LEAVES * LEAF + host}",
        }
        for leaf in range(LEAVES)
        for host in range(LEAF)
    ]
    return network({"fat-tree": {"radix": 2 * LEAF}}, traffic, "200 us", name, seed=seed, scheme={"route": "ecmp"})


def shift(by, name):
    """A permutation on a 4-ary 3-tree by the digits of the destination."""
    traffic = [{"from": "all", "pattern": {"shift": {"by": by}}}]
    return network({"k-ary-n-tree": {"k": 4, "n": 3}}, traffic, "250 us", name, warm_up="50 us")


def incast(senders, name):
    """A message from each of this many hosts to one."""
    sources = [f"H{i + 1}" for i in range(senders)]
    traffic = [
        {
            "from": sources,
            "to": f"H{senders + 1}",
            "message": f"{MESSAGE * 980} B",
            "arrivals": {"messages": {"count": 1}},
        }
    ]
    return network(
        {"single-switch": {"hosts": senders + 1}},
        traffic,
        f"{2 * senders * MESSAGE + 100} us",
        name,
        probes=["deliveries"],
        switches={"forwarding_delay": "100 ns", "switching": "store-and-forward"},
    )


def uniform(load, seed, name):
    """All hosts send to all."""
    return network(
        {"k-ary-n-tree": {"k": 4, "n": 3}},
        [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": load}}}],
        "5 ms",
        name,
        seed=seed,
        warm_up="1 ms",
        probes=["latency"],
        links={"flow_control": {"packet-slots": {}}},
        switches={"queues": "voq", "read_ports": "all", "buffer": "64 packets", "forwarding_delay": "100 ns"},
    )


def peer(run, seed, name):
    """A run of the peer's, with a seed that its own gallery does not use."""
    return peers.one(run) | {"seed": seed, "name": name}
