"""Random small scenarios in which congested flows are set aside: FBICM, CCFIT, HFDI and EcoCC.

Queues of a few packets are too long, set-aside queues are few, and several hosts send to one or two, so that trees grow
over switches, meet, and find no queue left.
`PYTHONPATH=. python tests/twin/random/random_isolation.py SEED` prints one.
"""

import json
import random
import sys

from random_flow_queues import shares_itself
from random_infiniband import random_cct
from random_pauses import random_pauses
from random_queues import random_arbiter
from random_scenarios import random_scenario
from reference.network import topology

KINDS = ["fbicm", "ccfit", "hfdi", "ecocc"]


def random_isolation(seed: int, kinds=None) -> dict:
    """The scenario of this seed."""
    return isolated(random.Random(f"isolation {seed}"), [random_scenario, random_scenario, random_pauses], kinds)


def isolated(rng: random.Random, bases: list, kinds=None) -> dict:
    """A scenario of one of these kinds, in which a scheme of one of those sets flows aside."""
    while True:
        scenario = rng.choice(bases)(rng.randrange(10**6))
        flow_control = scenario["links"]["flow_control"]
        pfc = flow_control.get("pfc", {})
        hosts = topology.build(scenario).hosts
        if 0 in pfc.get("lossless", [0]) and len(hosts) > 2:
            break
    kind = rng.choice(kinds or KINDS)
    adapt(rng, scenario, kind)
    pfc.pop("counts", None)
    scenario["traffic"] = [entry for entry in scenario["traffic"] if not shares_itself(entry)][: rng.choice([0, 1, 3])]
    crowd(rng, scenario, hosts)
    scheme = {"fbicm": by_destination, "ccfit": by_destination, "hfdi": by_output, "ecocc": by_output}[kind]
    scenario["scheme"]["isolate"] = {kind: scheme(rng, kind, scenario)}
    if "packet-slots" in flow_control:
        make_room(scenario["switches"], scenario["scheme"]["isolate"][kind])
    if kind in ("fbicm", "hfdi") and scenario["scheme"]["preset"] == "none" and rng.random() < 0.5:
        scenario["scheme"]["preset"] = kind
    if kind in ("ccfit", "ecocc") and rng.random() < 0.7:
        scenario["scheme"]["mark"] = {"root": marks(rng, scenario)}
    return scenario


def adapt(rng: random.Random, scenario: dict, kind: str) -> None:
    """Switches in which flows can be set aside, and where often a few packets find room."""
    switches, adapters = scenario["switches"], scenario["adapters"]
    switches.pop("output_buffer", None)
    scenario["links"].pop("lane_arbiter", None)
    single = {"fbicm": 0.85, "ccfit": 0.85, "hfdi": 0.2, "ecocc": 0}[kind]
    switches |= {"queues": "single" if rng.random() < single else "voq", "arbiter": "round-robin"}
    switches["read_ports"] = "one" if switches["queues"] == "single" else rng.choice(["one", "all", 2])
    if "pfc" not in scenario["links"]["flow_control"] and rng.random() < 0.25:
        switches["crossbar"] = rng.choice(["1 GB/s", "2 GB/s", "5 Gbit/s", "13.3 Gbit/s", "40 Gbit/s"])
        switches["output_packets"] = rng.choice([1, 2, 2, 3])
    if rng.random() < 0.25:
        switches["arbiter"] = random_arbiter(rng)
    packet = int(adapters["mtu"].split()[0]) + int(adapters["header"].split()[0])
    if "pfc" not in scenario["links"]["flow_control"] and rng.random() < 0.8:
        packets = rng.choice([4, 6, 9, 14, 20])
        slots = "packet-slots" in scenario["links"]["flow_control"]
        switches["buffer"] = f"{packets} packets" if slots else f"{packets * (packet + 100)} B"
        switches.pop("lane_buffers", None)
    if rng.random() < 0.7:
        adapters.pop("window", None)
        adapters.pop("injection_rate", None)
    marks_by_fill = "fecn" in scenario["scheme"].get("mark", {}) or scenario["scheme"]["preset"] == "ib-cc"
    if marks_by_fill:
        scenario["scheme"] = {"preset": "none"}


