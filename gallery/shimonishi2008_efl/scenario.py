"""The scenario of EFL section IV.1: a dumbbell of lossy links, and four ways to use it.

Values that the paper does not give were chosen once, for all figures; the README says how. Runs change only what the
paper changes itself; the figure of sensitivity shows the results with other values.
"""

RATE = 10e9
"""Every link, bit/s."""
PACKET = 192
"""A data packet on the wire, bytes; sizes of transfers count whole packets' bytes."""
QUEUE = 1_000_000
"""Bytes that may wait for an output."""
FLOOR_US = 100.6
"""The round-trip time of an empty network, which sources know (OQ-F05): propagation, and a packet of 192 bytes on three
links there, an ACK of 64 bytes on three links back."""

ALGORITHMS = {
    "proposed": {"probe_packets": 20, "delay_probing": True, "prediction": "same-packets"},
    "bwprobe": {"probe_packets": 20, "delay_probing": False, "prediction": "none"},
    "plain": {"probe_packets": 0, "delay_probing": False, "prediction": "none"},
}
"""The three of EFL section IV.1, as configurations of one transport."""

COMMON = {
    "alpha": "3 kB",
    "beta": 0.0316667,
    "probe_alpha": 0.25,
    "probe_beta": 12.0,
    "start_rate": "200 Mbit/s",
    "floor": "40 Mbit/s",
    "rtt_min": f"{FLOOR_US} us",
    "timeout": "580 us",
}
"""What the paper leaves open (OQ-F01, OQ-F05, OQ-F06)."""

TCP_PACKET = 1500
TCP = {"initial_window": 1, "ack_every": 1, "least_timeout": "200 ms", "keep_window": False}
"""OQ-F11."""


def transport(algorithm, **changes):
    """The transport of a run: an algorithm by name, and what differs from the common parameters."""
    if algorithm in ("tcp", "tcpslow"):
        return {"new-reno": TCP | {"slow_start": algorithm == "tcpslow"} | changes}
    return {"efl": COMMON | ALGORITHMS[algorithm] | changes}


def dumbbell(pairs, algorithm, traffic, *, duration_ms, bin_us, probes, seed=1, name="", loss=0.0, **changes):
    """A whole scenario."""
    packet = TCP_PACKET if algorithm.startswith("tcp") else PACKET
    return {
        "name": name,
        "seed": seed,
        "topology": {"dumbbell": {"pairs": pairs, "trunk_delay": "48 us"}},
        "links": {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": "none"},
        "switches": {
            "output_queue": f"{QUEUE} B",
            "random_loss": loss,
            "switching": "store-and-forward",
            "arbiter": {"fifo": {}},
            "forwarding_delay": "1 ps",
        },
        "adapters": {"mtu": f"{packet} B", "header": "0 B", "ack": "64 B"},
        "scheme": {"transport": transport(algorithm, **changes)},
        "traffic": traffic,
        "measure": {"duration": f"{duration_ms} ms", "bin": f"{bin_us} us", "probes": list(probes)},
    }


def long_flows(groups, pairs):
    """Greedy flows in groups: [(first, last, start ms, stop ms or None)], flows counted from 1."""
    entries = []
    for first, last, start, stop in groups:
        entry = {
            "name": f"{first}-{last}" if last > first else f"{first}",
            "from": [f"S_{k}" for k in range(first, last + 1)],
            "pattern": {"shift": {"by": pairs}},
            "start": f"{start} ms",
        }
        entries.append(entry | ({"stop": f"{stop} ms"} if stop is not None else {}))
    return entries


FIGURE_6 = [(1, 2, 0, None), (3, 4, 10, None)]
DOUBLING = [(1, 1, 0, None), (2, 3, 10, 50), (4, 7, 20, 50), (8, 15, 30, 50), (16, 31, 40, 50)]


def on_off(pairs):
    """Blocks of Pareto size, one at a time for each flow (OQ-F07 to OQ-F09)."""
    return [
        {
            "name": "blocks",
            "from": "senders",
            "pattern": {"shift": {"by": pairs}},
            "arrivals": {"gaps": {"mean": "10 ms", "after": "made"}},
            "sizes": {"pareto": {"shape": 1.2, "mean": "100 kB", "most": "10 MB"}},
        }
    ]
