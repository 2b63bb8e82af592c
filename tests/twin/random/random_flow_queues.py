"""Random small scenarios whose flows have queues of their own at outputs (BFC), over credits and over pauses.

Queues and flow ids are few and round trips short, so that flows share queues, are stopped, and come back to theirs.
`PYTHONPATH=. python tests/twin/random/random_flow_queues.py SEED` prints one.
"""

import json
import random
import sys

from random_pauses import random_pauses
from random_scenarios import random_scenario


def random_flow_queues(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"flow queues {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
        flow_control = scenario["links"]["flow_control"]
        pfc = flow_control.get("pfc", {}) if isinstance(flow_control, dict) else {}
        if 0 in pfc.get("lossless", [0]) and not any(shares_itself(entry) for entry in scenario["traffic"]):
            break
    switches = scenario["switches"]
    for key in ("crossbar", "output_packets", "output_buffer", "memory"):
        switches.pop(key, None)
    switches |= {"queues": "voq", "read_ports": "all", "arbiter": "round-robin"}
    pfc.pop("counts", None)
    queues = rng.choice([1, 2, 2, 3, 5, 32, 70])
    bfc = {"queues": queues}
    if rng.random() < 0.4:
        bfc["flow_ids"] = max(queues, rng.choice([1, 2, 7, 1000]))
    if rng.random() < 0.6:
        bfc["hop_round_trip"] = rng.choice(["1 ps", "500 ns", "2 us", "3 us", "10 us"])
    if rng.random() < 0.4:
        bfc["sticky"] = rng.choice(["10 us", "20 us"])
    if rng.random() < 0.4:
        bfc["first_ahead"] = False
    if rng.random() < 0.5:
        bfc["notices"] = {"out-of-band": {"delay": rng.choice(["0 ns", "20 ns", "1 us"])}}
    elif rng.random() < 0.5:
        bfc["notices"] = {"in-band": {"size": rng.choice(["1 B", "84 B", "1000 B"])}}
    scenario["scheme"] = {"preset": "bfc", "isolate": {"bfc": bfc}}
    return scenario


def shares_itself(entry: dict) -> bool:
    """A source without end would have many flows, one for each destination."""
    endless = entry.get("arrivals", "greedy") == "greedy" or "on-off" in entry["arrivals"]
    return endless and "to" not in entry and entry["pattern"] != "permutation" and "shift" not in entry["pattern"]


if __name__ == "__main__":
    print(json.dumps(random_flow_queues(int(sys.argv[1])), indent=1))
