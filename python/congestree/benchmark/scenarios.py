"""Scenarios of the cases of the benchmark, each for something that costs."""

HPL = {
    "seed": 1,
    "topology": {"two-switch": {"local": 10, "remote": 10}},
    "links": {"rate": "8 Gbit/s", "flow_control": {"packet-slots": {}}},
    "switches": {
        "buffer": "4 packets",
        "queues": "voq",
        "read_ports": "one",
        "arbiter": {"fifo": {"bypass_limit": 4}},
        "forwarding_delay": "40 ns",
    },
    "adapters": {"window": 1},
    "scheme": {"preset": "input-triggered"},
    "traffic": [
        {"name": "local", "from": "local", "to": "B_C", "stagger": "100 us"},
        {"name": "remote", "from": "remote", "to": "B_C", "stagger": "100 us", "start": "1 ms"},
        {"name": "victim", "from": "A_V", "to": "B_V"},
    ],
    "measure": {"duration": "1 s"},
}


def fast(topology, traffic, duration, **switches):
    """A network of 100 Gbit/s links with VOQs and byte credits."""
    return {
        "seed": 1,
        "topology": topology,
        "links": {"rate": "100 Gbit/s", "delay": "10 ns", "flow_control": {"byte-credits": {}}},
        "switches": {
            "buffer": "64 KiB",
            "queues": "voq",
            "read_ports": "all",
            "forwarding_delay": "100 ns",
            **switches,
        },
        "traffic": [traffic],
        "measure": {"duration": duration},
    }


UNIFORM = {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.8}}}
HOT = {"from": "all", "pattern": {"hot-spot": {"to": ["h0"], "fraction": 0.05}}, "arrivals": "greedy"}


def forest(control, duration):
    """A silent forest on 648 hosts (Gran, Paper IV): 80 % of the hosts send as fast as they can to one of eight hot
    hosts, the others to all hosts; with InfiniBand congestion control for every pair of hosts, or without any."""
    hot = [f"h{81 * k + 40}" for k in range(8)]
    hosts = [f"h{i}" for i in range(648)]
    steady = {"arrivals": {"steady": {"rate": "13.5 Gbit/s"}}, "message": "4 KiB"}
    crowds = [[h for i, h in enumerate(hosts) if i % 5 and i % 8 == k and h != hot[k]] for k in range(8)]
    cct = {"table": {"quadratic": {"delay": "70 us", "at": 106}}}
    scheme = {"preset": "ib-cc", "mark": {"fecn": {"marking_rate": 0, "packet_size": "0 B"}}, "react": {"cct": cct}}
    return {
        "seed": 1,
        "topology": {"fat-tree": {"radix": 36}},
        "links": {"rate": "16 Gbit/s", "delay": "10 ns"},
        "switches": {"buffer": "64 KiB", "forwarding_delay": "100 ns"},
        "adapters": {
            "header": "26 B",
            # 13.5 and 13.6 Gbit/s of payload.
            "injection_rate": f"{13_500_000_000 * 2074 // 2048} bit/s",
            "drain_rate": f"{13_600_000_000 * 2074 // 2048} bit/s",
            "receive_buffer": "16 KiB",
        },
        "scheme": scheme if control else {"preset": "none"},
        "traffic": [
            *({"name": f"to {h}", "from": crowd, "to": h, **steady} for h, crowd in zip(hot, crowds, strict=True)),
            {"name": "to all", "from": hosts[::5], "pattern": "uniform", **steady},
        ],
        "measure": {"duration": duration},
    }


DATACENTRE = {
    "seed": 1,
    "topology": {"fat-tree": {"radix": 12, "layers": 3}},
    "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": "pfc"},
    "switches": {"buffer": "256 KiB", "forwarding_delay": "300 ns"},
    "adapters": {"mtu": "1024 B"},
    "scheme": {"preset": "dcqcn-vendor", "route": "ecmp"},
    "traffic": [
        {
            "from": "all",
            "pattern": "uniform",
            "flows": "by-message",
            "sizes": {"cdf": "data-mining"},
            "arrivals": {"poisson": {"load": 0.6}},
        }
    ],
    "measure": {"duration": "20 ms"},
}
"""432 hosts with DCQCN over PFC and ECMP; flows come and go, most of them small, most bytes in a few large ones."""


