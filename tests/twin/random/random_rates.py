"""Random small scenarios of sources that pace in bit/s, DCQCN and HPCC, on networks that differ from what they assume.

Links are slow for a time, also when flows with windows begin or are renewed; or the packets of a flow take one path
after the other, so that two consecutive ACKs report different outputs.

`PYTHONPATH=. python tests/twin/random/random_rates.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_dcqcn
from random_faults import random_failures, random_tree
from random_telemetry import random_hpcc, random_telemetry
from reference.network import topology
from reference.quantities import span


def random_rates(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"rates {seed}")
    return random_ways(rng) if rng.random() < 0.4 else random_slow(rng)


def random_slow(rng: random.Random) -> dict:
    """DCQCN or HPCC, and links that carry less for a time."""
    while True:
        scenario = rng.choice([random_dcqcn, random_telemetry])(rng.randrange(10**6))
        if may_fail(scenario["switches"]):
            break
    graph = topology.build(scenario)
    failures = random_failures(rng, graph, span(scenario["measure"]["duration"]))
    for failure in failures:
        if "rate" not in failure:
            failure["keeps"] = rng.choice([0.25, 0.9, 0.1, 0.5])
    scenario["links"]["faults"] = {"failures": failures}
    if rng.random() < 0.5:
        begin_often(rng, scenario)
    return scenario


def begin_often(rng: random.Random, scenario: dict) -> None:
    """Flows begin all the time, with windows for their own round trips."""
    messages = "pfc" not in scenario["links"]["flow_control"]
    if messages:
        scenario["adapters"].pop("queue_depth", None)
    for entry in scenario["traffic"]:
        for key in ("sizes", "jitter", "queue_pairs"):
            entry.pop(key, None)
        if messages and rng.random() < 0.7:
            entry |= {"flows": "by-message", "arrivals": {"messages": {"count": 9, "every": "3 us"}}}
            entry["message"] = f"{rng.choice([1, 3, 9]) * int(scenario['adapters']['mtu'].split()[0])} B"
        else:
            entry["arrivals"] = {"on-off": {"on": "5 us", "off": rng.choice(["1 us", "5 us"])}}
    for rule in scenario["scheme"]["react"].values():
        if "pint" not in rule:
            rule.pop("round_trip", None)


def may_fail(switches: dict) -> bool:
    """These switches support ports that fail: their queues share the memory of an input, and only outputs arbitrate."""
    plain = switches.get("queues") in ("voq", "single") and switches.get("memory", "shared") == "shared"
    return plain and "crossbar" not in switches and "islip" not in str(switches.get("arbiter"))


def random_ways(rng: random.Random) -> dict:
    """HPCC in a tree whose switches mostly choose among several paths."""
    scenario = random_tree(rng)
    for entry in scenario["traffic"]:
        entry["pattern"] = {"shift": {"by": rng.randint(1, 7)}}
        if rng.random() < 0.5:
            del entry["arrivals"]
    scenario["scheme"]["react"] = {"hpcc": random_hpcc(rng)}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_rates(int(sys.argv[1])), indent=1))
