"""Random small scenarios whose links damage frames: with retry, or without where nothing waits for a lost packet.

They are those of `random_scenarios` (credits) and `random_pauses`, with other links.
`PYTHONPATH=. python tests/twin/random/random_checked.py SEED` prints one.
"""

import json
import random
import sys

from random_pauses import random_pauses
from random_scenarios import random_scenario
from reference.network import topology

BARE = 6
"""One scenario in this many has no retry, unless something waits for a lost packet."""


def retries(seed: int) -> bool:
    """The links of the scenario of this seed retransmit damaged frames."""
    return seed % BARE > 0


def random_checked(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"checked {seed}")
    scenario = random_pauses(seed) if rng.random() < 0.3 else random_scenario(seed)
    adapters, links = scenario["adapters"], scenario["links"]
    packet = max(
        int(adapters["mtu"].split()[0]) + int(adapters["header"].split()[0]), int(adapters["ack"].split()[0]), 64
    )
    errors = {"packets": rng.choice([0.0, 1e-3, 0.02, 0.1, 0.3])}
    if rng.random() < 0.3:
        errors = {"bits": rng.choice([1e-7, 3e-6, 2e-5])}
    if retries(seed):
        if rng.random() < 0.5:
            errors["unseen"] = rng.choice([0.2, 1.0])
        if rng.random() < 0.5:
            errors["words"] = rng.choice([0.01, 0.2])
        retry = {}
        if rng.random() < 0.6:
            retry["frames"] = rng.choice([1, 2, 3, 8, 40])
        if rng.random() < 0.5:
            retry["bytes"] = f"{packet * rng.choice([1, 2, 5]) + rng.choice([0, 17])} B"
        if rng.random() < 0.6:
            retry["spacing"] = f"{rng.choice([0, 64, 400, 3000])} B"
        if rng.random() < 0.3:
            retry["timeout"] = rng.choice(["2 us", "5 us", "40 us"])
        links["retry"] = retry
    elif adapters.get("window") or any("window" in entry for entry in scenario["traffic"]) or counts_acks(scenario):
        links["retry"] = {}
    if errors != {"packets": 0.0} or "retry" not in links:
        links["errors"] = errors
    make_room(scenario)
    return scenario


def make_room(scenario: dict) -> None:
    """Shared memory has room for all retransmissions of links, if it is the headroom that is needed."""
    retry, shared = scenario["links"].get("retry"), scenario["switches"].get("shared_memory", {"headroom": "none"})
    if retry is None or any(key in shared for key in ("headroom", "headroom_delays", "headroom_pool")):
        return
    graph = topology.build(scenario)
    ports = max(len(graph.ports(("switch", s))) for s in range(len(graph.switches)))
    replays = int(retry.get("bytes", "135000 B").split()[0])
    shared["size"] = f"{int(shared['size'].split()[0]) + ports * scenario['links']['lanes'] * replays} B"


def counts_acks(scenario: dict) -> bool:
    """Sources react to the marks of ACKs, and would wait for those that are lost."""
    scheme = scenario["scheme"]
    reacts = "preset" in scheme or scheme.get("react", "none") != "none"
    return reacts and scheme.get("notify", "ack") == "ack"


if __name__ == "__main__":
    print(json.dumps(random_checked(int(sys.argv[1])), indent=1))
