"""Random small scenarios whose switches bound what waits, drop or trim what is beyond, and hash the entropy of packets.

The transport is that of Ultra Ethernet without windows and credit, so that everything goes at the rate of the links.
`PYTHONPATH=. python tests/twin/random_trimming.py SEED` prints one.
"""

import json
import random
import sys

from random_scenarios import DELAYS, RATES
from reference import topology


def random_trimming(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"trimming {seed}")
    mtu, header = rng.choice([2048, 1024, 256]), rng.choice([20, 64, 0])
    lanes = rng.choice([1, 2, 2, 3])
    scenario = {
        "name": f"random {seed}",
        "seed": rng.randrange(2**32),
        "topology": random_tree(rng),
        "links": {"rate": rng.choice(RATES), "delay": rng.choice(DELAYS), "lanes": lanes, "flow_control": "none"},
        "switches": random_switches(rng, lanes, mtu + header),
        "adapters": {"mtu": f"{mtu} B", "header": f"{header} B", "ack": rng.choice(["20 B", "64 B"])},
        "scheme": {"transport": {"uet": random_transport(rng, lanes)}, "route": rng.choice(["none", "ecmp", "ecmp"])},
        "measure": {"duration": "400 us", "probes": ["deliveries"], "audit": rng.random() < 0.5},
    }
    if scenario["scheme"]["route"] == "ecmp" and rng.random() < 0.3:
        scenario["scheme"]["route"] = {"ecmp": {"same_hash": True}}
    if lanes > 1 and rng.random() < 0.5:
        scenario["links"]["lane_arbiter"] = "strict"
    hosts = topology.build(scenario).hosts
    scenario["traffic"] = [random_entry(rng, hosts, mtu) for _ in range(rng.randint(1, 3))]
    return scenario


def random_tree(rng: random.Random) -> dict:
    """A network with several ways, mostly."""
    return rng.choice(
        [
            {"k-ary-n-tree": {"k": 2, "n": 2}},
            {"k-ary-n-tree": {"k": 2, "n": 3}},
            {"k-ary-n-tree": {"k": 3, "n": 2}},
            {"fat-tree": {"radix": 4}},
            {"two-switch": {"local": rng.randint(1, 5), "remote": rng.randint(1, 4)}},
            {"single-switch": {"hosts": rng.randint(3, 8)}},
        ]
    )


def random_switches(rng: random.Random, lanes: int, packet: int) -> dict:
    """Queues of a few packets; headers go on in a lane of their own, if there is one."""
    switches = {
        "output_queue": f"{rng.choice([packet, 2 * packet, 3 * packet + 17, 9 * packet])} B",
        "switching": rng.choice(["cut-through", "store-and-forward"]),
        "forwarding_delay": rng.choice(["100 ns", "40 ns", "1 us"]),
        "arbiter": rng.choice(["round-robin", "fifo"]),
    }
    if lanes > 1 and rng.random() < 0.85:
        trim = {"size": rng.choice(["64 B", "84 B"]), "lane": rng.randint(1, lanes - 1), "victim": "arriving"}
        if switches["arbiter"] == "fifo" and rng.random() < 0.8:
            trim["victim"] = "either"
        if rng.random() < 0.4:
            trim["queue"] = rng.choice(["100 B", "200 B", "1 kB"])
        switches["trim"] = trim
    return switches


def random_transport(rng: random.Random, lanes: int) -> dict:
    """No window and no credit; paths in turn."""
    uet = {
        "congestion_control": "none",
        "paths": {"oblivious": {"paths": rng.choice([1, 2, 8, 64])}},
        "timeout": rng.choice(["30 us", "100 us", "333 us"]),
    }
    if rng.random() < 0.6:
        uet["ack_after"] = rng.choice(["1 B", "3000 B", "100 kB"])
    if lanes > 1 and rng.random() < 0.6:
        uet["control_lane"] = rng.randrange(lanes)
    return uet


def random_entry(rng: random.Random, hosts: list[str], mtu: int) -> dict:
    """A message from each of some hosts, to one or to others."""
    entry = {
        "from": rng.choice(["all", rng.sample(hosts, rng.randint(1, len(hosts)))]),
        "arrivals": {"messages": {"count": 1}},
        "message": f"{rng.choice([1, mtu, 3 * mtu, 7 * mtu + 3, 16 * mtu - 1])} B",
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
