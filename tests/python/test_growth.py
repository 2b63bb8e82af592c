"""The time for a packet-hop does not grow with the flows or messages that wait beside it."""

import pytest

from congestree.benchmark.measuring import run_alone

RUNS = 3
"""Runs of each length; the fastest counts, because others on the machine slow some down."""
MOST = 2.0
"""Times as long may a packet-hop take with four times as many: more than clocks err, less than if all were searched."""
MOST_OF_PORTS = 4.0
"""The same with four times as many ports, of which caches hold less; if all packets of the switch were searched, 13."""

SWITCH = {"single-switch": {"hosts": 4}}


def scenario(topology, traffic, duration, links=None, **others):
    links = {"rate": "100 Gbit/s", "delay": "500 ns"} | (links or {})
    entries = traffic if isinstance(traffic, list) else [traffic]
    return {"topology": topology, "links": links, "traffic": entries, "measure": {"duration": duration}} | others


def flows(count, links=None, beside=(), **others):
    """Two hosts begin `count` flows each at once, to a third."""
    bulk = {"name": "bulk", "from": ["H1", "H2"], "to": "H3", "message": "4000 B", "flows": "by-message"}
    bulk["arrivals"] = {"messages": {"count": count}}
    return scenario(SWITCH, [bulk, *beside], "100 ms", links, adapters={"mtu": "1000 B"}, **others)


def shares(lane_arbiter):
    return lambda count: flows(count, {"lanes": 2, "lane_arbiter": lane_arbiter})


def by_level(count):
    """A throttle for all flows of a service level; beside them goes one of another level."""
    small = {"name": "small", "from": ["H1", "H2"], "to": "H4", "message": "1000 B", "service": 1}
    small["arrivals"] = {"steady": {"load": 0.01}}
    return flows(count, beside=[small], scheme={"preset": "ib-cc", "react": {"cct": {"per": "sl"}}})


def tags(count):
    """A rank sends the other messages with as many tags, all at once, over a transport that delivers in any order."""
    sends = "".join(f"s{i}: send 100b to 1 tag {i}\n" for i in range(count))
    receives = "".join(f"r{i}: recv 100b from 0 tag {i}\n" for i in range(count))
    text = f"num_ranks 2\nrank 0 {{\n{sends}}}\nrank 1 {{\n{receives}}}\n"
    job = {"name": "job", "from": ["H1", "H2"], "program": {"text": text}}
    lossy = {"switches": {"output_queue": "200 kB"}, "links": {"flow_control": "none"}}
    return scenario(SWITCH, job, "10 ms", **lossy, scheme={"preset": "uec-nscc"})


def senders(preset):
    def incast(count):
        traffic = {"name": "in", "from": [f"H{i + 2}" for i in range(count)], "to": "H1", "message": "1 MB"}
        return scenario({"single-switch": {"hosts": count + 1}}, traffic, "4 ms", scheme={"preset": preset})

    return incast


CASES = {
    "messages with different tags, in any order": (tags, 8_000, MOST),
    "lanes in turn": (lambda count: flows(count, {"lanes": 2}), 8_000, MOST),
    "strict lanes": (shares("strict"), 8_000, MOST),
    "lanes with weights": (
        shares({"weighted": {"low": [{"lane": 0, "weight": 64}, {"lane": 1, "weight": 64}]}}),
        8_000,
        MOST,
    ),
    "lanes with quanta": (
        shares({"drr": {"shares": [{"lane": 0, "quantum": "10 kB"}, {"lane": 1, "quantum": "10 kB"}]}}),
        8_000,
        MOST,
    ),
    "throttles by service level": (by_level, 8_000, MOST),
    "naive": (senders("naive"), 32, MOST_OF_PORTS),
    "input-triggered": (senders("input-triggered"), 32, MOST_OF_PORTS),
    "input-output-triggered": (senders("input-output-triggered"), 32, MOST_OF_PORTS),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_packet_hop_takes_as_long_among_many(case):
    make, few, most = CASES[case]

    def time_per_hop(count):
        runs = [run_alone(make(count)) for _ in range(RUNS)]
        return min(run["cpu_s"] + run["check_s"] for run in runs) / runs[0]["packet_hops"]

    assert time_per_hop(4 * few) < most * time_per_hop(few)
