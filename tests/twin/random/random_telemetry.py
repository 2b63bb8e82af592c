"""Random small scenarios with telemetry: those of other files, with HPCC as the reaction and an ACK for every packet.

What a switch writes shows in the times of later packets, to the picosecond, since rates and windows follow from it.
`PYTHONPATH=. python tests/twin/random/random_telemetry.py SEED` prints one.
"""

import json
import random
import sys

from random_pauses import random_pauses
from random_queues import random_queues
from random_scenarios import random_scenario


def random_telemetry(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"telemetry {seed}")
    while True:
        scenario = rng.choice([random_scenario, random_scenario, random_pauses, random_queues])(rng.randrange(2**32))
        if goes(scenario):
            break
    hpcc = random_hpcc(rng)
    if "pint" not in hpcc and random.Random(f"own path {seed}").random() < 0.3:
        del hpcc["round_trip"]
    scenario["scheme"] = {"persistent": rng.random() < 0.3, "react": {"hpcc": hpcc}}
    scenario["adapters"].pop("window", None)
    for entry in scenario["traffic"]:
        entry.pop("window", None)
    return scenario


def goes(scenario: dict) -> bool:
    """Every flow has one destination, and no packet is ever lost."""
    drawn = any(
        entry.get("pattern") == "uniform" or {"hot-spot", "moving"} & set(entry.get("pattern", ()))
        for entry in scenario["traffic"]
    )
    pfc = scenario["links"]["flow_control"].get("pfc")
    return not drawn and (pfc is None or ("lossless" not in pfc and pfc.get("watchdog", {}).get("action") != "drop"))


def random_hpcc(rng: random.Random) -> dict:
    """Any parameters; round trips from a few packets to many."""
    hpcc = {"round_trip": rng.choice(["2 us", "5 us", "9.7 us", "30 us"])}
    options = {
        "u_target": [0.5, 0.95, 0.99],
        "mi_thresh": [0, 1, 3],
        "rate_ai": ["1 Mbit/s", "50 Mbit/s", "777 Mbit/s"],
        "min_rate": ["10 Mbit/s", "333 Mbit/s"],
        "fast_react": [False],
        "var_win": [False],
        "rate_bound": [False],
    }
    hpcc |= {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}
    if rng.random() < 0.3:
        pint = {"log_base": [1.05, 1.03, 1.3], "pint_prob": [0.5, 0.3]}
        hpcc["pint"] = {name: rng.choice(values) for name, values in pint.items() if rng.random() < 0.5}
    else:
        hpcc |= {name: True for name in ("multi_rate", "sample_feedback") if rng.random() < 0.3}
    return hpcc


if __name__ == "__main__":
    print(json.dumps(random_telemetry(int(sys.argv[1])), indent=1))
