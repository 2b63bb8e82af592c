"""A random network for the auditor: any topology, flow control, switch, scheme and traffic that go together.

The scheme comes first, one preset after the other, so that each has its share; the rest is drawn until the engine takes
it. Numbers come from short lists, so that equal times, where order matters, are common.
"""

import json
import random

from congestree import ScenarioError, _engine

PRESETS = sorted({e["name"] for e in json.loads(_engine.catalogue()) if e["kind"] == "preset"})
# Rings, whose packets can wait for each other in a cycle, in addition to the presets.
KINDS = [*PRESETS, "ring"]
# Presets whose thresholds no queue of a few packets exceeds.
DEEP = ("ccfit", "ecocc", "fbicm", "hfdi", "ib-ith", "ici", "ith", "qcz-dcqcn")
RATES = ("8 Gbit/s", "10 Gbit/s", "25 Gbit/s", "100 Gbit/s")
BESIDES = (
    "errors", "retry", "faults", "lane_arbiter", "crossbar", "shared_memory", "output_buffer", "memory",
    "drain_rate", "injection_buffer", "window", "acks", "ack_turnaround", "route", "transport", "schedule",
)  # fmt: skip
MTU, HEADER = 1000, 20
MOST_TRIES = 60
# Every fourth network has fast and long links, and at first one is looked for that several threads can share.
WIDE = 1
SHORTEST, LONGEST = 20_000, 2_000_000_000  # ns; what happens at a time does so before the shortest is over
EVENTS_OF_A_HOP = 2
ENOUGH = 16  # a measured length is extended by no more than this


def draw(seed, events):
    """The network with this number, for about this many events of the engine: (kind, scenario, tries)."""
    kind = KINDS[seed % len(KINDS)]
    for tries in range(1, MOST_TRIES + 1):
        rng = random.Random(f"audit {seed} {tries}")
        scenario = ring(rng) if kind == "ring" else network(rng, kind)
        scenario["seed"] = rng.randrange(1 << 32)
        wide = seed % 4 == WIDE and kind != "ring"
        if wide:
            scenario["links"] |= {"rate": rng.choice(RATES[2:]), "delay": rng.choice(["1 us", "5 us"])}
        try:
            _engine.check(json.dumps(scenario), "json", "", 1 << 30)
            if wide and tries <= MOST_TRIES // 3 and parts(scenario, 2) == 1:
                continue
            long_enough(scenario, events)
            _engine.check(json.dumps(scenario), "json", "", 1 << 30)
        except ScenarioError:
            continue
        return kind, scenario, tries
    raise RuntimeError(f"nothing was drawn for {kind} in {MOST_TRIES} tries")


def parts(scenario, threads):
    """Number of parts into which the engine cuts it for these threads; 1 if it cannot, or if cutting does not pay."""
    moment = scenario | {"measure": scenario["measure"] | {"duration": f"{SHORTEST} ns"}}
    return json.loads(_engine.run(json.dumps(moment), "json", "", None, "wheel", threads=threads).meta())["parts"]


def long_enough(scenario, events):
    """Set a duration of about this many events of the engine, estimated by running it for a sixteenth of them.

    The estimate of a scenario (`needs`) does not know how much of its traffic queues, marks and pauses leave. Events
    are counted in simulated time, so the result is the same on every machine; and they take the time, while a hop may
    take little or much: messages offered to a network that cannot carry them are events, too. A network with few hops
    for its events is shorter in proportion, so that most of the time is spent on hops.
    """
    duration, trial = SHORTEST, json.loads(json.dumps(scenario))
    trial["measure"]["audit"] = False
    while True:
        trial["measure"]["duration"] = f"{duration} ns"
        facts = json.loads(_engine.run(json.dumps(trial), "json", "", None, "heap", threads=1).meta())
        seen = max(facts["events"], 1)
        wanted = events * min(1, EVENTS_OF_A_HOP * facts["packet_hops"] / seen)
        if facts["stopped"] is not None or seen * ENOUGH >= wanted or duration >= LONGEST:
            break
        duration = min(duration * ENOUGH, LONGEST)
    duration = max(SHORTEST, min(int(duration * wanted / seen), LONGEST, duration * ENOUGH))
    scenario["measure"]["duration"] = f"{duration} ns"


