"""Random small scenarios whose links pause instead of giving credit: those of `random_scenarios`, with other links.

Thresholds are a few packets, so that pauses come and go; buffers are sometimes too small on purpose, and lanes
sometimes lossy, so that packets are dropped. In half of them the memory is shared or outputs have a buffer, lanes
have priorities or quanta, or watchdogs look after the outputs.
`PYTHONPATH=. python tests/twin/random/random_pauses.py SEED` prints one.
"""

import json
import random
import sys

from random_scenarios import random_scenario
from reference.network import topology


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
    fit_triggers(scenario, packet)
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
        # Long enough to be paused again in time.
        frame = int(pfc["frame"].split()[0])
        least = 4 * (max(packet, frame) + lanes * frame) * 2 // 64 + 2
        pfc["pause_duration"] = {"quanta": {"count": min(65535, rng.choice([6, 10, 50]) * least)}}
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
    kind = rng.choice(["own", "own", "shared", "shared", "output"])
    if kind == "shared" and pfc.get("counts") != "queue" and "threshold" not in fecn:
        share_memory(rng, scenario, pfc, packet)
        count_packets(rng, scenario["scheme"])
    elif kind == "output" and not set(scenario["scheme"].get("mark", {})) & BY_PACKETS:
        buffer_outputs(rng, scenario, packet)
    if rng.random() < 0.4:
        schedule_lanes(rng, scenario, smallest)
    if rng.random() < 0.35:
        times = [rng.choice(["500 ns", "2 us", "10 us", "3.3 us"]) for _ in range(2)]
        pfc["watchdog"] = {"detection_time": times[0], "restoration_time": times[1]}
        pfc["watchdog"]["action"] = rng.choice(["drop", "forward"])
    return scenario


BY_FULL_BUFFERS = {"naive", "input-triggered"}
# Marks by the packets of an input mean little where packets leave it at once.
BY_PACKETS = BY_FULL_BUFFERS | {"input-output-triggered", "output-triggered"}


def share_memory(rng: random.Random, scenario: dict, pfc: dict, packet: int) -> None:
    """One memory for all ports of a switch, often so small that headroom and thresholds matter."""
    graph = topology.build(scenario)
    ports = max(len(graph.ports(("switch", s))) for s in range(len(graph.switches)))
    lanes = scenario["links"]["lanes"]
    lossless = len(pfc.get("lossless", range(lanes)))
    reserved = rng.choice([0, 0, packet, packet // 2 + 3])
    shared = {"reserved": f"{reserved} B"}
    if rng.random() < 0.5:
        headroom = rng.choice([0, packet, 3 * packet + 11, 20 * packet])
        shared["headroom"] = f"{headroom} B"
    elif rng.random() < 0.3:
        shared["headroom_delays"] = rng.choice([0.0, 1.5, 3.0])
        headroom = 40 * 2000  # 1.001 us at 2 GB/s is 2 kB
    else:
        headroom = 40 * 2000 + 20 * packet  # more than any link here needs
    headrooms = ports * lossless * headroom
    if rng.random() < 0.3:
        headrooms = rng.choice([0, packet, 4 * packet + 1, headrooms // 2])
        shared["headroom_pool"] = f"{headrooms} B"
    own = ports * lanes * reserved + headrooms
    shared["size"] = f"{own + rng.choice([packet, 4 * packet, 9 * packet + 7, 40 * packet])} B"
    if rng.random() < 0.5:
        shared["lossy_alpha"] = rng.choice([0.25, 1.0, 4.0])
    scenario["switches"]["shared_memory"] = shared
    for key in ("buffer", "lane_buffers"):
        scenario["switches"].pop(key, None)
    if rng.random() < 0.8:
        dynamic = {"alpha": rng.choice([0.03125, 0.125, 0.3, 1.0, 8.0])}
        if rng.random() < 0.4:
            dynamic["for_rate"] = rng.choice(["8 Gbit/s", "7 Gbit/s"])
        if rng.random() < 0.7:
            dynamic["offset"] = f"{rng.choice([0, packet, 2 * packet + 5])} B"
        pfc["threshold"] = {"dynamic": dynamic}


def fit_triggers(scenario: dict, packet: int) -> None:
    """No buffer counts as full at more packets than fit into the largest."""
    switches = scenario["switches"]
    rooms = [int(room.split()[0]) for room in switches.get("lane_buffers", [])]
    if len(rooms) < scenario["links"]["lanes"]:
        rooms.append(int(switches["buffer"].split()[0]))
    for marker in scenario["scheme"].get("mark", {}).values():
        if "trigger" in marker:
            marker["trigger"] = min(marker["trigger"], max(rooms) // packet)


def count_packets(rng: random.Random, scheme: dict) -> None:
    """Without a buffer of its own an input is full by a number of packets alone."""
    if "mark" not in scheme and scheme["preset"] in BY_FULL_BUFFERS:
        scheme["mark"] = {scheme["preset"]: {}}
    for marker in BY_FULL_BUFFERS & set(scheme.get("mark", ())):
        scheme["mark"][marker].setdefault("trigger", rng.choice([1, 2, 3, 5]))


def buffer_outputs(rng: random.Random, scenario: dict, packet: int) -> None:
    """A buffer at each output, which a crossbar fills."""
    scenario["switches"] |= {"queues": "voq", "read_ports": "all", "arbiter": "round-robin"}
    largest = max(packet, int(scenario["adapters"]["ack"].split()[0]))
    scenario["switches"]["output_buffer"] = f"{largest + rng.choice([0, 1, packet, 3 * packet, 8 * packet + 5])} B"


def schedule_lanes(rng: random.Random, scenario: dict, smallest: int) -> None:
    """Lanes by priority, or by priority and quanta."""
    lanes = list(range(scenario["links"]["lanes"]))
    rng.shuffle(lanes)
    if rng.random() < 0.4:
        scenario["links"]["lane_arbiter"] = {"strict": {"order": lanes}} if rng.random() < 0.7 else "strict"
        return
    switches = scenario["switches"]
    if isinstance(switches["arbiter"], dict) and switches["read_ports"] != "all":
        switches["arbiter"] = "round-robin"
    first = rng.randint(0, len(lanes) - 1)
    quanta = [rng.choice([smallest, smallest, smallest + 100, 3 * smallest + 17]) for _ in lanes[first:]]
    shares = [{"lane": lane, "quantum": f"{bytes_} B"} for lane, bytes_ in zip(lanes[first:], quanta, strict=True)]
    scenario["links"]["lane_arbiter"] = {"drr": {"first": lanes[:first], "shares": shares}}


def random_host(rng: random.Random, scenario: dict) -> str:
    """Some host that receives, or any that has a name in the traffic."""
    graph = topology.build(scenario)
    named = [entry["to"] for entry in scenario["traffic"] if "to" in entry]
    return rng.choice([*named, rng.choice(graph.hosts)])


if __name__ == "__main__":
    print(json.dumps(random_pauses(int(sys.argv[1])), indent=1))
