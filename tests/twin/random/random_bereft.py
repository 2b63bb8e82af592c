"""Random small applications whose packets are lost for ever: pauses come too late, and nothing is retransmitted.

Networks are those of `random_pauses`, with little headroom; applications those of `random_applications`.
`PYTHONPATH=. python tests/twin/random/random_bereft.py SEED` prints one.
"""

import json
import random
import sys

from random_applications import with_applications
from random_pauses import fit_triggers, random_pauses


def random_bereft(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"bereft {seed}")
    while True:
        scenario = random_pauses(rng.randrange(10**6))
        pfc, lanes = scenario["links"]["flow_control"]["pfc"], scenario["links"]["lanes"]
        static = "static" in pfc.get("threshold", ()) and "shared_memory" not in scenario["switches"]
        if static and len(pfc.get("lossless", range(lanes))) == lanes:
            break
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    room = rng.choice([1, 1, 2, 3]) * max(packet, 64)
    if "fecn" in scenario["scheme"].get("mark", {}) or scenario["scheme"]["preset"] == "ib-cc":
        scenario["scheme"] = {"preset": "none"}
    scenario["switches"]["buffer"] = f"{room} B"
    scenario["switches"].pop("lane_buffers", None)
    fit_triggers(scenario, packet)
    pfc["threshold"] = {"static": {"xoff": f"{room} B", "xon": "0 B"}}
    scenario["links"]["rate"] = rng.choice(["1 GB/s", "2 GB/s", "13.3 Gbit/s"])
    pfc["response"] = rng.choice(["333 ns", "3 us", "10 us"])
    if rng.random() < 0.4:  # packets are lost at slow hosts, too
        room = f"{rng.choice([1, 2, 4]) * max(packet, 64)} B"
        scenario["adapters"] |= {"drain_rate": rng.choice(["90 MB/s", "700 MB/s"]), "receive_buffer": room}
    return with_applications(rng, scenario, seed)


if __name__ == "__main__":
    print(json.dumps(random_bereft(int(sys.argv[1])), indent=1))
