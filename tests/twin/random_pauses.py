"""Random small scenarios whose links pause instead of giving credit: those of `random_scenarios`, with other links.

Thresholds are a few packets, so that pauses come and go; buffers are sometimes too small on purpose, and lanes
sometimes lossy, so that packets are dropped. `PYTHONPATH=. python tests/twin/random_pauses.py SEED` prints one.
"""

import json
import random
import sys

from random_scenarios import random_scenario
from reference import topology


def random_pauses(seed: int) -> dict:
    """The scenario of this seed."""
    rng = random.Random(f"pauses {seed}")
    scenario = random_scenario(seed)
    adapters, switches, lanes = scenario["adapters"], scenario["switches"], scenario["links"]["lanes"]
    packet = int(adapters["mtu"].split()[0]) + int(adapters["header"].split()[0])
    xoff = rng.choice([0, packet, packet, 2 * packet, 3 * packet + 17, 5 * packet])
    headroom = rng.choice([0, 0, packet // 2, 2 * packet, 3 * packet, 8 * packet, 100 * packet])
    smallest = max(packet, int(adapters["ack"].split()[0]), 64)
    fecn = scenario["scheme"].get("mark", {}).get("fecn", {})
    if "enter" in fecn:
        smallest = max(smallest, int(fecn["enter"].split()[0]) + 1)
    elif "threshold" in fecn:
        fecn.pop("gap", None)
    switches["buffer"] = f"{max(xoff + headroom, smallest)} B"
    if "lane_buffers" in switches:
        switches["lane_buffers"] = [f"{rng.randint(1, 6) * smallest} B" for _ in switches["lane_buffers"]]
    static = {"xoff": f"{xoff} B"}
    if rng.random() < 0.7:
        static["xon"] = f"{rng.choice([0, xoff // 2, xoff])} B"
    pfc = {
        "frame": rng.choice(["64 B", "64 B", "1 B", "84 B", f"{2 * packet} B"]),
        "response": rng.choice(["0 ns", "0 ns", "20 ns", "333 ns", "3 us"]),
        "losses": "count",
    }
    if rng.random() < 0.85:
        pfc["threshold"] = {"static": static}
    if switches["queues"] == "voq" and rng.random() < 0.4:
        pfc["counts"] = "queue"
    if rng.random() < 0.4:
        # Long enough to be told again in time.
        frame = int(pfc["frame"].split()[0])
        least = 4 * (max(packet, frame) + lanes * frame) * 2 // 64 + 2
        pfc["lasts"] = {"quanta": {"count": min(65535, rng.choice([6, 10, 50]) * least)}}
    acknowledged = adapters.get("window") or any("window" in entry for entry in scenario["traffic"])
    if not acknowledged and rng.random() < 0.5:
        pfc["lossless"] = rng.sample(range(lanes), rng.randint(0, lanes))
    lossless = pfc.get("lossless", list(range(lanes)))
    if lossless and rng.random() < 0.25:
        storm = {
            "host": random_host(rng, scenario),
            "lane": rng.choice(lossless),
            "start": rng.choice(["0 ns", "7 us"]),
        }
        pfc["storms"] = [storm | ({"stop": "30 us"} if rng.random() < 0.7 else {})]
    scenario["links"]["flow_control"] = {"pfc": pfc}
    if "receive_buffer" in adapters:
        adapters["receive_buffer"] = f"{rng.choice([1, 2, 4, 16, 60]) * smallest} B"
    return scenario


def random_host(rng: random.Random, scenario: dict) -> str:
    """Some host that receives, or any that has a name in the traffic."""
    graph = topology.build(scenario)
    named = [entry["to"] for entry in scenario["traffic"] if "to" in entry]
    return rng.choice([*named, rng.choice(graph.hosts)])


if __name__ == "__main__":
    print(json.dumps(random_pauses(int(sys.argv[1])), indent=1))
