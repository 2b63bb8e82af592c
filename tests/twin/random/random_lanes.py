"""Random scenarios whose packets change lanes at switches: by the lane in which they arrived, by service level, or with
every hop from switch to switch.
"""

import random

from random_pauses import random_pauses
from random_scenarios import random_scenario
from reference.network import topology


def random_lanes(seed: int) -> dict:
    """The scenario of this seed; valid, and free of credit loops as all of these are without regard to lanes."""
    rng = random.Random(seed)
    while True:
        scenario = rng.choice([random_scenario, random_scenario, random_pauses])(rng.randrange(2**32))
        links = scenario["links"]
        plain = scenario.get("switches", {}).get("queues", "voq") in ("voq", "single")
        by_queue = isinstance(links.get("flow_control"), dict) and links["flow_control"].get("pfc", {}).get("counts")
        graph = topology.build(scenario)
        long = not by_hop(seed) or leads_through_switches(graph)
        if links.get("lanes", 1) > 1 and plain and by_queue != "queue" and long:
            break
    lanes = links["lanes"]
    hops = [random_hop(rng, graph, lanes) for _ in range(rng.choice([1, 2, 4, 8]))]
    links["hop_lanes"] = "by-hop" if by_hop(seed) else {rng.choice(["by-lane", "by-service"]): {"hops": hops}}
    arbiter = links.get("lane_arbiter")
    if isinstance(arbiter, dict):
        # Every lane is used now, so every lane needs a share.
        del links["lane_arbiter"]
        if "weighted" in arbiter:
            links["lane_arbiter"] = {
                "weighted": {"low": [{"lane": k, "weight": rng.choice([1, 32, 64])} for k in range(lanes)]}
            }
    for entry in scenario["traffic"]:
        if rng.random() < 0.6:
            entry["service"] = rng.randrange(4)
    return scenario


def by_hop(seed: int) -> bool:
    """In the scenario of this seed every hop from switch to switch leads to the next lane."""
    return seed % 2 > 0


def leads_through_switches(graph) -> bool:
    """Some switch lies between two others, so that packets can change lanes by hop."""
    neighbours = [
        [other for (kind, other), _ in graph.ports(("switch", s)) if kind == "switch"]
        for s in range(len(graph.switches))
    ]
    return any(len(set(found)) > 1 for found in neighbours)


def random_hop(rng: random.Random, graph, lanes: int) -> dict:
    """Paths through one switch or all, and their lanes."""
    switch = rng.randrange(len(graph.switches))
    own = graph.numbered(("switch", switch))
    hop = {"lanes": [rng.randrange(lanes) for _ in range(rng.randint(1, 4))]}
    if rng.random() < 0.7:
        hop["switch"] = graph.switches[switch]
    for key in ("from", "to"):
        if rng.random() < 0.5:
            number, neighbour, _ = rng.choice(own)
            hop[key] = number if rng.random() < 0.3 else graph.name(neighbour)
    return hop
