"""Random small scenarios of Ultra Ethernet whose senders keep a window (NSCC), over links that trim, drop and mark.

Networks, switches and traffic are those of `random_trimming`; switches mark by RED besides, and all parameters are such
that much happens in a few round trips. `PYTHONPATH=. python tests/twin/random/random_nscc.py SEED` prints one.
"""

import json
import random
import sys

from random_dcqcn import random_red
from random_reactions import some
from random_trimming import random_trimming


def random_nscc(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"nscc {seed}")
    scenario = random_trimming(rng.randrange(10**6))
    adapters, uet = scenario["adapters"], scenario["scheme"]["transport"]["uet"]
    packet = sum(int(adapters[key].split()[0]) for key in ("mtu", "header"))
    scenario["scheme"]["mark"] = {"red": random_red(rng, packet, scenario["links"]["lanes"])}
    uet |= {"congestion_control": "nscc", "nscc": random_window(rng)}
    uet |= some(rng, {"round_trip": ["2 us", "5.3 us", "9 us"], "most_window": [1.0, 3.0, 8.0]})
    for entry in scenario["traffic"]:
        mtu = int(adapters["mtu"].split()[0])
        entry["message"] = f"{rng.choice([8 * mtu, 13 * mtu + 5, 20 * mtu])} B"
        entry["arrivals"] = {"messages": {"count": rng.choice([1, 2])}}
    endless(random.Random(f"endless {seed}"), scenario)
    return scenario


def endless(rng: random.Random, scenario: dict) -> None:
    """Some sources always have a packet until they stop, and some receivers pass packets on in order."""
    if rng.random() < 0.3:
        scenario["scheme"]["transport"]["uet"]["delivery"] = "ordered"
    for entry in scenario["traffic"]:
        if rng.random() < 0.3:
            entry |= {"arrivals": "greedy", "stop": rng.choice(["13 us", "31 us", "60 us"])}


def random_window(rng: random.Random) -> dict:
    """A few parameters."""
    window = some(
        rng,
        {
            "target": ["500 ns", "2 us", "6 us"],
            "target_share": [0.3, 1.0],
            "proportional": [1.0, 20.0],
            "fair": [1.0, 30.0],
            "eta": [0.0, 1.0],
            "fast": [1.0, 4.0],
            "empty": ["100 ns", "3 us"],
            "decrease": [0.3, 1.0],
            "most_decrease": [0.2, 0.9],
            "delay_gain": [0.5, 0.2],
            "adjust_after": [1, 2],
            "quick_gate": [0, 1],
            "quick_delay": [1.0, 2.0],
            "initial_window": [1, 2, 5],
        },
    )
    if "target" in window:
        window.pop("target_share", None)
    return window


if __name__ == "__main__":
    print(json.dumps(random_nscc(int(sys.argv[1])), indent=1))
