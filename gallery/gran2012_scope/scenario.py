"""The fat tree of 648 hosts and its forests of congestion trees as scenarios (Paper IV, sections III to V).

    C nodes   everything to the hot host of their subset       silent forest   80 % C and 20 % V
    V nodes   everything uniformly                             windy forest    x % B, of the rest 80 % C and 20 % V
    B nodes   a share p to their hot host, the rest uniformly  moving forest   hot hosts change n times

Every value below is a reading that the README lists. There is one set of them; a run only says which forest it is, and
whether congestion control is on.
"""

from itertools import chain

from .placement import place

MTU, HEADER, CNP = 2048, 26, 64
"""Payload of a data packet, its overhead, and a notification packet, bytes."""
WIRE = MTU + HEADER
INJECT, DRAIN = 13.5, 13.6
"""What a host bus can send and take, Gbit/s of payload (OQ-I16)."""
HOT = 8
"""Hot hosts at a time, and subsets of contributors."""
BIN_MS = 1
"""Width of the bins of runs that examine links over time."""

CONTROL = {
    "mark": {
        "fecn": {
            "threshold": 15,
            "gap": "2560 B",
            "fill": "voq",
            "victim_mask": "hosts",
            "packet_size": "0 B",
            "marking_rate": 0,
        }
    },
    "notify": {"cnp": {"size": f"{CNP} B"}},
    "react": {
        "cct": {
            "increase": 1,
            "limit": 127,
            "min": 0,
            "timer": "153.6 us",
            "timer_runs": "re-armed",
            "per": "qp",
            "table": {"quadratic": {"delay": "70 us", "at": 106}},
        }
    },
}
"""Congestion control: Table I of the paper, with a table that fits 81 contributors to a hot host."""


def silent(scale, cc, seed, name, *, active=True, probes=()):
    """80 % C and 20 % V; C nodes may be kept silent."""
    placed = place(scale.hosts, scale.hot, 0, 0.2, seed)
    traffic = [*(fixed("C", placed.contributors, placed.hot) if active else []), uniform("V", placed.others, 1)]
    return forest(scale, traffic, cc, seed, name, probes)


def windy(scale, x, p, cc, seed, name, *, per="qp", probes=()):
    """x % B nodes that send p % to their hot host; of the rest 80 % C and 20 % V."""
    placed = place(scale.hosts, scale.hot, x / 100, 0.2, seed)
    traffic = [
        *fixed("C", placed.contributors, placed.hot),
        *fixed("B", placed.both, placed.hot, p / 100),
        uniform("B", sorted(chain(*placed.both)), 1 - p / 100),
        uniform("V", placed.others, 1),
    ]
    return forest(scale, traffic, cc, seed, name, probes, per)


def moving(scale, mix, moves, cc, seed, name, *, probes=()):
    """Hot hosts that change this many times in 100 ms.

    mix: "V20" is 20 % V and the rest C; "B60" is all B with p = 60.
    """
    kind, share = mix[0], int(mix[1:]) / 100
    every = f"{100_000 / moves:.6g} us"
    slots = round(scale.ms * moves / 100)
    placed = place(scale.hosts, scale.hot, *((1, 0) if kind == "B" else (0, share)), seed, max(2, slots))
    traffic = []
    for label, subsets, part in (("C", placed.contributors, 1), ("B", placed.both, share)):
        for k, members in enumerate(subsets):
            if members:
                to = [hosts(slot[k]) for slot in placed.hot]
                traffic.append(
                    entry(f"{label}{k}", members, part) | {"pattern": {"moving": {"to": to, "every": every}}}
                )
    if kind == "B":
        traffic.append(uniform("B", sorted(chain(*placed.both)), 1 - share))
    else:
        traffic.append(uniform("V", placed.others, 1))
    return forest(scale, traffic, cc, seed, name, probes)


def budget(name):
    """A B node with p = 50 whose hot flow is held to a tenth of its share, alone with its destinations (Frame I)."""
    traffic = [
        {"name": "hot", "from": ["H1"], "to": "H2", "rate": bits(0.05 * INJECT * WIRE / MTU)},
        {"name": "others", "from": ["H1"], "pattern": "uniform"},
    ]
    for part in traffic:
        part |= {"message": f"{2 * MTU} B", "arrivals": {"steady": {"rate": bits(INJECT / 2)}}}
    return network({"single-switch": {"hosts": 20}}, traffic, True, 1, 20, name, ["flows"], BIN_MS)


def forest(scale, traffic, cc, seed, name, probes=(), per="qp"):
    """A run on the fat tree."""
    traffic = [part for part in traffic if part]
    return network({"fat-tree": {"radix": scale.radix}}, traffic, cc, seed, scale.ms, name, probes, BIN_MS, per)


def network(topology, traffic, cc, seed, duration_ms, name, probes, bin_ms, per="qp"):
    """The parameter set around a topology and its traffic."""
    scheme = {"preset": "none"}
    if cc:
        scheme = CONTROL | {"react": {"cct": CONTROL["react"]["cct"] | {"per": per}}}
    return {
        "name": name,
        "seed": seed,
        "topology": topology,
        "links": {"rate": "16 Gbit/s", "flow_control": {"byte-credits": {"block": "64 B", "credit_delay": "20 ns"}}},
        "switches": {
            "buffer": "64 KiB",
            "queues": "voq",
            "read_ports": "all",
            "arbiter": "round-robin",
            "switching": "cut-through",
            "forwarding_delay": "100 ns",
        },
        "adapters": {
            "mtu": f"{MTU} B",
            "header": f"{HEADER} B",
            "injection_rate": bits(INJECT * WIRE / MTU),
            "drain_rate": bits(DRAIN * WIRE / MTU),
            "receive_buffer": "16 KiB",
        },
        "scheme": scheme,
        "traffic": traffic,
        "measure": {"duration": f"{duration_ms:g} ms", "bin": f"{bin_ms:g} ms", "probes": list(probes)},
    }


def fixed(label, subsets, hot, share=1):
    """Every subset to its hot host."""
    return [
        entry(f"{label}{k}", members, share) | {"to": hosts(hot[k])}
        for k, members in enumerate(subsets)
        if members and share > 0
    ]


def uniform(label, members, share):
    """Uniform traffic to all others; nothing if there are none, or nothing to send."""
    return entry(label, members, share) | {"pattern": "uniform"} if members and share > 0 else None


def entry(label, members, share):
    """A traffic entry: a share of the time of every member's bus, in messages of two packets."""
    return {
        "name": label,
        "from": [hosts(member) for member in members],
        "message": f"{2 * MTU} B",
        "arrivals": {"steady": {"rate": bits(share * INJECT)}},
    }


def hosts(number):
    """The name of a host."""
    return f"h{number}"


def bits(gigabits):
    """A rate as text."""
    return f"{round(1e9 * gigabits)} bit/s"
