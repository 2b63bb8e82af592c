"""Random small trees whose switches choose a new path for a flow when it has paused, or a path for each packet in turn;
and other regular networks whose switches choose in any way.

Links give credit, pause, or lose, with or without a transport.
`PYTHONPATH=. python tests/twin/random/random_ways.py SEED` prints one.
"""

import json
import random
import sys

from random_detours import NETWORKS
from random_go_back import random_go_back
from random_networks import RATES
from random_trimming import random_tree, random_trimming


def random_ways(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"ways {seed}")
    draw = rng.choice([lossless, lossless, lossless, random_go_back, random_trimming])
    scenario = draw(rng) if draw is lossless else draw(rng.randrange(10**6))
    scenario["topology"] = random_tree(rng, True)
    size = len(scenario["traffic"])
    scenario["traffic"] = [random_entry(rng, scenario) for _ in range(max(size, 2))]
    flowlet = {"gap": rng.choice(["1 ps", "200 ns", "2 us", "20 us"]), "entries": rng.choice([1, 2, 7, 4096])}
    flowlet["choice"] = rng.choice(["random", "least-queue"])
    spray = {"choice": rng.choice(["in-turn", "in-turn", "random"])}
    scenario["scheme"]["route"] = rng.choice([{"flowlet": flowlet}, {"flowlet": flowlet}, {"spray": spray}])
    return scenario


def random_direct(seed: int) -> dict:
    """Networks in which some paths are as short as those of the network's own rule; and routes by either."""
    rng = random.Random(f"direct {seed}")
    scenario = lossless(rng)
    dragonflies = [network for network in NETWORKS if network[0] == "dragonfly"]
    kind, given = rng.choice(rng.choice([NETWORKS, dragonflies]))
    scenario["topology"] = {kind: given}
    scenario["links"] |= {"lanes": 8, "hop_lanes": "by-hop"}
    if kind != "clos" and rng.random() < 0.3:
        scenario["routing"] = "shortest-path"
    if "islip" in scenario["switches"]["arbiter"]:
        scenario["switches"]["arbiter"] = "round-robin"
    scenario["traffic"] = [random_entry(rng, scenario) for _ in range(2)]
    scenario["scheme"]["route"] = rng.choice(["ecmp", "spray", "least-queue", "flowlet"])
    return scenario


def lossless(rng: random.Random) -> dict:
    """Links that lose nothing, and switches with a queue for each output."""
    packet = rng.choice([276, 1044])
    return {
        "name": "random ways",
        "seed": rng.randrange(2**32),
        "links": {
            "rate": rng.choice(RATES),
            "delay": rng.choice(["0 ns", "37 ns", "1 us"]),
            "lanes": rng.choice([1, 1, 2]),
            "flow_control": rng.choice(["byte-credits", {"pfc": {"losses": "count"}}]),
        },
        "switches": {
            "buffer": f"{rng.choice([3, 8, 40]) * (packet + 100)} B",
            "read_ports": rng.choice(["one", "all", 2]),
            "arbiter": rng.choice(["round-robin", "fifo", "islip"]),
            "switching": rng.choice(["cut-through", "store-and-forward"]),
            "forwarding_delay": rng.choice(["100 ns", "40 ns"]),
        },
        "adapters": {"mtu": f"{packet - 20} B", "header": "20 B"},
        "scheme": {},
        "traffic": [],
        "measure": {"duration": "40 us", "probes": ["deliveries"], "audit": rng.random() < 0.5},
    }


def random_entry(rng: random.Random, scenario: dict) -> dict:
    """Messages with pauses between them."""
    mtu = int(scenario["adapters"]["mtu"].split()[0])
    return {
        "from": "all",
        "pattern": rng.choice(["permutation", {"shift": {"by": rng.randint(1, 3)}}, "uniform"]),
        "message": f"{rng.choice([mtu, 3 * mtu + 5])} B",
        "arrivals": rng.choice(
            [
                {"poisson": {"load": rng.choice([0.1, 0.3])}},
                {"messages": {"count": 6, "every": rng.choice(["2 us", "5 us"])}},
            ]
        ),
        "start": rng.choice(["0 ns", "1 us"]),
        "stop": "30 us",
    }


if __name__ == "__main__":
    print(json.dumps(random_ways(int(sys.argv[1])), indent=1))
