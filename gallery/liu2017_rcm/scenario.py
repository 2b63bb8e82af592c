"""The two small experiments of the paper as scenarios: a burst into an incast, and a victim of one.

    burst (Fig. 6)                       victim (Fig. 7)

    i1 i2 i3 i4     b                        agg0
         |          |                       /    \\
        up0        up1            s1..s4 edge0    edge1  d0
          \\        /                 sv     \\    /       dv
           last -- d0                        agg1

All links carry 100 Gbit/s. Each experiment has only the switches of the fat tree of 12 ports that its flows pass: the
rest of the 432 hosts is silent; the whole tree is in `fabric`. The values that the paper leaves open are set here, once
for all runs; the README lists them.
"""

LINK = 100e9
"""bit/s."""
PACKET, HEADER = 1024, 48
"""Bytes of a full packet on the wire, and of its header (OQ-R07)."""
INCAST = ("i1", "i2", "i3", "i4")
BURST_US = (150, 170)
"""When BurstFlow sends."""
SENDERS = ("s1", "s2", "s3", "s4")

RED = {"red": {"min": "20 kB", "max": "80 kB", "probability": 0.1}}
DCQCN = {"alpha_period": "55 us", "increase_timer": "300 us", "byte_counter": "10 MB", "additive": "40 Mbit/s"}
LOOP = {"notify": {"cnp": {"interval": "50 us", "delay": "20 us"}}}
"""Hosts act on a notification 20 us after its arrival: the paper's loop from end to end outlasts its burst."""
REGION = {"root_control": True, "flow_sample_every": 11}
"""A root paces its flows too (sections 3.1 and 3.2). One packet of eleven is sampled for its flow: ten has a factor in
common with the period in which flows take turns (OQ-R02)."""
SCHEMES = {
    "pfc": {},
    "dcqcn": {"preset": "dcqcn-paper", "mark": RED, "react": {"dcqcn": DCQCN}} | LOOP,
    "vendor": {"preset": "dcqcn-vendor", "mark": RED} | LOOP,
}
"""The congestion control in addition to pauses (OQ-R06). `vendor`: every timer as adapters are shipped."""
SCHEMES |= {
    "rcm": SCHEMES["dcqcn"] | {"schedule": {"rcm": REGION}},
    "alone": {"schedule": {"rcm": REGION}},
    "rcm-vendor": SCHEMES["vendor"] | {"schedule": {"rcm": REGION}},
}
"""RCM over DCQCN, as the verdicts have it, and by itself (OQ-R08)."""
ENTRIES = {"flow_sampling": "by-chance", "flow_entries": "one-a-sample"}
"""Packets are sampled at random, and each sample has an entry (section 3.3)."""
CHANGED = {
    "noroot": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"root_control": False}}},
    "alonenoroot": {"schedule": {"rcm": REGION | {"root_control": False}}},
    "tenth": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"flow_sample_every": 10}}},
    "window": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"least_window": "2 us"}}},
    "always": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"windows_measured": "always"}}},
    "prompt": SCHEMES["rcm"] | {"notify": {"cnp": {"interval": "50 us"}}},
    "promptdcqcn": SCHEMES["dcqcn"] | {"notify": {"cnp": {"interval": "50 us"}}},
    "chance": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"flow_sampling": "by-chance"}}},
    "entries": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | ENTRIES}},
    "aloneentries": {"schedule": {"rcm": REGION | ENTRIES}},
    "first": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"pacing": "behind-others"}}},
    "alonefirst": {"schedule": {"rcm": REGION | {"pacing": "behind-others"}}},
    "both": SCHEMES["rcm"] | {"schedule": {"rcm": REGION | {"pacing": "both"}}},
}
"""RCM with one thing changed, in the small experiments: no pacing at roots, over DCQCN and alone; one packet of ten;
windows measured over 2 us; windows counted all the time, over 10 us; hosts that act at once, with RCM and without;
random samples; random samples that are all recorded, over DCQCN and alone; priority of other flows instead of windows,
and with them. Sensitivity: never judged."""
SMALL = SCHEMES | CHANGED
LASTING = ("pfc", "dcqcn", "vendor", "rcm", "alone", "rcm-vendor", "noroot", "entries", "first")
"""Schemes under which the victim is followed until hosts have settled."""
LAST_MS = {False: 300, True: 6}
"""For how long, in the full and in the quick form; the last third is read."""
SPLITS = {
    3: ("s1", "s2", "s3", "s4"),
    9: ("s1", "s4", "s2", "s3"),
    14: ("s2", "s4", "s1", "s3"),
    16: ("s1", "s3", "s2", "s4"),
    17: ("s3", "s4", "s1", "s2"),
    19: ("s1", "s4", "s2", "s3"),
    23: ("s2", "s3", "s1", "s4"),
    28: ("s1", "s3", "s2", "s4"),
}
"""The first seeds whose hashes put s1 ... s4 on the two paths two by two: first the two with a path of their own, then
those that share the path of sv (OQ-R10). Apart from this the senders are equal, so s1 and s2 are the former in all
results."""


