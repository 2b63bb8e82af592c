"""Random small scenarios: every rule of the fabric, in combinations that nobody would think of.

Numbers come from short lists, so that equal times (where order matters) are common, mixed with odd ones, so that
rounding matters too. `PYTHONPATH=. python tests/twin/random/random_scenarios.py SEED` prints one.
"""

import json
import random
import sys

from random_infiniband import packets_in, random_infiniband
from random_networks import DELAYS, RATES, apart, credit_loop, random_routing, random_topology
from reference.network import topology
from reference.quantities import size, span


def random_scenario(seed: int) -> dict:
    """The scenario of this seed; valid, free of credit loops, and of at most a few thousand packets."""
    rng = random.Random(seed)
    while True:
        scenario = draw(rng, seed)
        own = random.Random(f"ACKs {seed}")
        if scenario["links"]["lanes"] > 1 and own.random() < 0.4:
            scenario["adapters"]["ack_lane"] = own.randrange(scenario["links"]["lanes"])
        graph = topology.build(scenario)
        routes = topology.route(scenario, graph)
        if not apart(graph, routes) and not credit_loop(graph, routes):
            return scenario


def draw(rng: random.Random, seed: int) -> dict:
    """One draw, which may have credit loops."""
    slots = rng.random() < 0.5
    mtu = rng.choice([2048, 2048, 1024, 500, 256])
    header = rng.choice([20, 20, 0, 26])
    delay = rng.choice(DELAYS)
    scenario = {
        "name": f"random {seed}",
        "seed": rng.randrange(2**32),
        "topology": random_topology(rng),
        "links": {
            "rate": rng.choice(RATES),
            "delay": delay,
            "lanes": rng.choice([1, 1, 1, 2, 3]),
            "flow_control": random_flow_control(rng, slots),
        },
    }
    scenario["switches"] = random_switches(rng, slots, mtu + header)
    fastest = min(span(scenario["switches"]["forwarding_delay"]), 1)
    scenario["adapters"] = random_adapters(rng, slots, mtu, header)
    room = int(scenario["switches"]["buffer"].split()[0])
    most = room if slots else packets_in(room, mtu + header)
    lanes, voq = scenario["links"]["lanes"], scenario["switches"]["queues"] == "voq"
    if rng.random() < 0.3:
        scenario["links"]["lane_arbiter"] = {"weighted": random_weights(rng, lanes)}
    if slots and rng.random() < 0.2:
        rooms = [rng.randint(1, 6) for _ in range(rng.randint(1, lanes))]
        scenario["switches"]["lane_buffers"] = [f"{packets} packets" for packets in rooms]
        # The largest lane counts, with these rooms and also without, as some generators leave them out.
        most = min(most, max(rooms)) if len(rooms) == lanes else most
    if lanes > 1 and rng.random() < 0.5:
        scenario["links"]["service_lanes"] = [rng.randrange(lanes) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.5:
        scenario["scheme"] = random_infiniband(rng, slots, most if slots else room, mtu + header, lanes, voq)
    else:
        scenario["scheme"] = random_scheme(rng, most)
    graph = topology.build(scenario)
    if fastest == 0 and min(min(link.delay_ab, link.delay_ba) for link in graph.links) == 0:
        scenario["switches"]["forwarding_delay"] = "40 ns"
    routing = random_routing(rng, graph)
    if routing is not None:
        scenario["routing"] = routing
    scenario["traffic"] = [random_traffic(rng, graph, scenario, mtu) for _ in range(rng.choice([1, 2, 2, 3, 4]))]
    random_posting(rng, scenario)
    wanted = rng.choice([100, 300, 600, 1200, 2500])  # packets, if four hosts send all the time
    smallest = min(min(mtu, size(entry.get("message", "1 MB"))) + header for entry in scenario["traffic"])
    slowest = min(min(link.rate_ab, link.rate_ba) for link in graph.links)
    duration = max(wanted * smallest * 8 * 10**6 // (4 * slowest), 20)
    probes = ["flows", "ports", "queues", "events", "latency"]
    scenario["measure"] = {
        "duration": f"{duration} us",
        "warm_up": rng.choice(["0 ns", "0 ns", f"{duration // 4} us"]),
        "probes": ["deliveries", *rng.sample(probes, rng.choice([0, 0, 1, 5]))],
        "deadlock_timeout": rng.choice(["1 us", "20 us", "1 ms"]),
        "audit": rng.random() < 0.5,
    }
    return scenario


def random_posting(rng: random.Random, scenario: dict) -> None:
    """Sometimes messages cost something, and connections have several queue pairs."""
    kinds = [
        next(iter(a)) if isinstance(a := entry.get("arrivals", "greedy"), dict) else a for entry in scenario["traffic"]
    ]
    for entry, kind in zip(scenario["traffic"], kinds, strict=True):
        fixed = "to" in entry or next(iter(entry["pattern"])) == "shift" or entry["pattern"] == "permutation"
        if fixed and kind != "on-off" and rng.random() < 0.2:
            entry["queue_pairs"] = rng.choice([1, 2, 3])
    if "steady" in kinds:
        rng = random.Random(f"posting {scenario['seed']}")
    if rng.random() < 0.7:
        return
    scenario["adapters"]["message_cost"] = rng.choice(["0 ns", "1 ps", "300 ns", "2 us", "6.5 us"])
    if rng.random() < 0.7:
        scenario["adapters"]["queue_depth"] = rng.choice([1, 1, 2, 3, 8])


def random_flow_control(rng: random.Random, slots: bool) -> dict:
    """Packet slots or byte credits, with a delay of their own or that of the link."""
    delay = rng.choice(["0 ns", None, None, "20 ns", "333 ns", "2 us"])
    given = {} if delay is None else {"credit_delay": delay}
    if rng.random() < 0.6:
        given["control"] = rng.choice(["own-room", "credited"])
    if slots:
        return {"packet-slots": given}
    return {"byte-credits": given | {"block": rng.choice(["64 B", "64 B", "1 B", "100 B"])}}


def random_weights(rng: random.Random, lanes: int) -> dict:
    """Tables in which every lane has a place, some have several, some without weight."""
    tables = {"high": [], "low": []}
    for lane in [*range(lanes), *(rng.randrange(lanes) for _ in range(rng.choice([0, 1, 3])))]:
        weight = rng.choice([1, 4, 33, 64, 255]) if len(tables["high"]) + len(tables["low"]) < lanes else 0
        tables[rng.choice(["high", "low"])].append({"lane": lane, "weight": weight or rng.choice([0, 16])})
    return tables | {"limit": rng.choice([255, 0, 1, 3])}


def random_room(rng: random.Random, slots: bool, packet: int) -> str:
    """Room for a few packets."""
    packets = rng.choice([1, 1, 2, 3, 4, 4, 8, 16])
    if slots:
        return f"{packets} packets"
    return f"{packets * (packet + 100) + rng.choice([0, 0, 17, packet // 2])} B"


def random_switches(rng: random.Random, slots: bool, packet: int) -> dict:
    """Any organisation that is allowed."""
    queues = rng.choice(["voq", "voq", "single"])
    arbiter = rng.choice(["round-robin", "fifo"])
    if arbiter == "fifo":
        arbiter = {"fifo": {"bypass_limit": rng.choice([0, 1, 4, 4])} if rng.random() < 0.75 else {}}
    switches = {
        "buffer": random_room(rng, slots, packet),
        "queues": queues,
        "read_ports": "one" if queues == "single" else rng.choice(["one", "one", "all", "all", 1, 2, 3]),
        "arbiter": arbiter,
        "switching": rng.choice(["cut-through", "cut-through", "store-and-forward"]),
        "forwarding_delay": rng.choice(["40 ns", "40 ns", "100 ns", "0 ns", "3 us", "1 ps"]),
    }
    if switches["read_ports"] == "all" and "fifo" in arbiter:
        switches["arbiter"] = "fifo"  # inputs are never busy, so nothing is bypassed
    return switches


def random_adapters(rng: random.Random, slots: bool, mtu: int, header: int) -> dict:
    """Windows and slow hosts, sometimes."""
    adapters = {"mtu": f"{mtu} B", "header": f"{header} B", "ack": rng.choice(["20 B", "20 B", "64 B", "1 B"])}
    if rng.random() < 0.5:
        adapters["window"] = rng.choice([1, 1, 2, 3, 8])
    if rng.random() < 0.2:
        adapters["injection_rate"] = rng.choice([*RATES, "6.75 Gbit/s"])
    if rng.random() < 0.35:
        adapters["receive_buffer"] = random_room(rng, slots, mtu + header)
        if rng.random() < 0.7:
            adapters["drain_rate"] = rng.choice([*RATES, "6.8 Gbit/s"])
    if rng.random() < 0.25:
        adapters["ack_turnaround"] = rng.choice(["1 ps", "20 ns", "700 ns", "1.5 us", "9 us"])
    if rng.random() < 0.3:
        adapters["acks"] = {
            "every": rng.choice([1, 2, 3, 7]),
            "flush": rng.choice(["1 ps", "300 ns", "900 ns", "4 us"]),
        }
    return adapters


def random_scheme(rng: random.Random, most: int) -> dict:
    """No scheme, a preset, or parts put together."""
    if rng.random() < 0.35:
        return {"preset": "none"}
    scheme = {"preset": rng.choice(["naive", "input-triggered", "input-output-triggered", "output-triggered"])}
    scheme["persistent"] = rng.random() < 0.4
    if rng.random() < 0.7:
        trigger = {"trigger": min(rng.choice([1, 2, 3, 4]), most)} if rng.random() < 0.7 else {}
        threshold = {"output_threshold": rng.choice([1, 2, 3, 6])}
        finer = {"feedback": rng.choice(["counters", "scan"])} if rng.random() < 0.6 else {}
        if rng.random() < 0.3:
            finer["exempt_blocked"] = rng.choice(["0 ns", "100 ns", "3 us"])
        scheme["mark"] = rng.choice(
            [
                {"naive": trigger},
                {"input-triggered": trigger | finer},
                {"input-output-triggered": trigger | threshold},
                {"output-triggered": threshold},
            ]
        )
    if rng.random() < 0.7:
        kind = rng.choice(["none", "lipd", "fimd", "aimd"])
        if kind == "none":
            scheme["react"] = "none"
        else:
            react = {"discrete": rng.random() < 0.4}
            if rng.random() < 0.5:
                react |= {"floor": rng.choice([16.0, 256.0, 7.5]), "start": rng.choice([1.0, 2.0, 3.3])}
            if kind != "lipd" and rng.random() < 0.5:
                react["factor"] = rng.choice([1.5, 2.0, 3.0])
            scheme["react"] = {kind: react}
    return scheme


def random_traffic(rng: random.Random, graph, scenario: dict, mtu: int) -> dict:
    """One class of traffic."""
    entry = random_ends(rng, graph)
    if rng.random() < 0.25:
        entry["window"] = rng.choice([1, 2, 5])
    scheme, window = scenario["scheme"], scenario["adapters"].get("window") or entry.get("window")
    acknowledged = window or scheme.get("react", scheme["preset"]) != "none"
    shared = "cct" in scheme.get("react", ()) and scheme["react"]["cct"]["per"] == "sl"
    random_arrivals(rng, entry, acknowledged)
    if rng.random() < 0.6:
        entry["message"] = f"{rng.choice([64, mtu // 2, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu + 7])} B"
    entry["start"] = rng.choice(["0 ns", "0 ns", "1 us", "2.5 us", "10 us"])
    if rng.random() < 0.4:
        entry["stop"] = rng.choice(["35 us", "60 us", "200 us"])
    if rng.random() < 0.4:
        entry["stagger"] = rng.choice(["1 us", "40 ns", "2.068 us"])
        if entry["stagger"] == "2.068 us" and entry.get("stop") == "35 us":  # the last of many sources would not begin
            entry["stagger"] = "1 us"
    if rng.random() < 0.3:
        entry["jitter"] = rng.choice(["1 us", "5 us"])
    if rng.random() < 0.25 and not shared:
        entry["rate"] = rng.choice(["100 MB/s", "333 MB/s", "4 Gbit/s", "1 GB/s"])
    if rng.random() < 0.5:
        entry["service"] = rng.choice([0, 0, 1, 2, 15])
    if "service" not in entry or rng.random() < 0.2:
        entry["lane"] = rng.randrange(scenario["links"]["lanes"])
    return entry


def random_ends(rng: random.Random, graph) -> dict:
    """Source and destination."""
    hosts = graph.hosts
    entry = {}
    if rng.random() < 0.65:
        entry["to"] = hosts[-1] if rng.random() < 0.5 else rng.choice(hosts)
        others = [host for host in hosts if host != entry["to"]]
        entry["from"] = rng.sample(others, rng.randint(1, len(others)))
        for name, members in graph.groups.items():
            if hosts.index(entry["to"]) not in members and rng.random() < 0.5:
                entry["from"] = name
    else:
        spots = rng.sample(hosts, rng.randint(1, min(2, len(hosts))))
        every = rng.choice(["1 us", "5 us", "20 us", "3.3 us"])
        entry["pattern"] = rng.choice(
            [
                "uniform",
                {"hot-spot": {"to": spots, "fraction": rng.choice([0.25, 0.5, 1.0])}},
                {"moving": {"to": spots, "every": every}},
                {"shift": {"by": rng.randint(1, len(hosts) - 1)}},
                "permutation",
            ]
        )
        entry["from"] = "all" if rng.random() < 0.5 else rng.sample(hosts, rng.randint(1, len(hosts)))
    return entry


def random_arrivals(rng: random.Random, entry: dict, acknowledged) -> None:
    """When messages are made. Sources that never end and draw their destinations have no windows."""
    drawn = entry.get("pattern") == "uniform" or "hot-spot" in entry.get("pattern", ())
    endless = [
        "greedy",
        "greedy",
        {"on-off": {"on": rng.choice(["5 us", "20 us"]), "off": rng.choice(["5 us", "1 us"])}},
    ]
    steady = [
        {"steady": {"load": rng.choice([0.1, 0.5, 1.0, 1.3, 0.333])}},
        {"steady": {"rate": rng.choice(["1 Gbit/s", "3.3 Gbit/s", "8 Gbit/s"])}},
    ]
    paced = [
        *steady,
        {"poisson": {"load": rng.choice([0.1, 0.5, 0.8, 1.3])}},
        {"messages": {"count": rng.randint(1, 30)}},
        {"messages": {"count": rng.randint(1, 50), "every": rng.choice(["1 us", "2.068 us", "3 us"])}},
    ]
    if "moving" in entry.get("pattern", ()):
        entry["arrivals"] = rng.choice(steady)
    else:
        entry["arrivals"] = rng.choice([*([] if drawn and acknowledged else endless), *paced])


if __name__ == "__main__":
    print(json.dumps(random_scenario(int(sys.argv[1])), indent=1))
