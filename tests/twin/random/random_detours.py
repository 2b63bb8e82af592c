"""Random scenarios whose packets take detours, on regular networks, with the lanes that this needs."""

import random

from random_trimming import DROPS, random_entry, random_incast, random_trimming
from reference.network import regular, topology

NETWORKS = [
    ("dragonfly", {"p": 1, "a": 2, "h": 1}),
    ("dragonfly", {"p": 2, "a": 2, "h": 2, "groups": 3}),
    ("dragonfly", {"p": 1, "a": 3, "h": 1, "arrangement": "palmtree"}),
    ("dragonfly-plus", {"p": 2, "leaves": 2, "spines": 2, "h": 1}),
    ("torus", {"dimensions": [5, 2]}),
    ("torus", {"dimensions": [3, 3]}),
    ("torus", {"dimensions": [7]}),
    ("mesh", {"dimensions": [3, 2], "hosts_per_switch": 2}),
    ("hyper-x", {"dimensions": [3, 3]}),
    ("hyper-x", {"dimensions": [4], "trunks": [2], "hosts_per_switch": 2}),
    ("clos", {"down": [2, 3], "up": [2]}),
]


def random_detours(seed: int, networks=NETWORKS, par=False) -> dict:
    """The scenario of this seed."""
    rng = random.Random(seed)
    kind, given = rng.choice(networks)
    ugal = {"candidates": rng.choice([1, 1, 2, 3]), "threshold": rng.choice(["0 B", "500 B", "4000 B"])}
    ugal["knows"] = random.Random(-seed - 1).choice(["local", "global"])
    by_route = rng.random() < 0.7
    # By hop there have to be as many lanes as the longest detour has links between switches.
    lanes = 2 * regular.lanes(kind, given) if by_route else 8
    scenario = {
        "seed": rng.randrange(2**32),
        "topology": {kind: given},
        "links": {
            "rate": "8 Gbit/s",
            "delay": rng.choice(["0 ns", "5 ns", "50 ns"]),
            "lanes": lanes,
            "hop_lanes": "by-route" if by_route else "by-hop",
        },
        "switches": {
            "buffer": rng.choice(["4 KiB", "8 KiB"]),
            "forwarding_delay": rng.choice(["10 ns", "100 ns"]),
            "switching": rng.choice(["cut-through", "store-and-forward"]),
        },
        "scheme": {"route": rng.choice(["valiant", {"ugal": ugal}, {"ugal": ugal}])},
        "traffic": [
            {
                "from": "all",
                "pattern": rng.choice(["uniform", {"shift": {"by": rng.randint(1, 3)}}]),
                "message": rng.choice(["500 B", "2000 B", "5000 B"]),
                "arrivals": {"poisson": {"load": rng.choice([0.2, 0.5, 0.9])}},
            }
        ],
        "measure": {"duration": rng.choice(["20 us", "50 us"]), "probes": ["deliveries", "ports"]},
    }
    if par:
        scenario["scheme"]["route"] = {"par": {key: ugal[key] for key in ("candidates", "threshold")}}
        scenario["links"]["lanes"] = 3 * regular.lanes(kind, given) if by_route else 14
    return scenario


def random_par(seed: int) -> dict:
    """Detours on a dragonfly, where packets on the direct path decide again."""
    return random_detours(seed, [network for network in NETWORKS if network[0] == "dragonfly"], par=True)


def random_queued(seed: int) -> dict:
    """Detours through queues by destination, which becomes another on the way; or by output."""
    rng = random.Random(f"queued {seed}")
    scenario = random_detours(rng.randrange(10**6))
    # Such queues are refused with lanes of hops. Room for all that is sent lets no credit loop close.
    del scenario["links"]["hop_lanes"]
    scenario["links"]["lanes"] = 1
    scenario["allow_credit_loops"] = True
    queues = {rng.choice(["dbbm", "dbbm", "obqa"]): {"queues": rng.choice([1, 2, 4])}}
    scenario["switches"] |= {"buffer": "1 MiB", "queues": queues, "read_ports": rng.choice(["one", "all"])}
    return scenario


def random_trimmed(seed: int) -> dict:
    """Detours over links that trim the packet that comes or one that waits, whose detour is another."""
    rng = random.Random(f"trimmed {seed}")
    scenario = random_trimming(DROPS * seed + 1)
    scenario["topology"] = {"dragonfly": rng.choice([{"p": 2, "a": 2, "h": 1}, {"p": 2, "a": 3, "h": 1}])}
    scenario["switches"]["arbiter"] = "fifo"
    scenario["switches"]["trim"]["victim"] = "either"
    scenario["scheme"]["route"] = rng.choice(["valiant", {"ugal": {"threshold": "500 B"}}, "par"])
    mtu, hosts = int(scenario["adapters"]["mtu"].split()[0]), topology.build(scenario).hosts
    scenario["traffic"] = [random_incast(rng, hosts, mtu), *(random_entry(rng, hosts, mtu) for _ in range(3))]
    return scenario
