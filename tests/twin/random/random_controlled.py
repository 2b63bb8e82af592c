"""Random small scenarios with regions of congestion (RCM) under transports, over links with errors, and with credits in
messages.

Outputs and their rule are those of `random_regions`; transports, links and all else those of the files about each.
`PYTHONPATH=. python tests/twin/random/random_controlled.py SEED` prints one.
"""

import json
import random
import sys

import random_carried
from random_checked import random_checked
from random_isolation import crowd
from random_messages import random_messages
from random_regions import adapt, random_regions, random_rule
from reference.network import topology


def random_controlled(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"controlled {seed}")
    return under_a_transport(rng) if rng.random() < 0.5 else over_other_links(rng)


def under_a_transport(rng: random.Random) -> dict:
    """Senders wait for ACKs, keep windows and paces, and retransmit packets that they consider lost."""
    scenario = random_regions(rng.randrange(10**6))
    model = random_carried.MODELS[rng.choice([*random_carried.MODELS])](rng.randrange(10**6))
    kept = {key: part for key, part in scenario["scheme"].items() if key in ("schedule", "route")}
    scenario["scheme"] = {"transport": model["scheme"]["transport"], **kept}
    random_carried.adapt(rng, scenario, scenario["scheme"]["transport"])
    return scenario


def over_other_links(rng: random.Random) -> dict:
    """Links that damage packets and send them again, or credits that come back in messages."""
    while True:
        scenario = rng.choice([random_checked, random_messages])(rng.randrange(10**6))
        hosts = topology.build(scenario).hosts
        if len(hosts) > 2:
            break
    packet = adapt(rng, scenario)
    crowd(rng, scenario, hosts)
    scenario["scheme"]["schedule"] = {"rcm": random_rule(rng, scenario, packet)}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_controlled(int(sys.argv[1])), indent=1))
