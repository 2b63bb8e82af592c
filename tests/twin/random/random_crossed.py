"""Random small scenarios whose outputs hold many packets behind a fast crossbar, with what goes by all that waits for a
link: RED, detectors of held outputs, telemetry, and paths by the shortest queue.

`PYTHONPATH=. python tests/twin/random/random_crossed.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_red
from random_scenarios import random_scenario
from random_telemetry import goes, random_hpcc
from random_ternary import random_ternary
from random_ways import random_ways


def random_crossed(seed: int) -> dict:
    """The scenario of this seed: one of those with credits and a queue for each output."""
    rng = random.Random(f"crossed {seed}")
    draw = rng.choice([marked, marked, random_ternary, random_ternary, telling, by_queues])
    while True:
        scenario = draw(rng.randrange(10**6))
        credits = str(scenario["links"].get("flow_control", "byte-credits"))
        if ("byte-credits" in credits or "packet-slots" in credits) and scenario["switches"].get("queues") in (
            None,
            "voq",
        ):
            break
    scenario["links"].pop("lane_arbiter", None)
    switches = scenario["switches"]
    switches["arbiter"] = rng.choice(["round-robin", "islip"])
    switches["crossbar"] = rng.choice(["5 Gbit/s", "13.3 Gbit/s", "40 Gbit/s", "100 Gbit/s"])
    switches["output_packets"] = rng.choice([1, 2, 3, 10, 100, 255])
    return scenario


def marked(seed: int) -> dict:
    """RED, with thresholds of a few packets."""
    scenario = random_scenario(seed)
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    rng = random.Random(f"crossed red {seed}")
    scenario["scheme"]["mark"] = {"red": random_red(rng, packet, scenario["links"]["lanes"])}
    return scenario


def telling(seed: int) -> dict:
    """HPCC; every flow has one destination."""
    rng = random.Random(f"crossed telemetry {seed}")
    while not goes(scenario := random_scenario(rng.randrange(10**6))):
        pass
    scenario["scheme"] = {"react": {"hpcc": random_hpcc(rng)}}
    for entry in (scenario["adapters"], *scenario["traffic"]):
        entry.pop("window", None)
    return scenario


def by_queues(seed: int) -> dict:
    """Switches choose the path with the shortest queue, for each packet."""
    scenario = random_ways(seed)
    scenario["scheme"]["route"] = "least-queue"
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_crossed(int(sys.argv[1])), indent=1))
