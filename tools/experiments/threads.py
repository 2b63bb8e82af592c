"""How many times as fast are two threads, by what switches do? A fat tree of 288 hosts, uniform traffic and a hot spot;
and an exchange of experts on rails, whose nodes are in both parts.

By wall time, runs in turn, each in a fresh process; the results must be the same.
See docs/adr/0015-parts-and-windows.md.

    python tools/experiments/threads.py
"""

import statistics
import sys

from congestree.benchmark.measuring import run_alone
from congestree.benchmark.scenarios import experts

TIMES = 5
PLAIN = {
    "seed": 1,
    "topology": {"fat-tree": {"radix": 24, "layers": 2}},
    "links": {"rate": "100 Gbit/s", "delay": "250 ns", "flow_control": {"byte-credits": {}}},
    "switches": {"buffer": "64 KiB", "queues": "voq", "read_ports": "all", "forwarding_delay": "100 ns"},
    "traffic": [
        {"name": "all", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.6}}},
        {
            "name": "hot",
            "from": [f"h{host}" for host in range(1, 288, 18)],
            "to": "h0",
            "arrivals": {"poisson": {"load": 0.2}},
        },
    ],
    "measure": {"duration": "2 ms"},
}
PFC = {"links": {"flow_control": "pfc"}, "switches": {"buffer": "256 KiB"}}


def _with_delays(scenario, inside):
    """A scenario with credits that take the cable, and links inside nodes that take time, as those of NVLink do."""
    links, adapters = scenario["links"], scenario["adapters"]
    node = {**adapters["node"], "delay": inside}
    return {
        **scenario,
        "links": {**links, "flow_control": {"byte-credits": {}}},
        "adapters": {**adapters, "node": node},
    }


def _until_delivered(scenario):
    """A scenario in which what waits for a send waits until its message is in."""
    [traffic] = scenario["traffic"]
    return {**scenario, "traffic": [{**traffic, "job": {**traffic.get("job", {}), "send_end": "delivered"}}]}


EXPERTS = _with_delays(experts({}), "400 ns")
CASES = {
    "credits": {},
    "credits in messages (CBFC)": {"links": {"flow_control": {"byte-credits": {"messages": {}}}}},
    "crossbar, 200 Gbit/s": {"switches": {"crossbar": "200 Gbit/s", "output_packets": 2}},
    "pauses": PFC,
    "pauses, queues by flow (BFC)": {**PFC, "scheme": {"preset": "bfc"}},
    "pauses, regions (RCM)": {**PFC, "scheme": {"schedule": "rcm"}},
    "credits, one packet of 1,000 sent again (LLR)": {
        "links": {"flow_control": {"byte-credits": {}}, "errors": {"packets": 0.001}, "retry": {}}
    },
    "credits, experts on rails, 400 ns": EXPERTS,
    "the same, sends end when delivered": _until_delivered(EXPERTS),
    "credits, trees every 10 us": {"measure": {"probes": ["trees"], "sampling_interval": "10 us"}},
}


def _scenario(changes):
    if "topology" in changes:
        return changes
    return {**PLAIN, **{key: {**PLAIN.get(key, {}), **value} for key, value in changes.items()}}


def main():
    """Print a row a case: packet-hops per second of one thread and of two, and the ratio: medians."""
    print("| switches | packet-hops | one thread | two threads | two / one, least and most |")
    print("| --- | --- | --- | --- | --- |")
    for name, changes in CASES.items():
        scenario = _scenario(changes)
        pairs = [[run_alone(scenario, threads=threads) for threads in (1, 2)] for _ in range(TIMES)]
        if {(one["parts"], two["parts"]) for one, two in pairs} != {(1, 2)}:
            sys.exit(f"{name}: not in two parts")
        if len({run["packet_hops"] for pair in pairs for run in pair}) > 1:
            sys.exit(f"{name}: the results of different parts differ")
        rate = [
            statistics.median(pair[place]["packet_hops"] / pair[place]["wall_s"] for pair in pairs) for place in (0, 1)
        ]
        ratios = sorted(one["wall_s"] / two["wall_s"] for one, two in pairs)
        middle = statistics.median(ratios)
        print(
            f"| {name} | {pairs[0][0]['packet_hops']:,} | {rate[0] / 1e6:.2f} M | {rate[1] / 1e6:.2f} M "
            f"| {middle:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
