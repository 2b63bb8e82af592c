"""Random small scenarios over lossy links, with retransmissions by IRN: selective repeat in a window.

Networks and switches are those of `random_trimming`, without trimming: queues of a few packets, so that several of a
window are lost at a time, and lost again. `PYTHONPATH=. python tests/twin/random/random_irn.py SEED` prints one.
"""

import json
import random
import sys

from random_trimming import random_trimming


def random_irn(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"irn {seed}")
    scenario = random_trimming(rng.randrange(10**6))
    scenario["switches"].pop("trim", None)
    scenario["traffic"] = scenario["traffic"][:2]
    low = rng.choice(["20 us", "60 us", "100 us"])
    irn = {"timeout_low": low, "timeout_high": rng.choice([low, "100 us", "320 us"])}
    if rng.random() < 0.6:
        irn["window"] = rng.choice([3, 3, 4, 7, 12, 40])
        irn["few"] = rng.choice([few for few in (1, 2, 3, 4) if few <= irn["window"]])
    else:
        irn["round_trip"] = rng.choice(["2 us", "6 us", "15 us", "19 us"])
        irn["few"] = rng.choice([1, 2, 3, 5])
    scenario["scheme"]["transport"] = {"irn": irn}
    for entry in scenario["traffic"]:
        entry["arrivals"] = {"messages": {"count": rng.choice([1, 1, 2, 3])}}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_irn(int(sys.argv[1])), indent=1))