def network(rng, preset):
    """A network that may or may not be valid."""
    topology, hosts = _topology(rng)
    transport = preset.startswith("efl") or preset == "new-reno"
    lossy = transport or rng.random() < 0.05
    paused = not lossy and (preset.startswith("dcqcn") or rng.random() < 0.25)
    slots = not lossy and not paused and rng.random() < 0.5
    lanes = rng.choice([1, 1, 2, 4])
    links = {"rate": rng.choice(RATES), "delay": rng.choice(["0 ns", "10 ns", "100 ns", "1 us"]), "lanes": lanes}
    delay = rng.choice(["0 ns", None, "30 ns"])
    links["flow_control"] = (
        "none" if lossy
        else "pfc" if paused
        else {"packet-slots": {"credit_delay": delay}} if slots
        else {"byte-credits": {"block": rng.choice(["64 B", "1 B"]), "credit_delay": delay}}
    )  # fmt: skip
    scenario = {
        "topology": topology,
        "links": links,
        "switches": _switches(rng, lossy, paused, slots),
        "adapters": _adapters(rng, slots, lossy),
        "scheme": {"preset": preset},
        "traffic": [_traffic(rng, hosts, lanes, number) for number in range(rng.randint(1, 4))],
        "measure": {"duration": "100 us", "deadlock_timeout": "100 us", "audit": True},
    }
    if slots and preset in DEEP and "buffer" in scenario["switches"]:
        scenario["switches"]["buffer"] = "16 packets"
    if preset.startswith("efl"):
        # Ten packets of this size at the floor must take less than the timer waits.
        scenario["scheme"]["transport"] = {"efl": {"floor": "400 Mbit/s", "start_rate": "1 Gbit/s"}}
    elif lossy and not transport and rng.random() < 0.5:
        scenario["scheme"]["transport"] = "go-back-n"
    if rng.random() < 0.25:
        scenario["scheme"]["route"] = rng.choice(["ecmp", "spray", "flowlet", "least-queue"])
    if rng.random() < 0.05:
        scenario["allow_credit_loops"] = True
    if rng.random() < 0.12:
        _regular(rng, scenario)
    _besides(rng, scenario, paused, slots, lossy)
    return scenario


REGULAR = (
    ({"dragonfly": {"p": 2, "a": 2, "h": 2, "groups": 3}}, 12),
    ({"dragonfly-plus": {"p": 2, "leaves": 2, "spines": 2, "h": 1}}, 12),
    ({"hyper-x": {"dimensions": [3, 3]}}, 9),
    ({"torus": {"dimensions": [5, 3]}}, 15),
    ({"mesh": {"dimensions": [3, 3]}}, 9),
    ({"clos": {"down": [2, 3], "up": [2]}}, 6),
)


def _regular(rng, scenario):
    """Make it a regular network that is no tree, with lanes that keep its routes and detours free of cycles."""
    scenario["topology"], count = rng.choice(REGULAR)
    scenario["links"] |= {"lanes": 6, "hop_lanes": "by-route"}
    scenario["traffic"] = [_traffic(rng, [f"h{i}" for i in range(count)], 1, n) for n in range(rng.randint(1, 3))]
    if rng.random() < 0.7:
        scenario["scheme"]["route"] = rng.choice(["valiant", "ugal", {"ugal": {"knows": "global"}}, "par"])


def _besides(rng, scenario, paused, slots, lossy):
    """Optional features of a network, each rare: sometimes two meet, and often one does not fit the rest."""
    links, switches, adapters = scenario["links"], scenario["switches"], scenario["adapters"]

    def seldom():
        return rng.random() < 0.12

    if seldom():
        links["errors"] = {"packets": rng.choice([1e-3, 0.05])}
        if rng.random() < 0.8:
            links["retry"] = rng.choice([{}, {"frames": 3}, {"bytes": "9 kB", "spacing": "64 B"}])
    if seldom():
        links["faults"] = _faults(rng)
    if seldom() and links["lanes"] > 1:
        links["lane_arbiter"] = rng.choice(["strict", {"drr": {}}])
    if seldom() and not (paused or slots or lossy):
        links["flow_control"] = {"byte-credits": {"messages": {}}}
    if seldom():
        switches |= {"crossbar": rng.choice(RATES), "output_packets": rng.choice([1, 2])}
    if paused and rng.random() < 0.3:
        switches.pop("buffer")
        switches["shared_memory"] = {"size": f"{rng.choice([4, 40])} MB", "reserved": rng.choice(["0 B", "2 kB"])}
        links["flow_control"] = {"pfc": {"threshold": rng.choice(["static", {"dynamic": {"alpha": 0.01}}])}}
    elif paused and rng.random() < 0.3:
        links["flow_control"] = {"pfc": {"response": rng.choice(["0 ns", "700 ns"])}}
    if paused and seldom():
        switches["output_buffer"] = rng.choice(["3 kB", "30 kB"])
    if seldom():
        adapters["acks"] = {"every": 4, "flush": "3 us"}
    if seldom():
        adapters |= {"ack_turnaround": "200 ns", "message_cost": "100 ns"}
    if seldom():
        scenario["scheme"]["schedule"] = "rcm"
    if seldom():
        for entry in scenario["traffic"]:
            entry["flows"] = "by-message"


