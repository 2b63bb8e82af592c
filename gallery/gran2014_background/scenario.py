"""Networks of the thesis: the test bed without slow hosts, one switch, a mesh of private links, a tree.

Links carry 16 Gbit/s, the link between two switches twice that, buffers have 32 KiB. Hosts are as fast as their links
unless a run is about slow ones.
"""

from ..gran_common.scenario import MTU, WIRE, congestion_control, ms, test_bed

RATE = 16e9
"""Data rate of a host's link, bit/s."""
PACKET_S = 8 * WIRE / RATE
"""Time of a full packet on it, s."""
HOT = ("H2", "H6", "H7")
"""Senders to H5 in figure 2.4."""
COLD = ("H1", "H4")


def figure_2_4(cold, queues, *, duration_ms=20, name=""):
    """Three hosts send to H5, and H1 to H4 if `cold`.

    queues: "single", "voq", "net", a lane a destination, or "hfdi", which sets hot flows aside.
    """
    flows = {host: {"from": host, "to": "H5"} for host in HOT}
    if cold:
        flows["cold"] = {"from": COLD[0], "to": COLD[1], "lane": int(queues == "net")}
    scenario = test_bed(
        flows,
        starts=dict.fromkeys(flows, 0),
        inject=None,
        drain=None,
        receive_buffer=None,
        links={"lanes": 2} if queues == "net" else None,
        switches=queued(queues),
        probes=("queues", "ports"),
        name=name,
    )
    if queues == "hfdi":
        scenario["scheme"] = {"preset": "hfdi"}
    return timed(scenario, duration_ms)


def queued(queues):
    """Keys of `switches`: a single FIFO has one head, and so one packet at a time to be read."""
    return {"queues": "single", "read_ports": "one"} if queues == "single" else {"queues": "voq"}


def timed(scenario, duration_ms, warm_up_ms=None, bin_ms=None):
    """The scenario with another length; the first fifth is not counted."""
    warm_up_ms = duration_ms / 5 if warm_up_ms is None else warm_up_ms
    scenario["measure"] |= {
        "duration": ms(duration_ms),
        "warm_up": ms(warm_up_ms),
        "bin": ms(bin_ms or duration_ms / 100),
    }
    return scenario


def one_switch(
    traffic, *, hosts=7, buffer="32 KiB", switches=None, adapters=None, scheme=None, probes=(), name="", **more
):
    """Hosts H1, H2, ... on one switch; traffic: {name: entry}."""
    return {
        "name": name,
        "topology": {"single-switch": {"hosts": hosts}},
        "links": {"rate": "16 Gbit/s", "flow_control": {"byte-credits": {"credit_delay": "20 ns"}}},
        "switches": {"buffer": buffer, "forwarding_delay": "100 ns"} | (switches or {}),
        "adapters": {"mtu": f"{MTU} B", "header": "26 B"} | (adapters or {}),
        "scheme": scheme or {"preset": "none"},
        "traffic": [{"name": label} | entry for label, entry in traffic.items()],
        "measure": {"duration": "5 ms", "probes": list(probes)} | more,
    }


def crowd(count, scheme, *, duration_ms=5, probes=(), name="", **changes):
    """The first `count` hosts all send to the last."""
    traffic = {f"F{i}": {"from": f"H{i}", "to": f"H{count + 1}"} for i in range(1, count + 1)}
    return one_switch(
        traffic, hosts=count + 1, scheme=scheme, duration=ms(duration_ms), probes=probes, name=name, **changes
    )


def low_order(queues, *, name=""):
    """Figure 2.6: three inputs with a packet for out2 at their heads, and the packets behind two of them.

    The heads arrive so shortly after each other that one is being sent and two wait when the packets behind them have
    arrived.
    """
    once = {"arrivals": {"messages": {"count": 1}}}
    traffic = {
        "first": {"from": "H3", "to": "H2", "start": "0 ns"},
        "green": {"from": "H4", "to": "H2", "start": "10 ns"},
        "last": {"from": "H1", "to": "H2", "start": "20 ns"},
        "red": {"from": "H4", "to": "H1", "start": "30 ns"},
        "purple": {"from": "H1", "to": "H3", "start": "40 ns"},
    }
    traffic = {label: entry | once for label, entry in traffic.items()}
    return one_switch(
        traffic, hosts=4, switches=queued(queues), probes=("deliveries",), duration="20 us", bin="20 us", name=name
    )


def private_links(load, *, nodes=8, name=""):
    """A full mesh: node j is a switch with its receiver, and every other node has a link of its own into it.

    The traffic from node i to node j has its own link, n{i}_{j}, into switch S{j}. The switches are connected in a
    row, since a network must be connected, but this row carries no traffic. All others send to node 0 as fast as they
    can, and to the rest at rates such that each receiver gets `load` of its link.
    """
    hosts, links = [], []
    for j in range(nodes):
        for host in (f"r{j}", *(f"n{i}_{j}" for i in range(nodes) if i != j)):
            hosts.append(host)
            links.append({"a": host, "b": f"S{j}"})
    links += [{"a": f"S{j}", "b": f"S{j + 1}"} for j in range(nodes - 1)]
    traffic = [{"name": "hot", "from": [f"n{i}_0" for i in range(1, nodes)], "to": "r0"}]
    for j in range(1, nodes):
        senders = [f"n{i}_{j}" for i in range(nodes) if i != j]
        traffic.append({"name": f"to{j}", "from": senders, "to": f"r{j}"})
        traffic[-1]["arrivals"] = {"poisson": {"load": load / (nodes - 1)}}
    scenario = one_switch({}, name=name, duration="20 ms", warm_up="4 ms")
    scenario["topology"] = {"graph": {"hosts": hosts, "switches": [f"S{j}" for j in range(nodes)], "links": links}}
    return scenario | {"traffic": traffic}


