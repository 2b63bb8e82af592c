"""Random small scenarios whose switches have queues, memories and arbiters of every kind.

They are those of `random_scenarios` with another organisation of the switches.
"""

import json
import random
import sys

from random_scenarios import random_scenario


def random_queues(seed: int) -> dict:
    """The scenario of this seed."""
    scenario = random_scenario(seed)
    rng = random.Random(f"queues {seed}")
    switches, adapters = scenario["switches"], scenario["adapters"]
    slots = "packet-slots" in scenario["links"]["flow_control"]
    packet = sum(int(adapters[key].split()[0]) for key in ("mtu", "header")) + 100

    def room(packets: int) -> str:
        return f"{packets} packets" if slots else f"{packets * packet} B"

    scenario["links"].pop("lane_arbiter", None)
    switches.pop("lane_buffers", None)
    switches["arbiter"] = random_arbiter(rng)
    # Marks are compared with a buffer that exists already, and is shared.
    marks = scenario["scheme"].get("mark", scenario["scheme"]["preset"]) not in ("none", {"none": {}})
    kind = rng.choice(["voq", "voqnet", "voqnet", "dbbm", "obqa"])
    if marks and kind == "voqnet":
        kind = "dbbm"
    switches["read_ports"] = rng.choice(["one", "one", "all", 2])
    fecn = "fecn" in scenario["scheme"].get("mark", ())
    if kind == "voq" and rng.random() < 0.3 and not fecn:
        kind, switches["read_ports"] = "single", "one"
    if rng.random() < 0.4:
        switches["crossbar"] = rng.choice(["1 GB/s", "2 GB/s", "5 Gbit/s", "13.3 Gbit/s", "40 Gbit/s"])
        switches["output_packets"] = rng.choice([1, 2, 2, 3])
    count = rng.randint(1, 4)
    most = 8  # ports of a switch of these scenarios, and more
    if not marks:
        switches["buffer"] = room(rng.choice([4, 8, 16]))
    switches["queues"] = kind if kind in ("voq", "single") else {kind: {"queues": count}}
    if kind == "voqnet":
        del switches["buffer"]
        switches["queues"] = {kind: {"buffer": room(rng.choice([1, 2, 5]))}}
        for entry in scenario["traffic"]:
            drawn = entry.get("pattern") == "uniform" or "hot-spot" in entry.get("pattern", ())
            if drawn and (entry["arrivals"] == "greedy" or "on-off" in entry["arrivals"]):
                entry["arrivals"] = {"steady": {"load": 1.0}}
    elif kind != "single" and not marks:
        switches["memory"] = rng.choice(["shared", "reserved", "damq"])
        queues = most if kind == "voq" else count
        if switches["memory"] == "reserved":
            switches["buffer"] = room(queues * rng.choice([1, 2, 5]))
        if switches["memory"] == "damq":
            reserve = rng.choice([0, 1, 2])
            switches["buffer"] = room(queues * reserve + rng.choice([1, 2, 6]))
            limit = {"limit": room(reserve + rng.choice([1, 3]))} if rng.random() < 0.5 else {}
            switches["memory"] = {"damq": ({"reserve": room(reserve)} if reserve else {}) | limit}
    return scenario


def random_arbiter(rng: random.Random):
    """Round robin, or iSLIP of any kind."""
    if rng.random() < 0.4:
        return "round-robin"
    parameters = {"matching": rng.choice(["asynchronous", "slotted"])}
    if rng.random() < 0.7:
        parameters["iterations"] = rng.randint(1, 3)
    return {"islip": parameters}


if __name__ == "__main__":
    print(json.dumps(random_queues(int(sys.argv[1])), indent=1))
