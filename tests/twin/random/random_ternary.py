"""Random small scenarios with detectors that ask what flow control holds (TCD, NP-ECN): those with credits, and those
with pauses, with another marker.

Thresholds are a few packets and the longest ON period a few packet times, so that outputs come into all three states.
`PYTHONPATH=. python tests/twin/random/random_ternary.py SEED` prints one.
"""

import json
import random
import sys

from random_pauses import random_pauses
from random_scenarios import random_scenario


def random_ternary(seed: int) -> dict:
    """The scenario of this seed: one of those whose switches have a queue for each output and no buffer behind."""
    rng = random.Random(f"ternary {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
        if scenario["switches"]["queues"] == "voq" and "output_buffer" not in scenario["switches"]:
            break
    packet = int(scenario["adapters"]["mtu"].split()[0]) + int(scenario["adapters"]["header"].split()[0])
    tcd = {
        "threshold": f"{rng.choice([0, packet - 1, packet, 2 * packet, 5 * packet])} B",
        "longest_on": rng.choice(["1 ps", "500 ns", "2 us", "3 us", "10 us", "40 us"]),
    }
    if rng.random() < 0.3:
        tcd["for_rate"] = rng.choice(["8 Gbit/s", "7 Gbit/s", "13.3 Gbit/s"])
    own = random.Random(f"longest {seed}")
    if own.random() < 0.3:  # as it follows from flow control
        del tcd["longest_on"]
        if own.random() < 0.7:
            tcd["slack"] = own.choice([0.5, 1.0, 0.8])
    scenario["scheme"]["mark"] = "np-ecn" if rng.random() < 0.3 else {"tcd": tcd}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_ternary(int(sys.argv[1])), indent=1))
