"""From a row of the answer key to a scenario: the fabric of the Ultra Ethernet simulator, read as the README says."""

import math

PACKET, HEADER = 4150, 64
"""Bytes on the wire of a full data packet, and of a trimmed one and every control packet."""
SEGMENT = PACKET - HEADER
LATENCY = 1e-6
"""Of every link, s; switches take no time."""
HOPS = {2: 4, 3: 6}
"""Links on the longest path, by tiers."""
SLOW = 0.25
"""The share of its rate that a degraded link keeps."""


def product(gbps, tiers):
    """Round-trip time of the empty network (s), and the bandwidth-delay product in packets, rounded up."""
    hops = HOPS[tiers]
    trip = 2 * hops * LATENCY + hops * (PACKET + HEADER) * 8 / (gbps * 1e9)
    return trip, math.ceil(trip * gbps * 1e9 / 8 / PACKET)


def scenario(row, flows, name):
    """The scenario of a run: `row` of the key, `flows` as (source, destination, bytes, start in us)."""
    gbps, hosts = int(row["link_gbps"]), int(row["hosts"])
    options = dict(part.split("=", 1) for part in row["other"].split(";") if "=" in part)
    failed = int(options.get("failed", 0))
    topology, tiers = fabric(row, hosts, gbps, failed)
    trip, packets = product(gbps, tiers)
    queue = int(row["queue_packets"] or packets)
    low = int(row["ecn_low"] or math.ceil(0.2 * packets))
    high = int(row["ecn_high"] or math.ceil(0.8 * packets))
    rate = f"{gbps} Gbit/s"
    credit = row["algorithm"] in ("rccc", "both")
    return {
        "name": name,
        "seed": 13,
        "topology": topology,
        "links": {
            "rate": rate,
            "delay": "1 us",
            "lanes": 2,
            "lane_arbiter": {"strict": {"order": [1, 0]}},
            "flow_control": "none",
        },
        "switches": {
            # Here a packet that is being sent does not count as waiting.
            "output_queue": f"{(queue - 1) * PACKET} B",
            "output_queue_rate": rate,
            "trim": {"size": f"{HEADER} B", "lane": 1, "queue": f"{2 * queue * PACKET} B"},
            "switching": "store-and-forward",
            "forwarding_delay": "0 s",
            "arbiter": {"fifo": {}},
        },
        "adapters": {"mtu": f"{SEGMENT} B", "header": f"{HEADER} B", "ack": f"{HEADER} B"},
        "scheme": {
            "route": "ecmp",
            "mark": {
                "red": {
                    "min": f"{low * PACKET} B",
                    "max": f"{high * PACKET} B",
                    "probability": 1.0,
                    "for_rate": rate,
                    "spare_last_hop": credit,
                }
            },
            "transport": {"uet": transport(row, options, trip, queue, gbps)},
        },
        "traffic": [
            {
                "name": f"{index}_{source}_{destination}",
                "from": f"h{source}",
                "to": f"h{destination}",
                "message": f"{size} B",
                "arrivals": {"messages": {"count": 1}},
            }
            | ({"start": f"{start} us"} if start else {})
            for index, (source, destination, size, start) in enumerate(flows)
        ],
        "measure": {"duration": "30 ms" if hosts <= 1024 else "600 ms", "probes": ["flows", "transport"]},
    }


def transport(row, options, trip, queue, gbps):
    """The transport of a run."""
    initial = {"initial_window": int(row["initial_cwnd"])} if row["initial_cwnd"] else {}
    over = int(row["oversubscription"])
    control = over > 1 and row["algorithm"] == "rccc"
    grants = {"oversubscribed": {"ratio": float(over)}} if control else {}
    timeout = 15e-6 + 6 * queue * PACKET * 8 / (gbps * 1e9)
    return {
        "congestion_control": row["algorithm"],
        "nscc": initial if row["algorithm"] in ("nscc", "both") else {},
        "rccc": grants,
        "paths": {row["load_balancer"]: {"paths": int(row["paths"])}},
        "round_trip": f"{round(trip * 1e12)} ps",
        "timeout": f"{round(timeout * 1e12)} ps",
        "ack_after": f"{int(options.get('sack_threshold', 16384))} B",
        "control_lane": 1,
    }


def fabric(row, hosts, gbps, failed):
    """Topology and number of tiers: a full tree of three tiers, or leaves and spines."""
    over = int(row["oversubscription"])
    if row["topology"].startswith("default_fat_tree_3tier"):
        radix = round((4 * hosts) ** (1 / 3))
        if not failed and hosts > 2:
            return {"fat-tree": {"radix": radix, "layers": 3}}, 3
        return {"graph": three_tiers(radix, gbps, failed)}, 3
    down, spines = LEAF_SPINE[hosts]
    return {"graph": two_tiers(hosts, down, spines // over, gbps, failed)}, 2


LEAF_SPINE = {1024: (32, 32), 8192: (64, 64)}
"""Hosts of a leaf, and spines without oversubscription."""


def two_tiers(hosts, down, spines, gbps, failed):
    """Leaves and spines; all links of the first `failed` spines are slow, in both directions."""
    leaves = hosts // down
    slow = {"rate": f"{gbps * SLOW:g} Gbit/s"}
    links = [{"a": f"h{host}", "b": f"leaf{host // down}"} for host in range(hosts)]
    links += [
        {"a": f"leaf{leaf}", "b": f"spine{spine}"} | (slow if spine < failed else {})
        for leaf in range(leaves)
        for spine in range(spines)
    ]
    switches = [f"leaf{k}" for k in range(leaves)] + [f"spine{k}" for k in range(spines)]
    return {"hosts": [f"h{host}" for host in range(hosts)], "switches": switches, "links": links}


def three_tiers(radix, gbps, failed):
    """The full tree; the first `failed` links from cores down to aggregation switches are slow, counted from the first
    aggregation switch of the first pod on.
    """
    half = radix // 2
    hosts, pods = half**2 * radix, radix
    slow = {"rate": f"{gbps} Gbit/s", "rate_back": f"{gbps * SLOW:g} Gbit/s"}
    links = [{"a": f"h{host}", "b": f"edge{host // half}"} for host in range(hosts)]
    for pod in range(pods):
        for edge in range(half):
            links += [{"a": f"edge{pod * half + edge}", "b": f"agg{pod * half + a}"} for a in range(half)]
    for pod in range(pods):
        for a in range(half):
            for up in range(half):
                is_slow = pod == 0 and up + a * half < failed
                link = {"a": f"agg{pod * half + a}", "b": f"core{a * half + up}"}
                links.append(link | (slow if is_slow else {}))
    names = {"edge": pods * half, "agg": pods * half, "core": half * half}
    switches = [f"{kind}{k}" for kind, count in names.items() for k in range(count)]
    return {"hosts": [f"h{host}" for host in range(hosts)], "switches": switches, "links": links}
