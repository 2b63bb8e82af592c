"""Random scenarios with combinations that other files do not draw: queues of any kind and matchings where links pause,
and lanes with weights, priorities or quanta over queues of any kind."""

import random

from random_pauses import random_pauses, schedule_lanes
from random_queues import random_arbiter, random_queues
from random_scenarios import random_weights


def random_mixed(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"mixed {seed}")
    return paused_queues(rng) if rng.random() < 0.6 else shared_links(rng)


def paused_queues(rng: random.Random) -> dict:
    """Links pause, and switches have queues of any kind that share the memory of their input."""
    while True:
        scenario = random_pauses(rng.randrange(2**32))
        if "output_buffer" not in scenario["switches"]:
            break
    switches, links = scenario["switches"], scenario["links"]
    pfc = links["flow_control"]["pfc"]
    kind = rng.choice(["voq", "dbbm", "obqa"])
    switches["queues"] = kind if kind == "voq" else {kind: {"queues": rng.randint(1, 4)}}
    switches["arbiter"] = random_arbiter(rng)
    if kind == "voq" and switches["arbiter"] == "round-robin":
        switches["arbiter"] = "islip"
    switches["read_ports"] = rng.choice(["one", "one", "all", 2])
    if switches["arbiter"] != "round-robin":
        links.pop("lane_arbiter", None)
    if kind != "voq":
        pfc.pop("counts", None)
    return scenario


def shared_links(rng: random.Random) -> dict:
    """Queues of any kind, whose outputs share their links by weight, by priority or by bytes."""
    while True:
        scenario = random_queues(rng.randrange(2**32))
        if scenario["links"]["lanes"] > 1 and scenario["switches"]["arbiter"] == "round-robin":
            break
    if "crossbar" in scenario["switches"] or rng.random() < 0.5:
        scenario["links"]["lane_arbiter"] = {"weighted": random_weights(rng, scenario["links"]["lanes"])}
    else:
        adapters = scenario["adapters"]
        packet = int(adapters["mtu"].split()[0]) + int(adapters["header"].split()[0])
        schedule_lanes(rng, scenario, max(packet, int(adapters["ack"].split()[0]), 64))
    return scenario
