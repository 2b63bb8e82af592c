"""Random small scenarios of Ultra Ethernet whose receivers grant credit (RCCC), over links that trim, drop and mark.

Networks, switches and traffic are those of `random_nscc`; senders keep a window besides, or do not.
`PYTHONPATH=. python tests/twin/random/random_rccc.py SEED` prints one.
"""

import json
import random
import sys

from random_nscc import random_nscc
from random_reactions import some


def random_rccc(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"rccc {seed}")
    scenario = random_nscc(rng.randrange(10**6))
    uet = scenario["scheme"]["transport"]["uet"]
    uet |= {"congestion_control": rng.choice(["rccc", "rccc", "both"]), "rccc": random_credit(rng)}
    if uet["congestion_control"] == "rccc":
        uet.pop("nscc")
        if rng.random() < 0.5:
            options = {"ratio": [2.0, 8.0], "gain": [0.9], "calm": [0.1], "step": [0.05, 0.2], "period": [0.5, 3.0]}
            uet["rccc"]["oversubscribed"] = some(rng, options)
    return scenario


def random_credit(rng: random.Random) -> dict:
    """A few parameters."""
    return some(rng, {"grant": ["256 B", "2 KiB", "5 kB"], "share": [0.5, 0.9], "empty_turn": [1, 9]})


if __name__ == "__main__":
    print(json.dumps(random_rccc(int(sys.argv[1])), indent=1))