def recorded(scenario, *probes):
    """A scenario with probes, as people run them."""
    return {**scenario, "measure": {**scenario["measure"], "probes": list(probes)}}


def web_search(duration):
    """432 hosts as in a RoCE cluster: switches that share their memory, pauses by dynamic thresholds, DCQCN with a
    window, an ACK for every packet, and the sizes of web search; with probes of what finishes, pauses and waits.
    """
    pfc = {"threshold": {"dynamic": {"alpha": 0.125, "offset": "3 KiB"}}}
    return recorded(
        {
            **DATACENTRE,
            "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": {"pfc": pfc}},
            "switches": {"shared_memory": {"size": "16 MiB", "reserved": "4 KiB"}, "forwarding_delay": "300 ns"},
            "scheme": {"preset": "dcqcn-vendor-window", "route": "ecmp"},
            "traffic": [
                {**DATACENTRE["traffic"][0], "sizes": {"cdf": "web-search"}, "arrivals": {"poisson": {"load": 0.5}}}
            ],
            "measure": {"duration": duration},
        },
        "completions",
        "pauses",
        "output-queues",
    )


def large_tree(isolates, duration):
    """A 4-ary 5-tree, the largest network of Paper VI (Escudero-Sahuquillo): a quarter of the 1,024 hosts sends as
    fast as it can to one of four hosts for a while, the others to all hosts all the time. With EcoCC, or with a single
    lane only (1VL)."""
    roots = ["h101", "h357", "h613", "h869"]
    crowds = [{"from": [f"h{i}" for i in range(4 * k, 1024, 16)], "to": root} for k, root in enumerate(roots)]
    burst = {"arrivals": {"steady": {"load": 1.0}}, "start": "20 us", "stop": "200 us"}
    others = [f"h{i}" for i in range(1024) if i % 4]
    scenario = {
        "seed": 1,
        "topology": {"k-ary-n-tree": {"k": 4, "n": 5}},
        "links": {
            "rate": "40 Gbit/s",
            "delay": "6 ns",
            "flow_control": {"byte-credits": {"block": "64 B", "credit_delay": "6 ns"}},
        },
        "switches": {"buffer": "128 KiB", "forwarding_delay": "100 ns"},
        "adapters": {"mtu": "2048 B", "header": "0 B", "injection_buffer": 8},
        "traffic": [
            {"from": others, "pattern": "uniform", "arrivals": {"poisson": {"load": 1.0}}},
            *(crowd | burst for crowd in crowds),
        ],
        "measure": {"duration": duration},
    }
    if isolates:
        # Notifications have a lane of their own.
        scenario["links"]["lanes"] = 2
        scenario["switches"]["lane_buffers"] = ["128 KiB", "4 KiB"]
        scenario["scheme"] = {
            "preset": "ecocc",
            "isolate": {"ecocc": {"destinations": 32}},
            "notify": {"cnp": {"size": "64 B", "lane": 1}},
        }
    return scenario


