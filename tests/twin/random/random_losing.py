"""Random small scenarios whose switches lose packets at random, too, and have queues in proportion to their links.

Everything else is as in `random_go_back` and `random_nscc`, over links of two rates.
`PYTHONPATH=. python tests/twin/random/random_losing.py SEED` prints one.
"""

import json
import random
import sys

from random_go_back import random_go_back
from random_nscc import random_nscc
from reference.quantities import rate, size


def random_losing(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"losing {seed}")
    scenario = rng.choice([random_go_back, random_nscc])(rng.randrange(10**6))
    switches = scenario["switches"]
    if rng.random() < 0.7:
        switches["random_loss"] = rng.choice([0.01, 0.1, 0.3])
    if rng.random() < 0.7:
        pairs = rng.randint(2, 4)
        trunk = rng.choice(["3 Gbit/s", "12 Gbit/s", "40 Gbit/s"])
        scenario["topology"] = {"dumbbell": {"pairs": pairs, "trunk_rate": trunk}}
        scenario["traffic"] = [entry | {"from": "senders"} for entry in scenario["traffic"]]
        for entry in scenario["traffic"]:
            entry.pop("pattern", None)
            entry["to"] = f"R_{rng.randint(1, pairs)}"
        switches["output_queue_rate"] = scenario["links"]["rate"]
        # The trunk has room for a packet, too.
        slower = -(-rate(scenario["links"]["rate"]) // rate(trunk))
        switches["output_queue"] = f"{size(switches['output_queue']) * slower} B"
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_losing(int(sys.argv[1])), indent=1))
