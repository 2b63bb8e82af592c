"""Random small scenarios whose packets travel in the lanes of their destinations: those of other files, and of jobs.

`PYTHONPATH=. python tests/twin/random/random_towards.py SEED` prints one.
"""

import json
import random
import sys

from random_applications import loses_in_some_lanes, random_applications
from random_scenarios import random_scenario
from reference.network import topology
from reference.quantities import choice


def random_towards(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"towards {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_scenario, random_applications])(rng.randrange(10**6))
        links = scenario["links"]
        plain = (
            not loses_in_some_lanes(scenario)
            and not may_lose_of_a_job(scenario)
            and "hop_lanes" not in links
            and not {"route", "transport"} & {*scenario["scheme"]}
        )
        if links.get("lanes", 1) > 1 and plain:
            break
    hosts = topology.build(scenario).hosts
    lanes = rng.sample(range(links["lanes"]), rng.randint(1, links["lanes"]))
    some = {"lanes": lanes} if rng.random() < 0.6 else {}
    named = {host: rng.choice(lanes) for host in rng.sample(hosts, rng.randint(1, len(hosts)))}
    links["destination_lanes"] = rng.choice([{"by-switch": some}, {"modulo": some}, {"given": {"lanes": named}}])
    for entry in scenario["traffic"]:
        if rng.random() < 0.8:
            entry.pop("lane", None)
        entry.pop("queue_pairs", None)
        drawn = entry.get("pattern") == "uniform" or {"hot-spot", "moving", "groups"} & {*entry.get("pattern", ())}
        if drawn:
            # A source without end has one flow, and its lane would be undefined.
            arrivals = {"poisson": {"load": rng.choice([0.2, 0.6, 0.9])}}
            steady = isinstance(entry.get("arrivals"), dict) and "steady" in entry["arrivals"]
            entry["arrivals"] = entry["arrivals"] if steady else arrivals
    return scenario


def may_lose_of_a_job(scenario: dict) -> bool:
    """A threshold is given, which more lanes may make too high, and losses are counted: a job would wait for ever."""
    kind, pauses = choice(scenario["links"].get("flow_control", "byte-credits"))
    threshold = pauses.get("threshold", {}) if kind == "pfc" else {}
    return bool(threshold) and any("program" in entry for entry in scenario["traffic"])


if __name__ == "__main__":
    print(json.dumps(random_towards(int(sys.argv[1])), indent=1))
