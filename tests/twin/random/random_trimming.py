"""Random small scenarios whose switches limit queues, drop or trim packets beyond, and hash the entropy of packets.

The transport is that of Ultra Ethernet without windows and credit, so that everything goes at the rate of the links.
`PYTHONPATH=. python tests/twin/random/random_trimming.py SEED` prints one.
"""

import json
import random
import sys

from random_networks import DELAYS, RATES
from reference.network import topology
from reference.quantities import rate, size

DROPS = 6
"""One scenario in this many has no trimming, and often one path alone; all others trim, and hash the entropy."""


def trims(seed: int) -> bool:
    """The scenario of this seed is made to trim, and to hash."""
    return seed % DROPS > 0


def random_trimming(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"trimming {seed}")
    mtu, header = rng.choice([2048, 1024, 256]), rng.choice([20, 64, 0])
    lanes = rng.choice([2, 2, 3] if trims(seed) else [1, 1, 2])
    scenario = {
        "name": f"random {seed}",
        "seed": rng.randrange(2**32),
        "topology": random_tree(rng, trims(seed)),
        "links": {"rate": rng.choice(RATES), "delay": rng.choice(DELAYS), "lanes": lanes, "flow_control": "none"},
        "switches": random_switches(rng, lanes, mtu + header, trims(seed)),
        "adapters": {"mtu": f"{mtu} B", "header": f"{header} B", "ack": rng.choice(["20 B", "64 B"])},
        "scheme": {"transport": {"uet": random_transport(rng, lanes, trims(seed))}, "route": "ecmp"},
        "measure": {"duration": "400 us", "probes": ["deliveries"], "audit": rng.random() < 0.5},
    }
    if rng.random() < 0.2:
        scenario["scheme"]["route"] = {"ecmp": {"same_hash": True}}
    elif not trims(seed) and rng.random() < 0.5:
        scenario["scheme"]["route"] = "none"
    if lanes > 1 and rng.random() < 0.5:
        scenario["links"]["lane_arbiter"] = "strict"
    hosts = topology.build(scenario).hosts
    scenario["traffic"] = [random_incast(rng, hosts, mtu)]
    scenario["traffic"] += [random_entry(rng, hosts, mtu) for _ in range(rng.choice([0, 0, 1, 2]))]
    if trims(seed) and seed % 4 == 0:
        scale_queues(scenario)
    return scenario


def random_tree(rng: random.Random, several_ways: bool) -> dict:
    """A network with several paths, if requested."""
    trees = [
        {"k-ary-n-tree": {"k": 2, "n": 2}},
        {"k-ary-n-tree": {"k": 2, "n": 3}},
        {"k-ary-n-tree": {"k": 3, "n": 2}},
        {"fat-tree": {"radix": 4}},
    ]
    others = [
        {"two-switch": {"local": rng.randint(2, 5), "remote": rng.randint(1, 4)}},
        {"single-switch": {"hosts": rng.randint(5, 8)}},
    ]
    return rng.choice(trees if several_ways else [*trees, *others, *others])


def random_switches(rng: random.Random, lanes: int, packet: int, trims: bool) -> dict:
    """Queues of a few packets; headers continue in a lane of their own, if requested."""
    switches = {
        "output_queue": f"{rng.choice([packet, 2 * packet, 3 * packet + 17])} B",
        "switching": rng.choice(["cut-through", "store-and-forward"]),
        "forwarding_delay": rng.choice(["100 ns", "40 ns", "1 us"]),
        "arbiter": rng.choice(["round-robin", "fifo"]),
    }
    if trims:
        trim = {"size": rng.choice(["64 B", "84 B"]), "lane": rng.randint(1, lanes - 1), "victim": "arriving"}
        if switches["arbiter"] == "fifo" and rng.random() < 0.8:
            trim["victim"] = "either"
        if rng.random() < 0.4:
            trim["queue"] = rng.choice(["100 B", "200 B", "1 kB"])
        switches["trim"] = trim
    return switches


def scale_queues(scenario: dict) -> None:
    """Queues are for links of half the rate: that of data is as long as before, and one written for headers longer."""
    switches = scenario["switches"]
    switches["output_queue_rate"] = f"{rate(scenario['links']['rate']) // 2} bit/s"
    switches["output_queue"] = f"{-(-size(switches['output_queue']) // 2)} B"


def random_transport(rng: random.Random, lanes: int, several_ways: bool) -> dict:
    """No window and no credit; paths in turn."""
    uet = {
        "congestion_control": "none",
        "paths": {"oblivious": {"paths": rng.choice([2, 8, 64] if several_ways else [1, 2, 8])}},
        "timeout": rng.choice(["30 us", "100 us", "333 us"]),
    }
    if rng.random() < 0.6:
        uet["ack_after"] = rng.choice(["1 B", "3000 B", "100 kB"])
    if lanes > 1 and rng.random() < 0.6:
        uet["control_lane"] = rng.randrange(lanes)
    return uet


def random_incast(rng: random.Random, hosts: list[str], mtu: int) -> dict:
    """The farthest hosts send to the first at once, more than its queue holds."""
    senders = hosts[-rng.randint(3, min(4, len(hosts) - 1)) :]
    message = f"{rng.choice([4 * mtu + 3, 5 * mtu, 7 * mtu - 1])} B"
    return {"from": senders, "to": hosts[0], "arrivals": {"messages": {"count": 1}}, "message": message}


def random_entry(rng: random.Random, hosts: list[str], mtu: int) -> dict:
    """A message from each of some hosts, to one or to others."""
    entry = {
        "from": rng.choice(["all", rng.sample(hosts, rng.randint(1, len(hosts)))]),
        "arrivals": {"messages": {"count": 1}},
        "message": f"{rng.choice([1, mtu, 3 * mtu + 3])} B",
        "start": rng.choice(["0 ns", "1 us", "10 us"]),
        "jitter": rng.choice(["0 ns", "1 us"]),
    }
    if rng.random() < 0.5:
        entry["to"] = rng.choice(hosts)
        senders = hosts if entry["from"] == "all" else entry["from"]
        entry["from"] = [host for host in senders if host != entry["to"]]
        if not entry["from"]:
            entry["from"] = [next(host for host in hosts if host != entry["to"])]
    else:
        entry["pattern"] = "permutation"
    return entry


if __name__ == "__main__":
    print(json.dumps(random_trimming(int(sys.argv[1])), indent=1))
