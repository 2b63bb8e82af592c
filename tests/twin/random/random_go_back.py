"""Random small scenarios over lossy links, with retransmissions by go-back-N.

Networks and switches are those of `random_trimming`, without trimming: queues of a few packets, so that several of a
window are lost at a time, and lost again. Sources make messages one after another, or never end.
`PYTHONPATH=. python tests/twin/random/random_go_back.py SEED` prints one.
"""

import json
import random
import sys

from random_trimming import random_trimming


def random_go_back(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"go-back-n {seed}")
    scenario = random_lossy(rng)
    rule = {"timeout": rng.choice(["20 us", "60 us", "100 us"]), "selective": rng.random() < 0.4}
    if rng.random() < 0.6:
        rule["window"] = rng.choice([1, 3, 4, 7, 12])
    if rng.random() < 0.6:
        rule["ack_every"] = rng.choice([1, 2, 3, 5])
        least = min(rule.get("window", 9), scenario["adapters"].get("window", 9))
        if rng.random() < 0.7 or least < rule["ack_every"]:
            rule["ack_flush"] = rng.choice(["500 ns", "3 us", "9.1 us"])
        if rule["ack_every"] == 1:
            rule.pop("ack_flush", None)
    scenario["scheme"]["transport"] = {"go-back-n": rule}
    return scenario


def random_lossy(rng: random.Random) -> dict:
    """Hosts that send more than switches hold, message by message, or without end for a while."""
    scenario = random_trimming(rng.randrange(10**6))
    scenario["switches"].pop("trim", None)
    scenario["traffic"] = scenario["traffic"][:2]
    if rng.random() < 0.3:
        scenario["adapters"]["ack_turnaround"] = rng.choice(["1 ps", "700 ns"])
    if rng.random() < 0.2:
        scenario["adapters"]["window"] = rng.choice([1, 3, 8])
    mtu = int(scenario["adapters"]["mtu"].split()[0])
    for entry in scenario["traffic"]:
        if rng.random() < 0.6:
            # Of a source without end packets are full, whatever its message.
            entry["message"] = f"{rng.choice([mtu, 3 * mtu])} B"
            entry["arrivals"] = rng.choice(
                [
                    "greedy",
                    {"messages": {"count": 3}},
                    {"messages": {"count": 4, "every": rng.choice(["2 us", "11 us"])}},
                    {"poisson": {"load": rng.choice([0.3, 0.9])}},
                ]
            )
            entry["stop"] = rng.choice(["30 us", "50 us"])
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_go_back(int(sys.argv[1])), indent=1))
