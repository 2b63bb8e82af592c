"""One switch, adapters on it: DCQCN (Zhu et al., SIGCOMM 2015) and messages that cost something.

Every value is a reading that the README lists. There is one set of them for DCQCN and one for messages.
"""

LINK = 40e9
"""bit/s, of the hosts of DCQCN's paper."""
MTU, HEADER = 1024, 62
"""Payload of a RoCE packet, and its overhead: Ethernet 18, IPv4 20, UDP 8, transport 12, check 4."""
DCQCN = {
    "mark": {"red": {"min": "40 kB", "max": "40 kB", "probability": 1.0}},
    "notify": {"cnp": {"interval": "50 us"}},
    "react": {"dcqcn": {"alpha_period": "55 us", "additive": "40 Mbit/s", "hyper": "400 Mbit/s"}},
}
RAMP = DCQCN | {"mark": {"red": {"min": "5 kB", "max": "200 kB", "probability": 0.01}}}
"""DCQCN with the marking that the paper ends up with: from 5 to 200 KB, at most 1 %."""
MARKS = {"step": DCQCN, "ramp": RAMP}
JOIN_MS = 50
"""When the second flow of Fig. 10 joins."""

LINE = 50e9
"""B/s, of an adapter of 400 Gbit/s."""
FLIGHT = 16
"""Messages in flight."""
KIB = 1024
PUBLISHED = {32: 28.5, 64: 45.0, 128: 50.0, 256: 50.0}
"""UCCL, Fig. 14: GB/s by KiB of a message; 27 to 30 at 32 KiB, the line from 128 to 256 KiB on."""
WAYS = {"one": {"queue_depth": FLIGHT}, "step": {"queue_depth": 1}}
"""All in flight on one queue pair, or each on a queue pair of its own."""


def fitted(way):
    """T0 in s, by the law of each path from the published value at 32 KiB alone."""
    size, rate = 32 * KIB, PUBLISHED[32] * 1e9
    if way == "one":
        return FLIGHT * size / rate - size / LINE
    return FLIGHT * (size / rate - size / LINE)


def law(way, size, cost, flight=FLIGHT):
    """B/s of payload for messages of this many bytes: the pipeline of one queue pair, or the fixed-cost law."""
    if way == "one":
        return min(LINE, flight * size / (cost + size / LINE))
    return size / (cost / flight + size / LINE)


def dcqcn(name, senders, milliseconds, joins=0, seed=1, marks="step"):
    """This many hosts that send to one over a switch that marks in this way; the last of them from `joins` ms on."""
    hosts = [f"h{number}" for number in range(senders + 1)]
    entries = [{"name": host, "from": host, "to": hosts[0], "jitter": "100 us"} for host in hosts[1:]]
    entries[-1]["start"] = f"{joins} ms"
    return {
        "name": name,
        "seed": seed,
        "topology": {"graph": {"hosts": hosts, "switches": ["S"], "links": [{"a": host, "b": "S"} for host in hosts]}},
        "links": {
            "rate": "40 Gbit/s",
            "delay": "500 ns",
            "flow_control": {"pfc": {"threshold": {"dynamic": {"alpha": 1.0}}}},
        },
        "switches": {"shared_memory": {"size": "12 MB", "headroom": "22.4 kB"}, "switching": "store-and-forward"},
        "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B", "ack": "64 B"},
        "scheme": MARKS[marks],
        "traffic": entries,
        "measure": {"duration": f"{milliseconds} ms", "bin": "1 ms", "probes": ["flows"]},
    }


def messages(name, way, kib, cost, flight=FLIGHT):
    """Messages of this many KiB between two adapters of 400 Gbit/s, with this many in flight; headers cost nothing."""
    entry = {"name": "messages", "from": "h0", "to": "h1", "message": f"{kib} KiB"}
    if way == "step":
        entry["queue_pairs"] = flight
    depth = flight if way == "one" else 1
    return {
        "name": name,
        "topology": {
            "graph": {"hosts": ["h0", "h1"], "switches": ["S"], "links": [{"a": "h0", "b": "S"}, {"a": "h1", "b": "S"}]}
        },
        "links": {"rate": "400 Gbit/s", "delay": "500 ns"},
        "adapters": {"mtu": "4096 B", "header": "0 B", "message_cost": f"{cost * 1e12:.0f} ps", "queue_depth": depth},
        "traffic": [entry],
        "measure": {"duration": "4 ms", "warm_up": "1 ms"},
    }
