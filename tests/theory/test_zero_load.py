"""Latency without load: every pair of hosts on every topology, to the picosecond.

With m links of rate C and delay p in a row, forwarding delay f in each of the m - 1 switches between, and L bytes:

    cut-through          m p + (m - 1) f + L/C
    store-and-forward    m p + (m - 1) f + m L/C

(Dally, Towles: Principles and Practices of Interconnection Networks, 2004, chapter 3: T0 = H t_r + D/v + L/b.)
The numbers of links come from the shapes of the topologies, not from routes that the program works out. For links of
different rates see `fabrics.cut_through`.
"""

import pytest
from fabrics import GBPS, cut_through, latencies, run, scenario, store_and_forward, wire_time

FORWARDING = 100_000  # ps
DELAY = 7_000  # ps
APART = 50_000_000  # ps between two packets: far longer than any latency here


def digits_apart(a: int, b: int, k: int) -> int:
    """Number of digits in base k from the lowest up to the highest in which two numbers differ."""
    apart = 0
    while a != b:
        a, b, apart = a // k, b // k, apart + 1
    return apart


def two_switch(a: int, b: int) -> int:
    """Three local and two remote sources: on B are B_1 .. B_3, B_C, B_V (the last two)."""
    on_b = {0, 1, 2, 6, 7}
    return 2 if (a in on_b) == (b in on_b) else 3


# Name: topology, its hosts in order, and the links on the path from host a to host b.
SHAPES = {
    "single switch": ({"single-switch": {"hosts": 6}}, [f"H{i + 1}" for i in range(6)], lambda a, b: 2),
    "two switches": (
        {"two-switch": {"local": 3, "remote": 2}},
        ["B_1", "B_2", "B_3", "A_1", "A_2", "A_V", "B_C", "B_V"],
        two_switch,
    ),
    "chain": (
        {"chain": {"switches": 5, "hosts_per_switch": 2}},
        [f"S{i // 2 + 1}_{i % 2 + 1}" for i in range(10)],
        lambda a, b: 2 + abs(a // 2 - b // 2),
    ),
    "2-ary 3-tree": (
        {"k-ary-n-tree": {"k": 2, "n": 3}},
        [f"h{i}" for i in range(8)],
        lambda a, b: 2 * digits_apart(a, b, 2),
    ),
    "3-ary 2-tree": (
        {"k-ary-n-tree": {"k": 3, "n": 2}},
        [f"h{i}" for i in range(9)],
        lambda a, b: 2 * digits_apart(a, b, 3),
    ),
    "4-ary 3-tree": (
        {"k-ary-n-tree": {"k": 4, "n": 3}},
        [f"h{i}" for i in range(64)],
        lambda a, b: 2 * digits_apart(a, b, 4),
    ),
    "fat tree": ({"fat-tree": {"radix": 6}}, [f"h{i}" for i in range(18)], lambda a, b: 2 if a // 3 == b // 3 else 4),
}
ORGANISATIONS = [
    {"queues": "voq", "read_ports": "all"},
    {"queues": "single", "read_ports": "one", "arbiter": {"fifo": {"bypass_limit": 4}}},
]


def lone_packets(hosts: list[str], pairs: list[tuple[int, int]]) -> list[dict]:
    """One packet for each pair, one after the other."""
    return [
        {"from": hosts[a], "to": hosts[b], "arrivals": {"messages": {"count": 1}}, "start": f"{k * APART} ps"}
        for k, (a, b) in enumerate(pairs)
    ]


@pytest.mark.parametrize("switches", ORGANISATIONS, ids=["voq", "single"])
@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_pair_of_hosts(shape, switching, switches):
    topology, hosts, links = SHAPES[shape]
    pairs = [(a, b) for a in range(len(hosts)) for b in range(len(hosts)) if a != b]
    pairs = pairs[:: max(1, len(pairs) // 150)]
    result = run(
        scenario(
            topology,
            lone_packets(hosts, pairs),
            f"{len(pairs) * APART} ps",
            delay=f"{DELAY} ps",
            switches=switches | {"switching": switching, "forwarding_delay": f"{FORWARDING} ps"},
            measure={"probes": ["deliveries"]},
        )
    )
    found = latencies(result)
    once = wire_time(1000, 8 * GBPS)
    for a, b in pairs:
        m = links(a, b)
        times = 1 if switching == "cut-through" else m
        expected = m * DELAY + (m - 1) * FORWARDING + times * once
        assert found[f"{hosts[a]}->{hosts[b]}"] == [expected], f"{hosts[a]} to {hosts[b]}, {m} links"


# Rates (Mbit/s) and delays (ps) of the links in a row, in both directions.
ROWS = {
    "faster and faster": [(1000, 0), (4000, 5), (10_000, 250), (13_300, 0)],
    "slower and slower": [(13_300, 1_001_000), (10_000, 0), (4000, 37), (1000, 5)],
    "up and down": [(8000, 5), (20_000, 0), (7000, 37_000), (56_000, 1), (3000, 0), (3001, 9)],
}


@pytest.mark.parametrize("size", [21, 64, 1000])
@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("row", ROWS)
def test_links_of_different_rates(row, switching, size):
    path = ROWS[row]
    nodes = ["left", *(f"s{i}" for i in range(len(path) - 1)), "right"]
    links = [
        {"a": nodes[i], "b": nodes[i + 1], "rate": f"{rate} Mbit/s", "delay": f"{delay} ps"}
        for i, (rate, delay) in enumerate(path)
    ]
    traffic = lone_packets(["left", "right"], [(0, 1), (1, 0)])
    result = run(
        scenario(
            {"graph": {"hosts": ["left", "right"], "switches": nodes[1:-1], "links": links}},
            [entry | {"message": f"{size - 20} B"} for entry in traffic],
            "1 ms",
            switches={"switching": switching, "forwarding_delay": f"{FORWARDING} ps"},
            measure={"probes": ["deliveries"]},
        )
    )
    formula = cut_through if switching == "cut-through" else store_and_forward
    there = [(rate * 10**6, delay) for rate, delay in path]
    expected = {
        "left->right": [formula(size, there, FORWARDING)],
        "right->left": [formula(size, there[::-1], FORWARDING)],
    }
    assert latencies(result) == expected


@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("trunk", [20, 40, 5])
def test_a_lone_packet_crosses_the_test_bed_as_its_formula_says(trunk, switching):
    """H1 to H3 on one switch, H4 to H7 on the other, between them a trunk of another rate."""
    hosts = [f"H{i}" for i in range(1, 8)]
    pairs = [(a, b) for a in range(7) for b in range(7) if a != b]
    result = run(
        scenario(
            {"test-bed": {"trunk_rate": f"{trunk} Gbit/s"}},
            lone_packets(hosts, pairs),
            f"{len(pairs) * APART} ps",
            rate="20 Gbit/s",
            delay=f"{DELAY} ps",
            switches={"switching": switching, "forwarding_delay": f"{FORWARDING} ps"},
            measure={"probes": ["deliveries"]},
        )
    )
    formula = cut_through if switching == "cut-through" else store_and_forward
    found = latencies(result)
    for a, b in pairs:
        middle = [] if (a < 3) == (b < 3) else [(trunk * GBPS, DELAY)]
        path = [(20 * GBPS, DELAY), *middle, (20 * GBPS, DELAY)]
        assert found[f"{hosts[a]}->{hosts[b]}"] == [formula(1000, path, FORWARDING)]