def burst(scheme, name, seed=1):
    """Fig. 6: four flows through one port of the last switch, from 150 us on a burst through another."""
    links = [{"a": host, "b": "up0"} for host in INCAST]
    links += [{"a": a, "b": b} for a, b in (("b", "up1"), ("up0", "last"), ("up1", "last"), ("d0", "last"))]
    traffic = [{"name": host, "from": host, "to": "d0"} for host in INCAST]
    start, stop = BURST_US
    traffic.append({"name": "burst", "from": "b", "to": "d0", "start": f"{start} us", "stop": f"{stop} us"})
    topology = {"hosts": [*INCAST, "b", "d0"], "switches": ["up0", "up1", "last"], "links": links}
    return network({"graph": topology}, SMALL[scheme], traffic, name, seed, duration="300 us", bin="1 us")


def victim(scheme, name, seed, **rcm):
    """Fig. 7a: four flows to d0 and one to dv, over two paths by ECMP. `rcm`: other settings of RCM."""
    links = [{"a": host, "b": "edge0"} for host in (*SENDERS, "sv")]
    links += [{"a": a, "b": b} for a in ("edge0", "edge1") for b in ("agg0", "agg1")]
    links += [{"a": host, "b": "edge1"} for host in ("d0", "dv")]
    traffic = [{"name": host, "from": host, "to": "d0"} for host in SENDERS]
    traffic.append({"name": "sv", "from": "sv", "to": "dv"})
    switches = ["edge0", "edge1", "agg0", "agg1"]
    topology = {"hosts": [*SENDERS, "sv", "d0", "dv"], "switches": switches, "links": links}
    chosen = SMALL[scheme] | {"route": "ecmp"} | ({"schedule": {"rcm": REGION | rcm}} if rcm else {})
    return network({"graph": topology}, chosen, traffic, name, seed, duration="2 ms", bin="10 us")


def lasting(scheme, name, seed, quick=False):
    """A victim until hosts have settled: flows that all begin at line rate are cut to a sixteenth, and then rise."""
    scenario = victim(scheme, name, seed)
    scenario["measure"] = {"duration": f"{LAST_MS[quick]} ms", "bin": "1 ms", "probes": ["flows", "ports"]}
    return scenario


def network(topology, scheme, traffic, name, seed, *, duration, bin):
    """A scenario with the switches of the paper: virtual output queues and output queues, 100 kB each."""
    return {
        "name": name,
        "seed": seed,
        "topology": topology,
        "links": {
            "rate": "100 Gbit/s",
            "delay": "200 ns",
            "flow_control": {"pfc": {"counts": "queue", "threshold": {"static": {"xoff": "80 kB", "xon": "60 kB"}}}},
        },
        "switches": {
            "buffer": "100 kB",
            "output_buffer": "100 kB",
            "switching": "store-and-forward",
            "forwarding_delay": "200 ns",
        },
        "adapters": {"mtu": f"{PACKET - HEADER} B", "header": f"{HEADER} B"},
        "scheme": scheme,
        "traffic": traffic,
        "measure": {"duration": duration, "bin": bin, "probes": ["flows", "ports", *regions(scheme)]},
    }


def regions(scheme):
    """The probe of regions, if there are any."""
    return ["regions"] if "schedule" in scheme else []
