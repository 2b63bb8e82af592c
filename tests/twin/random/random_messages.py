"""Random small scenarios whose credits come back in messages, over links with or without errors.

They are those of `random_scenarios` (with byte credits), with other links.
`PYTHONPATH=. python tests/twin/random/random_messages.py SEED` prints one.
"""

import json
import random
import sys

from random_checked import counts_acks
from random_scenarios import random_scenario
from reference.links.credit_messages import FREED


def random_messages(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"messages {seed}")
    number = seed
    scenario = random_scenario(number)
    while "byte-credits" not in scenario["links"]["flow_control"]:
        number += 100_003
        scenario = random_scenario(number)
    links, adapters = scenario["links"], scenario["adapters"]
    credits = links["flow_control"]["byte-credits"]
    credits.pop("credit_delay", None)
    spacing = rng.choice([0, 8, 64, 400, 3000])
    credits["messages"] = {"spacing": f"{spacing} B"}
    if rng.random() < 0.5:
        credits["messages"]["repeat"] = f"{max(spacing + rng.choice([0, 300, 5000]), FREED)} B"
    if rng.random() < 0.6:
        credits["messages"]["heal"] = rng.choice(["700 ns", "3.3 us", "20 us"])
    if rng.random() < 0.4 and credits.get("block") in ("64 B", "100 B"):
        # Buffers have a hundred bytes to spare for every packet.
        credits["overhead"] = rng.choice(["1 B", "20 B"])
    waits = adapters.get("window") or any("window" in entry for entry in scenario["traffic"]) or counts_acks(scenario)
    kind = rng.choice(["perfect", "perfect", "retry", "lossy"])
    if kind == "lossy" and waits:
        adapters.pop("window", None)
        scenario["scheme"] = {"preset": "none"}
        for entry in scenario["traffic"]:
            entry.pop("window", None)
    if kind == "retry":
        links["retry"] = {"spacing": f"{rng.choice([64, 2048])} B"}
        links["errors"] = {"packets": rng.choice([0.0, 0.02, 0.2]), "words": rng.choice([0.0, 0.2])}
    elif kind == "lossy":
        credits["messages"].setdefault("heal", "3.3 us")
        links["errors"] = {"packets": rng.choice([0.01, 0.2]), "words": rng.choice([0.0, 0.2, 0.5])}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_messages(int(sys.argv[1])), indent=1))
