"""The engine against its twin where they once differed, or easily might: one small scenario a case."""

import pytest
from comparing import check

SWITCH = {
    "topology": {"single-switch": {"hosts": 4}},
    "links": {"rate": "8 Gbit/s"},
    "switches": {"buffer": "16 KiB"},
    "measure": {"duration": "200 us", "probes": ["deliveries"]},
}

# Marks all that leave while more than a packet waits; every notification takes a source 5 us further from line rate.
EAGER = {
    "preset": "ib-cc",
    "mark": {"fecn": {"enter": "2068 B", "gap": "0 B", "marking_rate": 0}},
    "react": {"cct": {"timer": "20 us", "limit": 20, "table": {"linear": {"delay": "5 us", "at": 1}}}},
}


def with_react(**changes) -> dict:
    """The eager scheme with other parameters of its table."""
    return EAGER | {"react": {"cct": EAGER["react"]["cct"] | changes}}


QUANTA = [{"lane": lane, "quantum": "3000 B"} for lane in range(3)]
PAUSED_ABOVE_HALF_A_PACKET = {
    "pfc": {
        "threshold": {"static": {"xoff": "500 B", "xon": "0 B"}},
        "frame": "600 B",
        "losses": "count",
        "lossless": [2],
    }
}


def once(source: str, to: str, lane: int, count: int, start: str) -> dict:
    """Some packets of 1,000 bytes."""
    arrivals = {"messages": {"count": count}}
    return {"from": source, "to": to, "lane": lane, "message": "1000 B", "arrivals": arrivals, "start": start}


