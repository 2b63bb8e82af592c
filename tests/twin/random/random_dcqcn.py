"""Random small scenarios of RoCE: queues that mark at random or by a step (RED), notifications, and DCQCN.

Periods are a few packet times, so that cuts, recovery and increase all come about in short runs.
`PYTHONPATH=. python tests/twin/random/random_dcqcn.py SEED` prints one.
"""

import json
import random
import sys

from random_pauses import random_pauses
from random_scenarios import random_scenario
from random_telemetry import goes


def random_dcqcn(seed: int) -> dict:
    """The scenario of this seed: one whose switches have a queue for each output and no buffer behind."""
    rng = random.Random(f"dcqcn {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_pauses])(rng.randrange(10**6))
        switches = scenario["switches"]
        if goes(scenario) and switches["queues"] == "voq" and "output_buffer" not in switches:
            break
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    scenario["scheme"] = {
        "persistent": rng.random() < 0.3,
        "mark": {"red": random_red(rng, packet, scenario["links"]["lanes"])},
        "notify": random_notify(rng, packet, scenario["links"]["lanes"]),
        "react": {"dcqcn": random_rule(rng, packet)},
    }
    bound(random.Random(f"window {seed}"), scenario)
    return scenario


def bound(rng: random.Random, scenario: dict) -> None:
    """The unacknowledged data is limited, too; a limit that follows the rate needs ACKs."""
    if rng.random() < 0.4:
        rule, acks = scenario["scheme"]["react"]["dcqcn"], scenario["scheme"]["notify"] == "ack"
        rule["window"] = rng.choice(["bdp", "bdp-at-rate"] if acks else ["bdp"])
        for section in (scenario["adapters"], *scenario["traffic"]):
            section.pop("window", None)
        if rng.random() < 0.5:
            rule["round_trip"] = rng.choice(["3 us", "11.3 us", "40 us"])


def thresholds(rng: random.Random, packet: int) -> dict:
    """A few packets; often a step."""
    low = rng.choice([0, 1, packet - 1, packet, 2 * packet])
    high = low + rng.choice([0, 0, 1, packet, 3 * packet])
    return {"min": f"{low} B", "max": f"{high} B", "probability": rng.choice([0.1, 0.5, 1.0])}


def random_red(rng: random.Random, packet: int, lanes: int) -> dict:
    """Thresholds, of all lanes or of some, at all rates or in proportion."""
    red = thresholds(rng, packet)
    if rng.random() < 0.3:
        red["for_rate"] = rng.choice(["8 Gbit/s", "7 Gbit/s", "13.3 Gbit/s"])
    if rng.random() < 0.2:
        red["spare_last_hop"] = True
    if rng.random() < 0.3:
        red["lane_thresholds"] = [thresholds(rng, packet) for _ in range(rng.randint(1, lanes))]
    return red


def random_notify(rng: random.Random, packet: int, lanes: int):
    """ACKs, or notifications now and then."""
    if rng.random() < 0.25:
        return "ack"
    cnp = {"size": f"{min(rng.choice([64, 20, 1]), packet)} B"}
    if rng.random() < 0.7:
        cnp["interval"] = rng.choice(["1 us", "2.068 us", "4 us", "50 us"])
    if rng.random() < 0.3:
        cnp["delay"] = rng.choice(["1 ps", "300 ns", "2.5 us"])
    if rng.random() < 0.3:
        cnp["lane"] = rng.randrange(lanes)
    return {"cnp": cnp}


def random_rule(rng: random.Random, packet: int) -> dict:
    """Any parameters but those of a window."""
    options = {
        "gain": [0.5, 0.0625, 0.3],
        "initial_alpha": [0.5, 0.9],
        "alpha_period": ["1 us", "4 us", "20 us"],
        "alpha_grows": ["periodically"],
        "cut_period": ["0 ns", "4 us", "11 us"],
        "least_share": [0.9, 0.1],
        "clamp_target": ["after-increase"],
        "first_rate": ["1 Gbit/s", "333 Mbit/s"],
        "increase_timer": ["2.068 us", "5 us", "11 us"],
        "byte_counter": ["0 B", f"{packet} B", f"{5 * packet + 1} B"],
        "stages": [0, 1, 2],
        "additive": ["100 Mbit/s", "1 Gbit/s"],
        "hyper": ["777 Mbit/s", "2 Gbit/s"],
        "for_rate": ["8 Gbit/s", "25 Gbit/s"],
        "min_rate": ["10 Mbit/s", "500 Mbit/s"],
        "max_rate": ["2 Gbit/s", "7.7 Gbit/s"],
    }
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.5}


if __name__ == "__main__":
    print(json.dumps(random_dcqcn(int(sys.argv[1])), indent=1))
