"""Random small scenarios of Ultra Ethernet whose senders choose paths by feedback: by penalties, REPS, or both.

Everything else is as in `random_nscc` and `random_rccc`.
`PYTHONPATH=. python tests/twin/random/random_paths.py SEED` prints one.
"""

import json
import random
import sys

from random_nscc import random_nscc
from random_rccc import random_rccc
from random_reactions import some


def random_paths(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"paths {seed}")
    scenario = rng.choice([random_nscc, random_rccc])(rng.randrange(10**6))
    paths = {"paths": rng.choice([2, 4, 8, 16])}
    penalties = {"marked": [0, 3], "trimmed": [1, 9], "most": [2, 20]}
    ring = {"ring": [1, 2, 5], "freeze": ["0 s", "3 us", "7 us", "7 us"]}
    ways = {"bitmap": paths | some(rng, penalties), "reps": paths | some(rng, ring), "mixed": paths}
    name = rng.choice(["reps", "reps", "bitmap", "mixed"])
    uet = scenario["scheme"]["transport"]["uet"]
    uet["paths"] = {name: ways[name]}
    if name == "reps":
        uet["timeout"] = rng.choice(["12 us", "20 us", "30 us"])
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_paths(int(sys.argv[1])), indent=1))
