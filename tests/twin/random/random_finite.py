"""Random small scenarios whose messages are flows of their own: those of other files with credits, with such entries.

Hosts have several sources and messages of several packets, so that many flows wait at a host and take turns.
`PYTHONPATH=. python tests/twin/random/random_finite.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_dcqcn
from random_queues import random_queues
from random_scenarios import random_scenario
from random_trimming import random_tree
from random_ways import lossless, random_entry


def random_finite(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"finite {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_dcqcn, random_queues])(rng.randrange(10**6))
        if "pfc" not in scenario["links"]["flow_control"]:
            break
    scenario["adapters"].pop("queue_depth", None)
    mtu = int(scenario["adapters"]["mtu"].split()[0])
    for entry in scenario["traffic"]:
        entry.pop("queue_pairs", None)
        moving = "moving" in entry.get("pattern", ())
        if moving:
            entry["pattern"] = "uniform"
        if moving or rng.random() < 0.8:
            entry["flows"] = "by-message"
            entry["message"] = f"{rng.choice([mtu // 2, mtu, mtu + 1, 3 * mtu, 5 * mtu + 7])} B"
            entry["arrivals"] = rng.choice(
                [
                    {"poisson": {"load": rng.choice([0.1, 0.2, 0.4])}},
                    {"messages": {"count": rng.randint(1, 9)}},
                    {"messages": {"count": rng.randint(1, 30), "every": rng.choice(["1 us", "2.068 us", "3 us"])}},
                ]
            )
    return scenario


def random_paths_of_messages(seed: int) -> dict:
    """Trees whose switches take a path for each message, by a hash of its flow."""
    rng = random.Random(f"paths of messages {seed}")
    scenario = lossless(rng)
    scenario["links"]["flow_control"] = "byte-credits"
    scenario["topology"] = random_tree(rng, True)
    scenario["traffic"] = [random_entry(rng, scenario) for _ in range(2)]
    for entry in scenario["traffic"]:
        if entry["pattern"] == "uniform" or rng.random() < 0.8:
            entry["flows"] = "by-message"
    flowlet = {"gap": rng.choice(["200 ns", "20 us"]), "entries": rng.choice([7, 4096])}
    scenario["scheme"]["route"] = rng.choice(["ecmp", {"ecmp": {"same_hash": True}}, {"flowlet": flowlet}])
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_finite(int(sys.argv[1])), indent=1))