def tree(spread, load, *, duration_ms=10, name=""):
    """Figures 2.7 and 2.8: in a 4-ary 3-tree a host of every leaf switch of the other pods sends to h0.

    spread: packets for h0 go up by links that no two of these hosts share (so an adaptive network might send them);
    else by D-mod-K, all through one root switch. All other hosts send uniform traffic, `load` of their links.
    """
    senders = [f"h{4 * leaf}" for leaf in range(4, 16)]
    rest = [f"h{i}" for i in range(1, 64) if f"h{i}" not in senders]
    scenario = one_switch(
        {
            "hot": {"from": senders, "to": "h0"},
            "rest": {"from": rest, "pattern": "uniform", "arrivals": {"poisson": {"load": load}}},
        },
        name=name,
        duration=ms(duration_ms),
        warm_up=ms(duration_ms / 5),
    )
    scenario["topology"] = {"k-ary-n-tree": {"k": 4, "n": 3}}
    scenario["routing"] = {"table": spread_routes(4)} if spread else "d-mod-k"
    return scenario


def spread_routes(k):
    """Tables for a k-ary 3-tree: up by the digits of the destination, but to h0 by those of the switch."""
    tables = {}
    hosts = [(host, host % k, host // k % k, host // k**2) for host in range(k**3)]
    for index in range(k * k):
        low, high = index % k, index // k
        leaf = tables[f"s0_{index}"] = {}
        middle = tables[f"s1_{index}"] = {}
        root = tables[f"s2_{index}"] = {}
        for host, digit, under, pod in hosts:
            up, further = (low, high) if host == 0 else (digit, under)
            here = (under, pod) == (low, high)
            leaf[f"h{host}"] = f"h{host}" if here else f"s1_{up + k * high}"
            middle[f"h{host}"] = f"s0_{under + k * pod}" if pod == high else f"s2_{low + k * further}"
            root[f"h{host}"] = f"s1_{low + k * pod}"
    return tables


def trees_through_a_port(trees, queues, *, name=""):
    """Hosts A1, A2 and V of the first of three switches send over the second to hosts of the third.

    Host Bn of the third sends to Rn together with An: a tree, whose path to An uses the only port by which the second
    switch is reached. queues: set-aside queues for hot flows at each port. The links between switches are no
    bottleneck.
    """
    ends = {"S0": ("A1", "A2", "V"), "S2": ("R1", "R2", "W", "B1", "B2")}
    links = [{"a": host, "b": switch} for switch, hosts in ends.items() for host in hosts]
    links += [{"a": a, "b": b, "rate": "64 Gbit/s"} for a, b in (("S0", "S1"), ("S1", "S2"))]
    traffic = {"victim": {"from": "V", "to": "W"}}
    traffic |= {f"tree{n}": {"from": [f"A{n}", f"B{n}"], "to": f"R{n}"} for n in range(1, trees + 1)}
    control = {"preset": "hfdi", "isolate": {"hfdi": {"queues": queues}}}
    scenario = one_switch(traffic, buffer="64 KiB", scheme=control, name=name)
    hosts = [host for some in ends.values() for host in some]
    scenario["topology"] = {"graph": {"hosts": hosts, "switches": ["S0", "S1", "S2"], "links": links}}
    return timed(scenario, 10)


def crowd_aside(*, name=""):
    """Three hosts crowd H4 from 1 to 2 ms, on a switch that sets aside at the root too; H5 sends to the idle H6."""
    traffic = {
        "burst": {"from": ["H1", "H2", "H3"], "to": "H4", "start": "1 ms", "stop": "2 ms"},
        "beside": {"from": "H5", "to": "H6", "arrivals": {"poisson": {"load": 0.5}}},
    }
    control = {"preset": "hfdi", "isolate": {"hfdi": {"local": True}}}
    scenario = one_switch(traffic, hosts=6, buffer="64 KiB", scheme=control, probes=("isolation",), name=name)
    return timed(scenario, 4, 0, 0.05)


def slow_host(mask, *, name=""):
    """H5 takes half of what its link carries; H2 sends to it over the link between the switches, next to H1's flow."""
    control = congestion_control(mark={"victim_mask": mask})
    flows = {"hot": {"from": "H2", "to": "H5"}, "beside": {"from": "H1", "to": "H4"}}
    flows["beside"]["arrivals"] = {"steady": {"load": 0.4}}
    scenario = test_bed(
        flows, starts=dict.fromkeys(flows, 0), inject=None, drain="8 Gbit/s", control=control, probes=(), name=name
    )
    return timed(scenario, 40, 20)
