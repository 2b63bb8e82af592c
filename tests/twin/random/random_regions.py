"""Random small scenarios with regions of congestion (RCM): outputs tell each other, and hold harmful flows to windows.

Several hosts send to one or two; queues of a packet or two are congestion, outputs sample them often, and windows are
as long as a few packets, so that regions come and go, and windows are full, over, and ended.
`PYTHONPATH=. python tests/twin/random/random_regions.py SEED` prints one.
"""

import json
import random
import sys

from random_isolation import crowd
from random_pauses import buffer_outputs, random_pauses
from random_scenarios import random_scenario
from reference.network import topology

TREES = {"k-ary-n-tree", "fat-tree"}  # which have several paths


def random_regions(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"regions {seed}")
    wants_ways = rng.random() < 0.3
    while True:
        scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
        several_ways = not TREES.isdisjoint(scenario["topology"]) and "routing" not in scenario
        hosts = topology.build(scenario).hosts
        if len(hosts) > 2 and several_ways >= wants_ways:
            break
    packet = adapt(rng, scenario)
    scenario["traffic"] = scenario["traffic"][: rng.choice([0, 1, 2, 3])]
    crowd(rng, scenario, hosts)
    for entry in scenario["traffic"]:
        if rng.random() < 0.3:
            entry["lane"] = rng.randrange(scenario["links"]["lanes"])
    rule = random_rule(rng, scenario, packet)
    scenario["scheme"]["schedule"] = {"rcm": rule} if seed % 20 else "none"
    if several_ways and wants_ways:
        scenario["scheme"]["route"] = rng.choice(["ecmp", "ecmp", "spray", "least-queue"])
        rule |= {"reroute": rng.random() < 0.7, "reroute_above": f"{rng.choice([0, packet, 3 * packet])} B"}
    return scenario


def adapt(rng: random.Random, scenario: dict) -> int:
    """Switches in which flows can be held. The bytes of a packet."""
    switches, adapters, links = scenario["switches"], scenario["adapters"], scenario["links"]
    for key in ("crossbar", "output_packets"):
        switches.pop(key, None)
    links.pop("hop_lanes", None)
    switches |= {"queues": "voq", "memory": "shared", "arbiter": "round-robin"}
    packet = int(adapters["mtu"].split()[0]) + int(adapters["header"].split()[0])
    pauses = "pfc" in links["flow_control"]
    if not pauses and rng.random() < 0.8:
        packets = rng.choice([4, 6, 9, 14, 20])
        slots = "packet-slots" in links["flow_control"]
        switches["buffer"] = f"{packets} packets" if slots else f"{packets * (packet + 100)} B"
        switches.pop("lane_buffers", None)
    by_packets = {"naive", "input-triggered", "input-output-triggered", "output-triggered"}
    marks = {scenario["scheme"]["preset"], *scenario["scheme"].get("mark", {})}
    if pauses and "shared_memory" not in switches and not marks & by_packets and rng.random() < 0.5:
        buffer_outputs(rng, scenario, packet)
    if rng.random() < 0.7:
        adapters.pop("window", None)
        adapters.pop("injection_rate", None)
    if "fecn" in scenario["scheme"].get("mark", {}) or scenario["scheme"]["preset"] == "ib-cc":
        scenario["scheme"] = {"preset": "none"}
    return packet


def random_rule(rng: random.Random, scenario: dict, packet: int) -> dict:
    """RCM, with any of its variants."""
    rule = {
        "equilibrium": f"{rng.choice([1, packet // 2, packet, 2 * packet, 4 * packet])} B",
        "growth_weight": rng.choice([2.0, 0.5, 0.0]),
        "sample_every": rng.choice([1, 1, 2, 3, 10]),
        "calm_samples": rng.choice([1, 2, 3]),
        "flows": rng.choice([1, 2, 3, 16]),
        "flow_sample_every": rng.choice([1, 2, 3, 10]),
        "least_window": rng.choice(["500 ns", "2 us", "3.3 us", "10 us"]),
        "notice": rng.choice(["64 B", "64 B", "1 B", "500 B"]),
    }
    choices = {
        "remote_weight": [0.25, 0.5, 1.0, 0.0],
        "root_control": [True],
        "sampled_queues": ["both-queues", "output-queues"],
        "flow_sampling": ["in-turn", "by-chance"],
        "flow_entries": ["one-a-flow", "one-a-sample"],
        "pacing": ["by-windows", "behind-others", "both"],
        "windows_measured": ["from-onset", "always"],
    }
    return rule | {key: rng.choice(values) for key, values in choices.items() if rng.random() < 0.6}


if __name__ == "__main__":
    print(json.dumps(random_regions(int(sys.argv[1])), indent=1))
