"""Random small scenarios of sources that keep a window or a rate: DCTCP, TIMELY, Swift, PowerTCP and PCN.

Switches mark by RED, at a step or at random, and all parameters are such that much happens in a few round trips.
`PYTHONPATH=. python tests/twin/random/random_reactions.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_dcqcn


def random_reactions(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"reactions {seed}")
    scenario = random_dcqcn(rng.randrange(10**6))
    name, draw = rng.choice([*DRAWS.items()])
    rule = draw(rng, scenario)
    scenario["scheme"] |= {"notify": "ack", "react": {name: rule}}
    if random.Random(f"own path {seed}").random() < 0.3:
        rule.pop("round_trip", None)
    scenario["adapters"].pop("window", None)
    for entry in scenario["traffic"]:
        entry.pop("window", None)
    return scenario


def some(rng: random.Random, options: dict) -> dict:
    """A few of these, each with one of its values."""
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.5}


def random_dctcp(rng: random.Random, scenario: dict) -> dict:
    """Windows of a few packets."""
    return some(
        rng,
        {
            "gain": [0.5, 0.25],
            "initial_alpha": [0.0, 0.3],
            "initial_window": [1, 3, 20],
            "least_window": [1, 3],
            "largest_window": [5, 12],
            "slow_start": [False],
        },
    )


def random_timely(rng: random.Random, scenario: dict) -> dict:
    """Times of a few packets, so that every branch is taken."""
    timely = some(
        rng,
        {
            "ewma": [0.5, 0.3],
            "decrease": [0.5, 1.0],
            "additive": ["100 Mbit/s", "777 Mbit/s"],
            "least_round_trip": ["2 us", "9.1 us"],
            "hyper_times": [2, 8],
            "hyper_after": [0, 1, 2],
            "segment": ["1 B", "3000 B", "8 KiB"],
            "min_rate": ["10 Mbit/s", "500 Mbit/s"],
            "model": ["paper", "hpcc"],
        },
    )
    if timely.get("model") == "hpcc":
        timely.pop("segment", None)
    timely |= {"low": rng.choice(["1 us", "4 us", "8 us"]), "high": rng.choice(["9 us", "17 us", "40 us"])}
    if rng.random() < 0.4:
        timely |= {"window": rng.choice(["bdp", "bdp-at-rate"]), "round_trip": rng.choice(["3 us", "11.3 us"])}
    return timely


def random_swift(rng: random.Random, scenario: dict) -> dict:
    """Targets of a few packet times, and windows below a packet now and then."""
    swift = some(
        rng,
        {
            "hop_scale": ["0 s", "700 ns"],
            "fs_range": ["0 s", "5 us", "30 us"],
            "fs_min": [0.5, 0.1],
            "fs_max": [4.0, 50.0],
            "ai": [0.5, 3.0],
            "beta": [0.4, 1.0],
            "max_mdf": [0.2, 0.9],
            "min_window": [0.05, 0.5],
            "max_window": [9.5, 30.0],
        },
    )
    return swift | {"base_target": rng.choice(["2 us", "5 us", "12 us"]), "initial_window": rng.choice([1.0, 2.5, 8.0])}


def random_power_tcp(rng: random.Random, scenario: dict) -> dict:
    """With telemetry or without."""
    power = some(
        rng,
        {
            "gain": [0.7, 0.3, 1.0],
            "additive": ["10 Mbit/s", "900 Mbit/s"],
            "target": [0.5, 1.0],
            "slack": [1.0, 1.5],
            "min_rate": ["10 Mbit/s", "333 Mbit/s"],
        },
    )
    power |= {"signal": "delay"} if rng.random() < 0.5 else some(rng, {"gradient": [True]})
    power.pop("target" if "signal" in power else "slack", None)
    return power | {"round_trip": rng.choice(["2 us", "5 us", "9.7 us", "30 us"])}


def random_pcn(rng: random.Random, scenario: dict) -> dict:
    """Periods of a few packets."""
    pcn = some(
        rng,
        {
            "share": [0.0, 0.3, 0.5],
            "least_weight": [0.25, 0.01],
            "most_weight": [0.9, 0.5],
            "min_rate": ["100 Mbit/s", "1 Gbit/s"],
        },
    )
    return pcn | {"period": rng.choice(["1 us", "4 us", "13.7 us"])}


DRAWS = {
    "dctcp": random_dctcp,
    "timely": random_timely,
    "swift": random_swift,
    "power-tcp": random_power_tcp,
    "pcn": random_pcn,
}


if __name__ == "__main__":
    print(json.dumps(random_reactions(int(sys.argv[1])), indent=1))
