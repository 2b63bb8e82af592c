"""Random small scenarios over lossy links, with retransmissions by TCP NewReno.

Networks, switches and traffic are those of `random_go_back`, without a window of adapters.
`PYTHONPATH=. python tests/twin/random/random_reno.py SEED` prints one.
"""

import json
import random
import sys

from random_go_back import random_lossy


def random_reno(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"new-reno {seed}")
    scenario = random_lossy(rng)
    scenario["adapters"].pop("window", None)
    options = {
        "initial_window": [2, 4, 10],
        "largest_window": [12, 20],
        "slow_start": [False],
        "keep_window": [True],
        "duplicates": [1, 2],
        "ack_every": [2, 3],
        "ack_flush": ["3 us", "9.1 us"],
    }
    reno = {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}
    reno["least_timeout"] = rng.choice(["12 us", "15 us", "30 us"])
    reno.setdefault("ack_flush", "3 us")
    scenario["scheme"]["transport"] = {"new-reno": reno}
    # The first timeout is a second: messages of before measure the round trip.
    for entry in scenario["traffic"]:
        if entry["arrivals"] == {"messages": {"count": 1}}:
            entry["arrivals"] = {"messages": {"count": rng.choice([3, 6]), "every": rng.choice(["7 us", "40 us"])}}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_reno(int(sys.argv[1])), indent=1))
