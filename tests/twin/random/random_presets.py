"""Random small scenarios whose scheme is a preset by its name, or a preset with a part of another kind in its place.

Everything else is such that the values of the papers come to matter: memory for long queues, many senders to one host,
small packets where a transport waits for many of them.
`PYTHONPATH=. python tests/twin/random/random_presets.py SEED` prints one.
"""

import json
import random
import sys

from random_isolation import crowd
from random_scenarios import random_scenario
from random_telemetry import goes
from random_trimming import random_incast, random_switches, random_tree
from reference.network import topology
from reference.presets import PRESETS

LOSSY = [name for name, parts in PRESETS.items() if "transport" in parts]
ASIDE = [name for name, parts in PRESETS.items() if "isolate" in parts]
RATES = ["10 Gbit/s", "25 Gbit/s", "40 Gbit/s", "100 Gbit/s"]


def random_presets(seed: int) -> dict:
    """The scenario of this seed: presets in turn."""
    rng = random.Random(f"presets {seed}")
    name = [*PRESETS][seed % len(PRESETS)]
    scenario = (random_lossy if name in LOSSY else random_lossless)(rng, name)
    scenario["scheme"] = {"preset": name} | another_part(rng, name)
    if name in LOSSY and rng.random() < 0.4:
        scenario["scheme"]["route"] = "ecmp"
    return scenario


def another_part(rng: random.Random, name: str) -> dict:
    """One part that replaces the preset's."""
    parts = PRESETS[name]
    step = {"red": {"min": "12 kB", "max": "12 kB", "probability": 1.0}}
    options = [{}, {}]
    if parts.get("mark", "none") != "none" and "isolate" not in parts:
        options += [{"mark": step}, {"mark": "none"}] if name not in ("pcn", "tcd-ib-cc") else [{"mark": step}]
    if "timely" in name or name in ("dctcp", "swift") or parts.get("react") == "lipd":
        options += [{"mark": step}, {"react": "dctcp", "mark": step}, {"react": "none"}]
    if name.startswith("dcqcn"):
        options += [{"notify": "ack"}, {"mark": {"tcd": {"for_rate": "10 Gbit/s", "threshold": "9 kB"}}}]
    return rng.choice(options)


def random_lossless(rng: random.Random, name: str) -> dict:
    """Many senders to one host or two, and memory for long queues."""
    while True:
        scenario = random_scenario(rng.randrange(10**6))
        hosts = topology.build(scenario).hosts
        if goes(scenario) and len(hosts) > 2:
            break
    single = name in ("fbicm", "ccfit")
    packet = sum(int(scenario["adapters"][key].split()[0]) for key in ("mtu", "header"))
    scenario["links"] |= {"rate": rng.choice(RATES), "lanes": 1}
    scenario["links"]["flow_control"] = rng.choice(["byte-credits", pauses(rng)])
    for key in ("lane_arbiter", "service_lanes"):
        scenario["links"].pop(key, None)
    scenario["switches"] = {
        "buffer": f"{rng.choice([30, 90, 200]) * 1100 + 20 * packet} B",
        "queues": "single" if single else "voq",
        "read_ports": "one" if single else "all",
        "forwarding_delay": rng.choice(["100 ns", "40 ns", "1 us"]),
    }
    for key in ("window", "injection_rate", "receive_buffer", "drain_rate", "ack_lane"):
        scenario["adapters"].pop(key, None)
    scenario["traffic"] = []
    crowd(rng, scenario, hosts)
    scenario["measure"] = {"duration": f"{rng.choice([60, 150])} us", "probes": ["deliveries"]}
    return scenario


def pauses(rng: random.Random) -> dict:
    """Thresholds as the headroom allows, or early."""
    return {"pfc": rng.choice([{}, {"threshold": {"static": {"xoff": "9 kB", "xon": "4 kB"}}}])}


def random_lossy(rng: random.Random, name: str) -> dict:
    """Messages that are longer than a probe, and queues that they overrun."""
    small = name.startswith("efl")
    mtu, header = (rng.choice([180, 256]), rng.choice([0, 20])) if small else (rng.choice([256, 1024, 4096]), 64)
    scenario = {
        "name": f"random {name}",
        "seed": rng.randrange(2**32),
        "topology": random_tree(rng, rng.random() < 0.5),
        "links": {"rate": rng.choice(RATES), "delay": rng.choice(["5 ns", "250 ns", "1 us"]), "flow_control": "none"},
        "switches": random_switches(rng, 1, mtu + header, trims=False),
        "adapters": {"mtu": f"{mtu} B", "header": f"{header} B", "ack": "64 B"},
        "measure": {"duration": "1 ms" if small else "300 us", "probes": ["deliveries"]},
    }
    scenario["switches"]["output_queue"] = f"{rng.choice([9, 30, 60]) * (mtu + header)} B"
    hosts = topology.build(scenario).hosts
    scenario["traffic"] = [random_incast(rng, hosts, mtu) | {"message": f"{rng.choice([19, 45, 120]) * mtu + 1} B"}]
    if rng.random() < 0.5:
        scenario["traffic"][0]["arrivals"] = {"messages": {"count": 3, "every": rng.choice(["5 us", "90 us"])}}
    return scenario


if __name__ == "__main__":
    print(json.dumps(random_presets(int(sys.argv[1])), indent=1))