CASES = {
    "a pause frame after an idle time does not keep what a lane had left before": {
        "links": {
            "rate": "8 Gbit/s",
            "lanes": 3,
            "lane_arbiter": {"drr": {"shares": QUANTA}},
            "flow_control": PAUSED_ABOVE_HALF_A_PACKET,
        },
        "switches": {"buffer": "9 kB", "forwarding_delay": "40 ns"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": [
            once("H2", "H1", 0, 1, "0 ns"),
            once("H1", "H4", 2, 1, "1500 ns"),
            once("H2", "H1", 1, 6, "1638 ns"),
            once("H3", "H1", 0, 6, "1638 ns"),
        ],
    },
    "an output whose only queue is stopped waits for no credit": {
        "topology": {"k-ary-n-tree": {"k": 2, "n": 3}},
        "links": {"rate": "8 Gbit/s", "flow_control": "packet-slots"},
        "switches": {"buffer": "4 packets"},
        "adapters": {"mtu": "500 B"},
        "scheme": {"isolate": {"ccfit": {"detect": 0, "stop": 2, "go": 1}}},
        "traffic": [{"to": "h0", "from": ["h6", "h3", "h7"], "message": "501 B"}],
        "measure": {"duration": "20 us", "warm_up": "5 us", "probes": ["deliveries"]},
    },
    "a victim mask has the numbers that are printed on ports": {
        "topology": {
            "graph": {
                "hosts": ["H1", "H2", "H3"],
                "switches": ["S"],
                "links": [{"a": f"H{i}", "b": "S", "port_b": port} for i, port in ((1, 3), (2, 37), (3, 2))],
            }
        },
        "adapters": {"drain_rate": "4 Gbit/s", "receive_buffer": "4 KiB"},
        "scheme": EAGER | {"mark": {"fecn": EAGER["mark"]["fecn"] | {"victim_mask": {"ports": [2, 37]}}}},
        "traffic": [{"from": "H1", "to": "H2"}, {"from": "H3", "to": "H1"}],
    },
    "a steady source with a backlog makes nothing from its stop on": {
        "traffic": [
            {"from": "H1", "to": "H2", "arrivals": {"messages": {"count": 9, "every": "30 us"}}},
            {
                "from": "H1",
                "pattern": {"moving": {"to": ["H4", "H1"], "every": "40 us"}},
                "arrivals": {"steady": {"load": 0.9}},
                "stop": "70 us",
            },
        ]
    },
    "steady sources of one host share it by their rates": {
        "traffic": [
            {"from": ["H1", "H2", "H3"], "to": "H4", "name": "crowd", "stop": "60 us"},
            {"from": "H1", "to": "H4", "arrivals": {"steady": {"rate": "5 Gbit/s"}}},
            {"from": "H1", "pattern": "uniform", "arrivals": {"steady": {"load": 0.7}}},
            {
                "from": "H1",
                "pattern": {"moving": {"to": ["H2", "H1", "H3"], "every": "25 us"}},
                "arrivals": {"steady": {"rate": "1 Gbit/s"}},
            },
        ]
    },
    "a source makes nothing while the throttle of its service level is closed": {
        "scheme": with_react(per="sl"),
        "traffic": [
            {"from": ["H2", "H3"], "to": "H4", "name": "crowd", "stop": "120 us"},
            {"from": "H1", "to": "H4", "arrivals": {"steady": {"rate": "4 Gbit/s"}}},
            {"from": "H1", "pattern": "uniform", "arrivals": {"steady": {"rate": "4 Gbit/s"}}, "message": "3 KiB"},
        ],
    },
    "a lane without credit does not silence the sources of another": {
        "links": {"rate": "8 Gbit/s", "lanes": 2},
        "adapters": {"receive_buffer": "4 KiB", "drain_rate": "1 Gbit/s"},
        "traffic": [
            {"from": "H1", "to": "H2", "name": "held", "lane": 0},
            {"from": "H3", "to": "H2", "name": "rival", "lane": 0},
            {
                "from": "H1",
                "pattern": {"moving": {"to": ["H4", "H3"], "every": "20 us"}},
                "arrivals": {"steady": {"rate": "500 Mbit/s"}},
                "lane": 1,
            },
        ],
    },
    "the throttle of a service level outlives the ON periods of its flows": {
        "scheme": with_react(per="sl"),
        "traffic": [
            {"from": ["H1", "H2", "H3"], "to": "H4", "arrivals": {"on-off": {"on": "10 us", "off": "2 us"}}},
            {"from": ["H1", "H2"], "to": "H3", "name": "others"},
        ],
    },
    "a shared throttle that lets go lets all go": {
        "scheme": with_react(per="sl", limit=3, table={"delays": ["0 ns", "40 us", "3 us", "0 ns"]})
        | {"mark": {"fecn": {"enter": "0 B", "gap": "0 B", "marking_rate": 0, "fill": "sum"}}},
        "traffic": [
            {"from": ["H1", "H2", "H3"], "to": "H4", "arrivals": {"messages": {"count": 2}}},
            {"from": ["H1", "H2"], "to": "H3", "name": "others"},
        ],
    },
    "timers expire before notifications of the same instant": {
        "scheme": with_react(timer="2.068 us", timer_runs="free"),
        "adapters": {"ack": "64 B"},
        "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}],
    },
    "a lane that was alone for long has its weight all the same": {
        "links": {
            "rate": "8 Gbit/s",
            "lanes": 2,
            "lane_arbiter": {"weighted": {"low": [{"lane": 0, "weight": 255}, {"lane": 1, "weight": 1}]}},
        },
        "traffic": [
            {"from": "H1", "to": "H3", "name": "always"},
            {"from": "H2", "to": "H3", "lane": 1, "arrivals": {"messages": {"count": 5, "every": "31 us"}}},
        ],
    },
    "flows of one lane of a host take turns, whatever other lanes send in between": {
        "links": {
            "rate": "8 Gbit/s",
            "lanes": 2,
            "lane_arbiter": {"weighted": {"low": [{"lane": 0, "weight": 16}, {"lane": 1, "weight": 16}]}},
        },
        "traffic": [
            {"from": "H1", "to": "H2", "name": "alone"},
            {"from": "H1", "to": "H3", "lane": 1, "name": "together"},
            {"from": "H1", "to": "H4", "lane": 1, "name": "as well"},
        ],
    },
    "the packet of a NACK that adapts a window is among those in flight": {
        "topology": {"single-switch": {"hosts": 11}},
        "links": {
            "rate": "100 Gbit/s",
            "delay": "2 us",
            "lanes": 2,
            "lane_arbiter": {"strict": {"order": [1, 0]}},
            "flow_control": "none",
        },
        "switches": {
            "output_queue": "30 kB",
            "switching": "store-and-forward",
            "forwarding_delay": "0 ns",
            "arbiter": {"fifo": {}},
            "trim": {"size": "64 B", "lane": 1},
        },
        "adapters": {"mtu": "4086 B", "header": "64 B", "ack": "64 B"},
        "scheme": {
            "preset": "uec-nscc",
            "transport": {"uet": {"congestion_control": "nscc", "control_lane": 1, "round_trip": "9 us"}},
        },
        "traffic": [
            {
                "from": [f"H{host}" for host in range(2, 12)],
                "to": "H1",
                "message": "60 kB",
                "arrivals": {"messages": {"count": 1}},
            }
        ],
    },
    "all values of the preset": {
        "switches": {"buffer": "64 KiB"},
        "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}],
        "scheme": {"preset": "ib-cc"},
        "measure": {"duration": "2 ms", "probes": ["deliveries"]},
    },
}


@pytest.mark.parametrize("case", CASES)
def test_the_engine_does_what_its_twin_does(case):
    pytest.importorskip("congestree._engine", reason="the engine is not built: run `make setup`")
    check(SWITCH | CASES[case])