ON_OFF = {
    "seed": 1,
    "topology": {"dumbbell": {"pairs": 150, "trunk_delay": "48 us"}},
    "links": {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": "none"},
    "switches": {"output_queue": "1 MB", "switching": "store-and-forward", "arbiter": {"fifo": {}}},
    "adapters": {"mtu": "192 B", "header": "0 B", "ack": "64 B"},
    "scheme": {"preset": "efl"},
    "traffic": [
        {
            "from": "senders",
            "pattern": {"shift": {"by": 150}},
            "arrivals": {"gaps": {"mean": "10 ms"}},
            "sizes": {"pareto": {"shape": 1.2, "mean": "100 kB", "most": "10 MB"}},
        }
    ],
    "measure": {"duration": "1 s"},
}
"""150 flows with EFL over one link that loses, blocks of Pareto size after exponential gaps (EFL section IV.4)."""


def permutation(topology, hosts, acks, duration, fabric="pfc"):
    """Every host sends as fast as it can to another one, as networks for machine learning do: 4 KiB packets at 100
    Gbit/s over PFC, the path of each flow chosen by ECMP; with an ACK for every packet or without any."""
    half = hosts // 2
    scenario = {
        "seed": 1,
        "topology": topology,
        "links": {"rate": "100 Gbit/s", "delay": "500 ns", "flow_control": fabric},
        "switches": {"buffer": "1 MiB", "forwarding_delay": "300 ns"},
        "adapters": {"mtu": "4096 B", "header": "0 B"},
        "traffic": [{"from": "all", "pattern": {"shift": {"by": half + 1}}, "arrivals": "greedy"}],
        "measure": {"duration": duration},
    }
    if fabric == "pfc":
        scenario["scheme"] = {"preset": "none", "route": "ecmp"}
    if acks:
        # A window that never closes: the case measures what ACKs cost.
        scenario["adapters"]["window"] = 100_000
    return scenario


def coalesced(scenario):
    """A scenario with an ACK for every eighth packet, or after 5 us."""
    return {**scenario, "adapters": {**scenario["adapters"], "acks": {"every": 8, "flush": "5 us"}}}


def acked_incast(duration):
    """32 hosts of one switch send all they can to another one over PFC, an ACK for every packet."""
    scenario = permutation({"single-switch": {"hosts": 33}}, 33, True, duration)
    del scenario["scheme"]
    scenario["traffic"] = [{"from": [f"H{i}" for i in range(2, 34)], "to": "H1", "arrivals": "greedy"}]
    return scenario


def huge(radix, route, duration):
    """Three layers of switches of this radix, radix^3/4 hosts, each of which sends as fast as it can to another one."""
    topology = {"fat-tree": {"radix": radix, "layers": 3}}
    return permutation(topology, radix**3 // 4, False, duration, "pfc" if route == "ecmp" else {"byte-credits": {}})


def sprayed():
    """Ultra Ethernet's permutation: 1,024 hosts of 100 Gbit/s send 2 MB each over links that drop, with trimming, 128
    paths and the sender's window (NSCC), as in the answer key of `uec-htsim`.
    """
    return {
        "seed": 1,
        "topology": {"fat-tree": {"radix": 16, "layers": 3}},
        "links": {
            "rate": "100 Gbit/s",
            "delay": "1 us",
            "lanes": 2,
            "lane_arbiter": {"strict": {"order": [1, 0]}},
            "flow_control": "none",
        },
        "switches": {
            "output_queue": "174300 B",
            "trim": {"size": "64 B", "lane": 1},
            "switching": "store-and-forward",
            "arbiter": {"fifo": {}},
        },
        "adapters": {"mtu": "4086 B", "header": "64 B", "ack": "64 B"},
        "scheme": {
            "route": "ecmp",
            "mark": {"red": {"min": "37350 B", "max": "145250 B", "probability": 1.0}},
            "transport": {"uet": {"paths": {"oblivious": {"paths": 128}}, "control_lane": 1}},
        },
        "traffic": [
            {
                "from": "all",
                "pattern": "permutation",
                "message": "2 MB",
                "arrivals": {"messages": {"count": 1}},
            }
        ],
        "measure": {"duration": "300 us"},
    }


def experts(scheme):
    """256 adapters of 400 Gbit/s on rails, an expert at each: 128 tokens a rank, each to 8 of them and back, as in the
    table of DeepEP's low-latency kernels.
    """
    clos = {"down": [32, 8], "up": [4], "bundle": [8], "rails": 8}
    gate = {"uniform": {"experts": 256, "chosen": 8}}
    return {
        "seed": 1,
        "topology": {"clos": clos},
        "links": {"rate": "400 Gbit/s", "delay": "100 ns", "flow_control": {"byte-credits": {"credit_delay": "0 ns"}}},
        "switches": {"buffer": "256 KiB", "forwarding_delay": "200 ns"},
        "adapters": {"mtu": "4 KiB", "header": "26 B", "node": {"hosts": 8, "rate": "1280 Gbit/s"}},
        "scheme": scheme,
        "traffic": [{"name": "moe", "from": "all", "program": {"moe": {"tokens": 128, "gate": gate}}}],
        "measure": {"duration": "1 ms", "until_jobs_end": True},
    }