def make_room(switches: dict, rule: dict) -> None:
    """Slots for one packet more than the thresholds: the engine refuses those that no queue exceeds."""
    least = 1 + max(rule.get(key, 0) for key in ("detect", "high"))
    if int(switches["buffer"].split()[0]) < least:
        switches["buffer"] = f"{least} packets"
    if all(int(room.split()[0]) < least for room in switches.get("lane_buffers", [])):
        switches.pop("lane_buffers", None)


def crowd(rng: random.Random, scenario: dict, hosts: list[str]) -> None:
    """Many send to one or two, in lane 0."""
    for to in rng.sample(hosts, rng.choice([1, 2, 2, 3])):
        others = [host for host in hosts if host != to]
        entry = {"to": to, "from": rng.sample(others, rng.randint(min(2, len(others)), len(others))), "lane": 0}
        entry["arrivals"] = rng.choice(
            ["greedy", {"poisson": {"load": rng.choice([0.5, 0.9])}}, {"on-off": {"on": "20 us", "off": "5 us"}}]
        )
        entry["start"] = rng.choice(["0 ns", "0 ns", "7 us"])
        if rng.random() < 0.5:
            entry["stop"] = rng.choice(["30 us", "60 us", "90 us"])
        scenario["traffic"].append(entry)


def marks(rng: random.Random, scenario: dict) -> dict:
    """Marks at the roots, and sometimes a table for sources to use."""
    rule = {"packet_size": rng.choice(["0 B", "64 B", "400 B"]), "only_set_aside": rng.random() < 0.3}
    if rng.random() < 0.5:
        rule |= {"marking_rate": rng.choice([0, 1, 2, 5]), "choice": rng.choice(["random", "every-nth"])}
    else:
        rule["share"] = rng.choice([0.15, 0.5, 1.0])
    if rng.random() < 0.5:
        scenario["scheme"]["react"] = {"cct": random_cct(rng) | {"per": "qp"}}
        scenario["scheme"]["notify"] = rng.choice(["ack", {"cnp": {"size": "64 B"}}])
    return rule


def notices(rng: random.Random, rule: dict, scenario: dict) -> dict:
    """Next to the link, or on it if packets go there directly from their inputs."""
    way = rng.random()
    if way < 0.4:
        rule["notices"] = {"out-of-band": {"delay": rng.choice(["0 ns", "20 ns", "1 us"])}}
    elif way < 0.7 and "crossbar" not in scenario["switches"]:
        rule["notices"] = {"in-band": {"size": rng.choice(["64 B", "64 B", "1 B", "500 B", "1500 B"])}}
    return rule


def by_destination(rng: random.Random, kind: str, scenario: dict) -> dict:
    """FBICM and CCFIT."""
    rule = {"queues": rng.choice([0, 1, 1, 2, 2, 3]), "destinations": rng.choice([1, 1, 2, 3])}
    rule |= {"detect": rng.randint(0, 3), "detect_above": rng.random() < 0.4}
    rule |= {"suspect": rng.choice(["head", "most-frequent"]), "stop": rng.randint(1, 3)}
    rule |= {"go": rng.randrange(rule["stop"]), "stop_at": rng.choice(["allocation", "next-packet", "next-crossing"])}
    if kind == "ccfit":
        rule["high"] = rng.randint(1, 3)
        rule["low"] = rng.randrange(rule["high"])
    return notices(rng, rule, scenario)


def by_output(rng: random.Random, kind: str, scenario: dict) -> dict:
    """HFDI and EcoCC."""
    queues = rng.choice([0, 1, 1, 2, 3])
    rule = {"queues": queues, "lines": queues + rng.choice([0, 1, 1, 2, 6]), "destinations": rng.choice([1, 2, 3, 16])}
    rule["high"] = rng.randint(1, 3)
    rule |= {"low": rng.randrange(rule["high"]), "needs_credit": rng.random() < 0.6}
    rule |= {"stop_at": rng.choice(["allocation", "next-packet", "next-crossing"]), "root_stops": rng.random() < 0.6}
    rule["root_release"] = rng.choice(["low", "empty"])
    if kind == "hfdi":
        rule["local"] = scenario["switches"]["queues"] == "single" or rng.random() < 0.4
    return notices(rng, rule, scenario)


if __name__ == "__main__":
    print(json.dumps(random_isolation(int(sys.argv[1])), indent=1))
