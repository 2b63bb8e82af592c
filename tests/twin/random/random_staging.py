"""Random small scenarios whose hosts have a memory between their flows and their link: those of other files, with one.

`PYTHONPATH=. python tests/twin/random/random_staging.py SEED` prints one.
"""

import json
import random
import sys

from random_applications import random_applications
from random_checked import random_checked
from random_dcqcn import random_dcqcn
from random_finite import random_finite
from random_isolation import random_isolation
from random_lanes import random_lanes
from random_pauses import random_pauses
from random_queues import random_queues
from random_scenarios import random_scenario
from random_towards import random_towards

BASES = [random_scenario] * 4 + [random_isolation] * 6 + [random_pauses, random_checked, random_lanes, random_queues]
BASES += [random_dcqcn, random_finite, random_applications, random_towards]


def random_staging(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"staging {seed}")
    while True:
        scenario = rng.choice(BASES)(rng.randrange(10**6))
        if scenario["scheme"].get("transport", "none") == "none":
            break
    scenario["adapters"]["injection_buffer"] = rng.choice([1, 1, 2, 3, 8, 32])
    isolate = scenario["scheme"].get("isolate")
    if isinstance(isolate, dict) and rng.random() < 0.6:
        for rule in isolate.values():
            rule["hosts_skip_stopped"] = rng.random() < 0.5
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_staging(int(sys.argv[1])), indent=1))
