"""The fabric, the five schemes and the traffic of HPCC's published slowdowns; and two flows on one link.

One set of parameters: those of the authors' `run.py` for links of 100 Gbit/s, with eta 0.99 and no additive stage as on
their page of results. The README has the readings of what is open.
"""

from copy import deepcopy

LINE = 100e9
"""bit/s, of a host."""
PAYLOAD, HEADER, ACK = 1000, 48, 60
RECORDS, STAMP, CODE = 42, 8, 1
"""Bytes of telemetry: five records of 8 B and two more (HPCC-INT), a time stamp (TIMELY), a code (HPCC-PINT)."""
MEAN = 1_711_250
"""Mean payload of a flow, from the table of sizes. All of its rows are whole packets, so that the mean number of
packets is half a packet more than this payload."""
TRIP = "12240 ns"
"""Base round-trip time of hosts in different pods: 12 us, and 1,000 B on each link."""
WINDOW = 153
"""Packets of 1,000 B that a link of 100 Gbit/s carries in this time: the window of all pairs, however near, as in the
authors' `run.py` (GLOBAL_T), in bytes of payload, as their simulator counts unacknowledged data."""
RACKS, HOSTS, PODS, CORES = 20, 16, 5, 16
PAIR_US = 400
"""Length of the run of two flows; the second begins in the middle."""


def trip_of_window(telemetry):
    """The round-trip time in which a link carries this many packets with their headers."""
    return f"{WINDOW * (PAYLOAD + HEADER + telemetry) * 8 / LINE * 1e9:.2f} ns"


def hpcc(**more):
    """HPCC as it was run."""
    react = {"u_target": 0.99, "mi_thresh": 0, "rate_ai": "40 Mbit/s", "min_rate": "1 Gbit/s", "round_trip": TRIP}
    return {"react": {"hpcc": react | more}}


def marks(low, high, share):
    """Marks at links of 100 Gbit/s, in proportion elsewhere; in kB."""
    red = {"min": f"{low} kB", "max": f"{high} kB", "probability": share, "for_rate": "100 Gbit/s"}
    return {"mark": {"red": red}}


SCHEMES = {
    "HPCC-INT": (hpcc(), RECORDS),
    "HPCC-PINT": (hpcc(pint={"log_base": 1.05}), CODE),
    "DCQCN+w": (
        {
            "preset": "dcqcn-vendor",
            "notify": "ack",
            "react": {
                "dcqcn": {
                    "alpha_period": "1 us",
                    "cut_period": "4 us",
                    "increase_timer": "300 us",
                    "alpha_grows": "periodically",
                    "clamp_target": "after-increase",
                    "byte_counter": "0 B",
                    "stages": 1,
                    "additive": "20 Mbit/s",
                    "hyper": "200 Mbit/s",
                    "min_rate": "1 Gbit/s",
                    "window": "bdp-at-rate",
                    "round_trip": trip_of_window(0),
                }
            },
            **marks(400, 1600, 0.2),
        },
        0,
    ),
    "TIMELY+w": (
        {
            "react": {
                "timely": {
                    "model": "hpcc",
                    "additive": "100 Mbit/s",
                    "hyper_times": 5,
                    "min_rate": "1 Gbit/s",
                    "window": "bdp-at-rate",
                    "round_trip": trip_of_window(STAMP),
                }
            }
        },
        STAMP,
    ),
    "DCTCP": (
        {
            "react": {
                "dctcp": {
                    "initial_window": WINDOW,
                    "largest_window": WINDOW,
                    "least_window": 2,
                    "slow_start": False,
                }
            },
            **marks(300, 300, 1.0),
        },
        0,
    ),
}
"""By name: the scheme, and the bytes of its telemetry in every packet."""


def fabric():
    """320 hosts in 20 racks of five pods; every rack has a link of 400 Gbit/s to each of the four switches of its pod,
    each of which has one to each of four of the 16 cores."""
    fast = {"rate": "400 Gbit/s"}
    hosts = [f"h{host}" for host in range(RACKS * HOSTS)]
    links = [{"a": host, "b": f"tor{number // HOSTS}"} for number, host in enumerate(hosts)]
    racks, up = RACKS // PODS, CORES // 4
    for rack in range(RACKS):
        links += [{"a": f"tor{rack}", "b": f"agg{rack // racks * 4 + k}"} | fast for k in range(4)]
    for agg in range(4 * PODS):
        links += [{"a": f"agg{agg}", "b": f"core{agg % 4 * up + k}"} | fast for k in range(up)]
    counts = {"tor": RACKS, "agg": 4 * PODS, "core": CORES}
    switches = [f"{kind}{number}" for kind, count in counts.items() for number in range(count)]
    return {"hosts": hosts, "switches": switches, "links": links}


def common(name, seed, scheme, telemetry=None):
    """Common to all runs: links, switches, hosts, the scheme by its name; other bytes of telemetry, if given."""
    parts, usual = SCHEMES[scheme]
    telemetry = usual if telemetry is None else telemetry
    return {
        "name": name,
        "seed": seed,
        "links": {
            "rate": "100 Gbit/s",
            "delay": "1 us",
            "flow_control": {
                "pfc": {"threshold": {"dynamic": {"alpha": 0.125, "for_rate": "100 Gbit/s", "offset": "3072 B"}}}
            },
        },
        "switches": {
            "switching": "store-and-forward",
            "forwarding_delay": "0 s",
            "shared_memory": {"size": "32 MiB", "reserved": "4096 B"},
        },
        "adapters": {
            "mtu": f"{PAYLOAD} B",
            "header": f"{HEADER + telemetry} B",
            "ack": f"{ACK if telemetry < RECORDS else 46 + telemetry} B",
        },
        "scheme": deepcopy({"route": "ecmp", **parts}),
    }


def web(name, scheme, load, arrivals_ms, duration_ms, seed=1, telemetry=None):
    """Flows of the web search table from every host to any other, until `arrivals_ms`."""
    found = common(name, seed, scheme, telemetry)
    header = HEADER + (SCHEMES[scheme][1] if telemetry is None else telemetry)
    # The load is that of payload; here it is given in bytes on the wire.
    wires = 1 + header * (MEAN / PAYLOAD + 0.5) / MEAN
    found["topology"] = {"graph": fabric()}
    found["traffic"] = [
        {
            "name": "web",
            "from": "all",
            "pattern": "uniform",
            "flows": "by-message",
            "sizes": {"cdf": "web-search"},
            "arrivals": {"poisson": {"load": load / 100 * wires}},
            "stop": f"{arrivals_ms} ms",
        }
    ]
    found["measure"] = {
        "duration": f"{duration_ms} ms",
        "bin": "100 us",
        "deadlock_timeout": "10 ms",
        "probes": ["completions", "pauses", "output-queues"],
    }
    return found


def pair(name):
    """A flow alone, and a second to the same host from the middle on, with the paper's own settings."""
    found = common(name, 1, "HPCC-INT")
    found["scheme"]["react"]["hpcc"] = {"u_target": 0.95, "mi_thresh": 5}
    found["topology"] = {"single-switch": {"hosts": 3}}
    found["traffic"] = [
        {"name": "old", "from": "H1", "to": "H3"},
        {"name": "new", "from": "H2", "to": "H3", "start": f"{PAIR_US // 2} us"},
    ]
    found["measure"] = {"duration": f"{PAIR_US} us", "bin": "2 us", "probes": ["flows", "pauses", "output-queues"]}
    return found
