"""One fabric, and two kinds of traffic on it, under every scheme.

    spines  s0 .. s3            every leaf has a link to every spine; routes are fixed, by destination (D-mod-K):
    leaves  0: h0 .. h3         what goes to h0, h4, h8 or h12 from another leaf goes by s0
            1: h4 .. h7, ...

All links carry 100 Gbit/s and are 500 ns long; a switch takes 200 ns.

*incast*: eight hosts, two of each leaf, send to h0 as fast as they can. Victims h6, h10 and h14 send to h12, h4 and h8,
which receive only short messages otherwise; a victim shares the link to s0 with two of the eight, and no other link
with any flow. With max-min fairness each of the eight has an eighth of the hot link, and a victim the rest of the link
that it shares: 74 %.

*exchange*: a job on twelve hosts, three a leaf, sends tokens to experts and back, layer after layer; some experts are
more popular than others, so that their hosts are incasts for a while. The other four hosts are a ring of another
tenant, each a victim that offers 40 % of a link: its links carry 55 % of the job's traffic on average, and no popular
expert is among its receivers.

Only the settings of links and switches that a scheme needs differ: `schemes.py`.
"""

from .schemes import BUFFER, CASES, CONTROL

RATE = 100e9
"""bit/s."""
PACKET, HEADER, ACK = 2048, 48, 64
"""Payload and header of a full packet, and an ACK; bytes."""
HOT, NEAR, FAR = "h0", ("h1", "h2"), ("h4", "h5", "h8", "h9", "h12", "h13")
VICTIMS = {"h6": "h12", "h10": "h4", "h14": "h8"}
"""Senders and their receivers."""
SHORT = {"h7": "h12", "h11": "h4", "h15": "h8"}
"""The sources and destinations of short messages."""
SHORT_LOAD = 0.01
"""At even intervals: a transport sends the messages of a connection in order, and bunches wait for themselves."""
FAIR = 1 - 2 / 8 - SHORT_LOAD
"""What max-min fairness leaves a victim of the incast, of a link."""
TENANT = {"h0": "h5", "h5": "h10", "h10": "h15", "h15": "h0"}
"""The ring next to the exchange: a host of each leaf, so that each hop uses another spine."""
TENANT_LOAD = 0.4
"""Share of a link that each of them offers."""
RANKS = [f"h{host}" for host in range(16) if f"h{host}" not in TENANT]
LOSSY = ("drop", "trim")


def incast(name, case, seed, duration_ms, warm_up_ms):
    """Eight to one, with victims and short messages."""
    measure = {"duration": f"{duration_ms} ms", "warm_up": f"{warm_up_ms} ms", "bin": "0.1 ms"}
    short = {"message": "2 KiB", "arrivals": {"steady": {"load": SHORT_LOAD}}, "jitter": "16 us"}
    traffic = [
        {"name": "far", "from": list(FAR), "to": HOT},
        {"name": "near", "from": list(NEAR), "to": HOT},
        *({"name": f"victim {one}", "from": one, "to": other} for one, other in VICTIMS.items()),
        *({"name": f"short {one}", "from": one, "to": other, **short} for one, other in SHORT.items()),
    ]
    return common(name, case, seed, traffic, measure, "latency")


def exchange(name, case, seed, layers):
    """A layer of experts after the other, and a ring of another tenant."""
    gate = {"zipf": {"experts": len(RANKS), "chosen": 2, "exponent": 0.5}}
    moe = {"tokens": 128, "layers": layers, "gate": gate}
    wanted = {"message": "256 kB", "arrivals": {"steady": {"load": TENANT_LOAD}}, "jitter": "50 us"}
    traffic = [
        {"name": "exchange", "from": RANKS, "program": {"moe": moe}},
        *({"name": f"victim {one}", "from": one, "to": other, **wanted} for one, other in TENANT.items()),
    ]
    return common(
        name, case, seed, traffic, {"duration": "60 ms", "bin": "0.1 ms", "until_jobs_end": True}, "messages", "latency"
    )


def common(name, case, seed, traffic, measure, *probes):
    """The common part of both: fabric, links, switches, hosts, the scheme."""
    links, scheme = CASES[case]
    queues = "output-queues" if links in LOSSY else "queues"
    probes = [queues, *probes, *(["pauses"] if links == "pfc" else [])]
    return {
        "name": name,
        "seed": seed,
        "topology": {"k-ary-n-tree": {"k": 4, "n": 2}},
        "links": {"rate": "100 Gbit/s", "delay": "500 ns", **LINKS[links], **lanes(scheme)},
        "switches": {**memory(links, scheme), "forwarding_delay": "200 ns", **scheme.get("switches", {})},
        "adapters": {
            "mtu": f"{PACKET} B",
            "header": f"{HEADER + scheme.get('telemetry', 0)} B",
            "ack": f"{ACK + scheme.get('telemetry', 0)} B",
        },
        "scheme": scheme["scheme"],
        "traffic": traffic,
        "measure": {**measure, "probes": probes},
    }


LINKS = {
    "credits": {"flow_control": {"byte-credits": {"block": "64 B", "credit_delay": "100 ns"}}},
    "pfc": {"flow_control": {"pfc": {"response": "100 ns"}}},
    "drop": {"flow_control": "none"},
    "trim": {"flow_control": "none"},
}


def lanes(scheme):
    """A second lane for those who need it: of equal right, but first if control packets of a transport travel in it."""
    if scheme.get("lanes", 1) == 1:
        return {}
    return {"lanes": 2} | (
        {"lane_arbiter": {"strict": {"order": [1, 0]}}} if scheme["family"] == "ultra ethernet" else {}
    )


def memory(links, scheme):
    """What switches have to hold packets in: at inputs where nothing is lost, at outputs where something is."""
    if links in LOSSY:
        found = {"output_queue": f"{BUFFER} KiB", "arbiter": {"fifo": {}}}
        return found | ({"trim": {"size": "64 B", "lane": 1}} if links == "trim" else {})
    if "voqnet" in str(scheme.get("switches")):
        return {}
    found = {"buffer": f"{BUFFER} KiB"}
    return found | ({"lane_buffers": [f"{BUFFER} KiB", f"{CONTROL} KiB"]} if scheme.get("lanes", 1) > 1 else {})
