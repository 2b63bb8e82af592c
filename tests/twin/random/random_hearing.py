"""Random small scenarios of sources that react to losses, DCTCP and Swift, and of others, over go-back-N and IRN.

Networks, switches and traffic are those of `random_go_back`; switches mark by RED besides.
`PYTHONPATH=. python tests/twin/random/random_hearing.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_red, random_rule
from random_go_back import random_go_back, random_lossy
from random_irn import random_irn
from random_reactions import DRAWS


def random_hearing(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"hearing {seed}")
    scenario = random_lossy(rng)
    model = rng.choice([random_go_back, random_irn])(rng.randrange(10**6))
    scenario["scheme"]["transport"] = model["scheme"]["transport"]
    adapters = scenario["adapters"]
    adapters.pop("window", None)
    packet = sum(int(adapters[key].split()[0]) for key in ("mtu", "header"))
    scenario["scheme"]["mark"] = {"red": random_red(rng, packet, scenario["links"]["lanes"])}
    name = rng.choice(["dctcp", "dctcp", "swift", "swift", "timely", "power-tcp", "dcqcn"])
    if name == "dcqcn":
        scenario["scheme"] |= {"notify": {"cnp": {"size": "20 B"}}, "react": {name: random_rule(rng, packet)}}
        if random.Random(f"window {seed}").random() < 0.5:
            scenario["scheme"]["notify"] = "ack"
            scenario["scheme"]["react"][name]["window"] = "bdp-at-rate"
    else:
        scenario["scheme"] |= {"notify": "ack", "react": {name: DRAWS[name](rng, scenario)}}
    if name == "swift" and rng.random() < 0.7:
        scenario["scheme"]["react"]["swift"]["retx_reset"] = rng.choice([1, 2])
    if name == "swift" and rng.random() < 0.3:
        scenario["scheme"]["react"]["swift"].pop("initial_window")
    irn = scenario["scheme"]["transport"].get("irn", {})
    if "round_trip" in irn and rng.random() < 0.5:
        irn.pop("round_trip")
    rule = scenario["scheme"]["transport"].get("go-back-n", {})
    if rule.get("ack_every", 1) > 1:
        rule.setdefault("ack_flush", "3 us")
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_hearing(int(sys.argv[1])), indent=1))
