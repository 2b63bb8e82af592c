"""Random small scenarios whose links fail: those of `random_checked`, `random_messages`, `random_pauses`,
`random_detours` and `random_scenarios`, and trees whose switches choose among paths, with failures of any kind and
routes that follow.

`PYTHONPATH=. python tests/twin/random/random_faults.py SEED` prints one.
"""

import json
import random
import sys

from random_checked import counts_acks, random_checked
from random_detours import random_detours
from random_messages import random_messages
from random_networks import credit_loop
from random_pauses import random_pauses
from random_scenarios import random_scenario
from reference.network import topology
from reference.quantities import rate, span

BASES = [random_scenario, random_pauses, random_checked, random_messages, random_detours]


def random_faults(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"faults {seed}")
    scenario = random_tree(rng) if rng.random() < 0.4 else rng.choice(BASES)(seed)
    graph = topology.build(scenario)
    duration = span(scenario["measure"]["duration"])
    failures = random_failures(rng, graph, duration)
    down = any("rate" not in failure and "keeps" not in failure for failure in failures)
    rules = {"failures": failures}
    if rng.random() < 0.5:
        rules["head_of_queue_lifetime"] = f"{rng.choice([0, 100, 2_000, duration // 10_000])} ns"
    if down and rng.random() < 0.7:
        rules["reroute"] = random_reroute(rng, scenario, graph, failures, duration)
    scenario["links"]["faults"] = rules
    if down:
        forget_windows(scenario)
    return scenario


def random_tree(rng: random.Random) -> dict:
    """A tree with several paths, whose switches mostly choose."""
    tree = rng.choice([{"fat-tree": {"radix": 4}}, {"k-ary-n-tree": {"k": 2, "n": 3}}, {"fat-tree": {"radix": 6}}])
    scenario = {
        "seed": rng.randrange(2**32),
        "topology": tree,
        "links": {"rate": "8 Gbit/s", "delay": rng.choice(["0 ns", "5 ns", "50 ns", "300 ns"])},
        "switches": {
            "buffer": rng.choice(["5 KiB", "8 KiB", "20 KiB"]),
            "forwarding_delay": rng.choice(["10 ns", "100 ns"]),
            "switching": rng.choice(["cut-through", "store-and-forward"]),
        },
        "scheme": {},
        "traffic": [
            {
                "from": "all",
                "pattern": rng.choice(["uniform", {"shift": {"by": rng.randint(1, 3)}}]),
                "message": rng.choice(["500 B", "2000 B", "5000 B"]),
                "arrivals": {"poisson": {"load": rng.choice([0.2, 0.5, 0.9])}},
            }
        ],
        "measure": {"duration": rng.choice(["20 us", "50 us"]), "probes": ["deliveries", "ports"], "audit": True},
    }
    if rng.random() < 0.8:
        scenario["scheme"]["route"] = rng.choice(["spray", "least-queue"])
    return scenario


def random_failures(rng: random.Random, graph, duration: int) -> list[dict]:
    """Links that go down or become slow, none of them twice at a time."""
    inner = any(link.a[0] == link.b[0] == "switch" for link in graph.links)
    if inner and rng.random() < 0.25:
        some = random_failure(rng, duration, 0) | {"share": rng.choice([0.1, 0.3]), "seed": rng.randrange(100)}
        return [some, {"share": 0.0, "at": "0 s"}]
    pairs = sorted({tuple(sorted((graph.name(link.a), graph.name(link.b)))) for link in graph.links})
    failures = []
    for pair in rng.sample(pairs, min(len(pairs), rng.choice([1, 1, 2, 3]))):
        begin = 0
        for _ in range(rng.choice([1, 1, 2])):
            failure = random_failure(rng, duration, begin)
            failures.append(failure | random_link(rng, graph, pair))
            begin = span(failure["until"]) if "until" in failure else duration
            if begin >= duration * 9 // 10:
                break
    for failure in failures:
        if "rate" in failure:
            ends = [link for link in graph.links if {graph.name(link.a), graph.name(link.b)} == set(failure["link"])]
            slowest = min(min(link.rate_ab, link.rate_ba) for link in ends)
            failure["rate"] = f"{min(slowest, rate(failure['rate']))} bit/s"
    rng.shuffle(failures)
    return failures


def random_link(rng: random.Random, graph, pair: tuple[str, str]) -> dict:
    """The link between two nodes; if there are several, all or one."""
    several = sum({graph.name(link.a), graph.name(link.b)} == set(pair) for link in graph.links)
    if several == 1 or rng.random() < 0.4:
        return {"link": list(pair)}
    return {"link": rng.sample(pair, 2), "number": rng.randint(1, several)}


def random_failure(rng: random.Random, duration: int, begin: int) -> dict:
    """Times, in steps at which other things happen, too; and what happens."""
    step = rng.choice([1, 1_000, 100_000])
    at = rng.randrange(begin, (begin + duration) // 2 + 1) // step * step
    failure = {"at": f"{max(begin, at)} ps"}
    if rng.random() < 0.75:
        until = rng.randrange(max(begin, at) + 1, duration)
        failure["until"] = f"{max(until // step * step, max(begin, at) + 1)} ps"
    kind = rng.random()
    if kind < 0.15:
        failure["rate"] = rng.choice(["1 Gbit/s", "3.7 Gbit/s"])
    elif kind < 0.3:
        failure["keeps"] = rng.choice([0.25, 0.9, 0.1])
    return failure


def random_reroute(rng: random.Random, scenario: dict, graph, failures: list[dict], duration: int):
    """How routes follow, if they can."""
    chooses = scenario.get("scheme", {}).get("route") in ("spray", "least-queue")
    if chooses and rng.random() < 0.5:
        return "local"
    if "ugal" in str(scenario.get("scheme")) or "valiant" in str(scenario.get("scheme")):
        return "none"
    first = min(span(failure["at"]) for failure in failures if "rate" not in failure and "keeps" not in failure)
    delay = rng.choice([0, 1_000, 777_000, 5_000_000])
    if first + delay >= duration:
        return "none"
    scenario["allow_credit_loops"] = True
    if not graph.tree and credit_loop(graph, topology.shortest_paths(graph)):
        return "none"
    return {"subnet-manager": {"delay": f"{delay} ps"}}


def forget_windows(scenario: dict) -> None:
    """Nothing may wait for lost packets."""
    scenario["adapters"] = {key: value for key, value in scenario.get("adapters", {}).items() if key != "window"}
    for entry in scenario["traffic"]:
        entry.pop("window", None)
    if counts_acks({"scheme": scenario.get("scheme", {})}):
        scenario["scheme"] = {}


if __name__ == "__main__":
    print(json.dumps(random_faults(int(sys.argv[1])), indent=1))