def besides(scenario):
    """The names of its optional features: keys of a scenario, and flows by message."""
    sections = (scenario["links"], scenario["switches"], scenario["adapters"], scenario.get("scheme", {}))
    names = [key for section in sections for key in section if key in BESIDES]
    flow_control = scenario["links"]["flow_control"]
    names += [key for key in scenario["topology"] if any(key in topology for topology, _ in REGULAR)]
    names += ["messages"] if isinstance(flow_control, dict) and "messages" in str(flow_control) else []
    return names + (["by-message"] if any(entry.get("flows") == "by-message" for entry in scenario["traffic"]) else [])


def _faults(rng):
    """Links between switches, drawn at random, that are down or slow for a time."""
    failure = {"share": rng.choice([0.1, 0.5]), "at": rng.choice(["0 ns", "3 us"])}
    if rng.random() < 0.7:
        failure["keeps"] = rng.choice([0.1, 0.5])
    if rng.random() < 0.7:
        failure["until"] = rng.choice(["9 us", "18 us"])
    return {"failures": [failure], "reroute": rng.choice(["none", "local"])}


def _topology(rng):
    named = [
        lambda: ({"single-switch": {"hosts": (n := rng.choice([3, 8, 24]))}}, [f"H{i + 1}" for i in range(n)]),
        lambda: ({"k-ary-n-tree": {"k": (k := rng.choice([2, 3, 4])), "n": 2}}, [f"h{i}" for i in range(k**2)]),
        lambda: ({"k-ary-n-tree": {"k": 2, "n": 3}}, [f"h{i}" for i in range(8)]),
        lambda: ({"k-ary-n-tree": {"k": 4, "n": 3}}, [f"h{i}" for i in range(64)]),
        lambda: ({"fat-tree": {"radix": (r := rng.choice([4, 6, 8]))}}, [f"h{i}" for i in range(r * r // 2)]),
        lambda: ({"fat-tree": {"radix": 4, "layers": 3}}, [f"h{i}" for i in range(16)]),
        lambda: ({"dumbbell": {"pairs": (n := rng.choice([2, 8]))}}, [f"{s}_{i + 1}" for s in "SR" for i in range(n)]),
        lambda: (
            {"chain": {"switches": (n := rng.randint(2, 5)), "hosts_per_switch": 2}},
            [f"S{s + 1}_{h}" for s in range(n) for h in (1, 2)],
        ),
    ]
    return rng.choice(named)()


def _switches(rng, lossy, paused, slots):
    switches = {
        "switching": rng.choice(["cut-through", "store-and-forward"]),
        "forwarding_delay": rng.choice(["40 ns", "100 ns"]),
        "queues": rng.choice(["voq", "voq", "single", {"dbbm": {"queues": 4}}, {"obqa": {"queues": 2}}]),
        "read_ports": rng.choice(["one", "all"]),
        "arbiter": rng.choice(["round-robin", {"fifo": {"bypass_limit": 4}}, {"fifo": {}}, "islip"]),
    }
    packets = rng.choice([2, 4, 8, 16])
    if lossy:
        switches = {"output_queue": f"{packets * 4000} B", "switching": "store-and-forward", "arbiter": {"fifo": {}}}
        if rng.random() < 0.3:
            switches["random_loss"] = 0.01
    elif paused:
        switches["buffer"] = f"{rng.choice([4, 16, 64, 512])} KiB"
        if rng.random() < 0.7:
            switches.update(queues="voq", arbiter="round-robin")
    else:
        switches["buffer"] = f"{packets} packets" if slots else f"{packets * 1088} B"
        if rng.random() < 0.15:
            switches["memory"] = rng.choice(["reserved", {"damq": {"reserve": "1 packets" if slots else "1088 B"}}])
        if rng.random() < 0.1:
            switches["queues"] = {"voqnet": {"buffer": switches.pop("buffer")}}
    if rng.random() < 0.6 and not lossy:
        switches.update(arbiter="round-robin", queues="voq", read_ports="all")
    if switches.get("read_ports") == "all" and "fifo" in switches["arbiter"]:
        switches["arbiter"] = {"fifo": {}}  # inputs are never busy, so nothing is bypassed
    return switches


def _adapters(rng, slots, lossy):
    adapters = {"mtu": f"{MTU} B", "header": f"{HEADER} B", "ack": "64 B"}
    if rng.random() < 0.2:
        adapters["window"] = rng.choice([1, 4, 16])
    if rng.random() < 0.15 and not lossy:
        adapters["drain_rate"] = "6.8 Gbit/s"
        adapters["receive_buffer"] = "4 packets" if slots else "8 KiB"
    if rng.random() < 0.1:
        adapters["injection_buffer"] = 4
    return adapters


def _traffic(rng, hosts, lanes, number):
    entry = {"name": f"class {number}", "lane": rng.randrange(lanes), "message": f"{rng.choice([64, 1000, 20000])} B"}
    if rng.random() < 0.5:
        target = rng.choice(hosts)
        others = [host for host in hosts if host != target]
        entry |= {"to": target, "from": rng.sample(others, rng.randint(1, len(others)))}
    else:
        pattern = rng.choice(["uniform", "permutation", {"hot-spot": {"to": [hosts[0]], "fraction": 0.3}}])
        entry |= {"from": "all", "pattern": pattern}
    entry["arrivals"] = rng.choice(
        [
            "greedy",
            {"poisson": {"load": rng.choice([0.3, 0.8, 1.0])}},
            {"steady": {"load": 0.7}},
            {"on-off": {"on": "5 us", "off": "10 us"}},
            {"messages": {"count": 1_000_000, "every": "3 us"}},
        ]
    )
    entry["jitter"] = rng.choice(["0 ns", "3 us"])
    return entry


def ring(rng):
    """Switches in a ring, all packets clockwise: the textbook case of a cycle (Dally and Seitz, 1987)."""
    count, each, ahead = rng.randint(3, 6), rng.randint(1, 2), rng.randint(1, 3)
    ahead = min(ahead, count - 1)
    hosts = [f"h{s}_{n}" for s in range(count) for n in range(each)]
    links = [{"a": f"s{s}", "b": f"s{(s + 1) % count}"} for s in range(count)]
    links += [{"a": host, "b": f"s{host[1:].split('_')[0]}"} for host in hosts]
    table = {
        f"s{s}": {host: f"s{(s + 1) % count}" for host in hosts if not host.startswith(f"h{s}_")} for s in range(count)
    }
    arrivals = rng.choice(["greedy", {"poisson": {"load": 0.3}}, {"messages": {"count": 5, "every": "2 us"}}])
    entries = [
        {"from": f"h{s}_{n}", "to": f"h{(s + ahead) % count}_{n}", "arrivals": arrivals}
        for s in range(count) for n in range(each)
    ]  # fmt: skip
    slots = rng.random() < 0.5
    return {
        "allow_credit_loops": True,
        "topology": {"graph": {"hosts": hosts, "switches": [f"s{s}" for s in range(count)], "links": links}},
        "routing": {"table": table},
        "links": {
            "rate": "8 Gbit/s",
            "delay": "5 ns",
            "flow_control": {"packet-slots": {}} if slots else {"byte-credits": {}},
        },
        "switches": {
            "buffer": f"{rng.randint(1, 4)} packets" if slots else f"{rng.randint(1, 4) * 1088} B",
            "queues": rng.choice(["voq", "voq", "single"]),
            "read_ports": rng.choice(["one", "all"]),
        },
        "adapters": {"mtu": f"{MTU} B", "header": f"{HEADER} B"},
        "traffic": entries,
        "measure": {"duration": "100 us", "deadlock_timeout": "20 us", "audit": True},
    }
