"""Random small scenarios in which transports run over lossless links: with credits, and with pauses.

Networks, switches and traffic are those of `random_scenarios` and `random_pauses`; transports and reactions those of
the files about each. `PYTHONPATH=. python tests/twin/random/random_carried.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_red, random_rule
from random_efl import random_efl
from random_go_back import random_go_back
from random_irn import random_irn
from random_nscc import random_nscc
from random_pauses import random_pauses
from random_rccc import random_rccc
from random_reactions import DRAWS
from random_reno import random_reno
from random_scenarios import random_scenario
from random_telemetry import random_hpcc

MODELS = {
    "go-back-n": random_go_back,
    "irn": random_irn,
    "new-reno": random_reno,
    "efl": random_efl,
    "nscc": random_nscc,
    "rccc": random_rccc,
}


def random_carried(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"carried {seed}")
    scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
    kind = rng.choice([*MODELS])
    model = MODELS[kind](rng.randrange(10**6))
    scheme = scenario["scheme"] = {"transport": model["scheme"]["transport"]}
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    adapt(rng, scenario, scheme["transport"])
    voq = scenario["switches"]["queues"] == "voq" and "output_buffer" not in scenario["switches"]
    if kind in ("go-back-n", "irn") and rng.random() < 0.7:
        react(rng, scenario, packet, voq)
    elif voq and kind in ("nscc", "rccc"):
        scheme["mark"] = {"red": random_red(rng, packet, scenario["links"]["lanes"])}
    return scenario


def adapt(rng: random.Random, scenario: dict, transport: dict) -> None:
    """Settings that a transport makes itself are left out. A source without end has one destination."""
    adapters = scenario["adapters"]
    for key in ("window", "acks", "ack_lane"):
        adapters.pop(key, None)
    if "uet" in transport:
        transport["uet"].pop("control_lane", None)
    for entry in scenario["traffic"]:
        for key in ("window", "rate", "queue_pairs"):
            entry.pop(key, None)
        drawn = entry.get("pattern") == "uniform" or "hot-spot" in entry.get("pattern", ())
        if drawn and ("on-off" in entry["arrivals"] or entry["arrivals"] == "greedy"):
            entry["pattern"] = "permutation"


def react(rng: random.Random, scenario: dict, packet: int, voq: bool) -> None:
    """Reactions to losses, marks, delays or telemetry."""
    name = rng.choice(["dctcp", "swift", "timely", "power-tcp", "hpcc", "hpcc", "pcn", "pcn", "dcqcn"])
    scheme = scenario["scheme"]
    if voq:
        scheme["mark"] = {"red": random_red(rng, packet, scenario["links"]["lanes"])}
    if name == "dcqcn":
        scheme |= {"notify": {"cnp": {"size": "20 B"}}, "react": {name: random_rule(rng, packet)}}
    else:
        scheme["react"] = {name: random_hpcc(rng) if name == "hpcc" else DRAWS[name](rng, scenario)}
    rule = scheme["transport"].get("go-back-n", {})
    if rule.get("ack_every", 1) > 1:
        rule.setdefault("ack_flush", "3 us")


if __name__ == "__main__":
    print(json.dumps(random_carried(int(sys.argv[1])), indent=1))
