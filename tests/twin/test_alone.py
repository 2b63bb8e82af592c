"""The twin by itself: laws, and results that can be computed by hand."""

from collections import defaultdict

import pytest
from random_scenarios import random_scenario
from reference import Fabric, run
from reference.network.idle import time_there
from reference.rng import Rng

HPL = {
    "links": {"rate": "1 GB/s", "flow_control": "packet-slots"},
    "switches": {
        "buffer": "4 packets",
        "read_ports": "one",
        "arbiter": {"fifo": {"bypass_limit": 4}},
        "forwarding_delay": "40 ns",
    },
}


def share(result, start, end, wanted):
    """Share of a 1 byte/ns link that the given flows got between two instants (ps)."""
    size = 2068
    got = sum(size for f, _, t, _, _ in result.deliveries if start <= t < end and wanted(result.flows[f].name))
    return got * 1000 / (end - start)


def test_the_generator_is_the_published_one():
    rng = Rng(1, "x", 0)
    rng.state = 0
    assert [rng.next(), rng.next()] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


@pytest.mark.parametrize(
    ("switching", "expected"),
    [
        # The head waits half a packet time so that the trunk, twice as fast, does not run dry.
        ("cut-through", 3 * 5_000 + 2 * 100_000 + 1_034_000 + 2_068_000),
        ("store-and-forward", 3 * 5_000 + 2 * 100_000 + 2 * 2_068_000 + 1_034_000),
    ],
)
def test_an_empty_path_takes_its_time(switching, expected):
    result = run(
        {
            "topology": "test-bed",
            "links": {"rate": "1 GB/s", "delay": "5 ns"},
            "switches": {"switching": switching, "forwarding_delay": "100 ns"},
            "traffic": [{"from": "H1", "to": "H4", "arrivals": {"messages": {"count": 1}}, "start": "1 us"}],
            "measure": {"duration": "20 us"},
        }
        | {"topology": {"test-bed": {}}}
    )
    assert result.deliveries == [(0, 0, 1_000_000 + expected, False, 1_000_000)]


@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("crossbar", ["0.5 GB/s", "1 GB/s", "1.5 GB/s", "2 GB/s", "4 GB/s"])
def test_the_time_of_an_idle_path_is_that_of_a_lone_packet(crossbar, switching):
    """Links of hosts have 1 GB/s, that between switches twice as much."""
    scenario = {
        "topology": {"test-bed": {}},
        "links": {"rate": "1 GB/s", "delay": "5 ns"},
        "switches": {"switching": switching, "forwarding_delay": "100 ns", "crossbar": crossbar},
        "traffic": [{"from": "H1", "to": "H4", "arrivals": {"messages": {"count": 1}}}],
        "measure": {"duration": "40 us"},
    }
    fabric = Fabric(scenario)
    source, destination = (fabric.graph.hosts.index(name) for name in ("H1", "H4"))
    (delivery,) = run(scenario).deliveries
    assert time_there(fabric, source, destination, fabric.setup.mtu + fabric.setup.header) == delivery[2]


def test_five_local_and_one_remote_contender_share_equally():
    """HPL-2002-4 figure 2(a): all six buffers before the root are full, so each gets about a sixth; the victim too."""
    result = run(
        HPL
        | {
            "topology": {"two-switch": {"local": 5, "remote": 1}},
            "traffic": [
                {"from": ["local", "remote"], "to": "B_C", "stagger": "10 us"},
                {"from": "A_V", "to": "B_V", "start": "60 us"},
            ],
            "measure": {"duration": "6 ms"},
        }
    )
    for flow in result.flows:
        name = flow.name
        assert share(result, 10**9, 6 * 10**9, lambda n, name=name: n == name) == pytest.approx(1 / 6, abs=0.025)


def test_a_victim_of_the_two_switch_hot_spot_starves():
    """ECN evaluation figure 2: remote traffic gets 4 of 14 turns at the root, the victim one of about 7 of those."""
    result = run(
        HPL
        | {
            "topology": {"two-switch": {"local": 10, "remote": 10}},
            "adapters": {"window": 1},
            "traffic": [
                {"from": ["local", "remote"], "to": "B_C", "stagger": "100 us"},
                {"from": "A_V", "to": "B_V", "start": "4 ms"},
            ],
            "measure": {"duration": "12 ms"},
        }
    )
    window = 5 * 10**9, 12 * 10**9
    assert share(result, *window, lambda name: name == "A_V->B_V") == pytest.approx(0.041, abs=0.008)
    assert share(result, *window, lambda name: name.startswith("A")) == pytest.approx(0.327, abs=0.012)
    assert share(result, *window, lambda name: name.endswith("B_C")) == pytest.approx(1.0, abs=0.001)


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_lost_or_overtaken_and_every_credit_comes_back(seed):
    scenario = random_scenario(seed)
    for entry in scenario["traffic"]:
        entry["stop"] = "40 us"
    scenario["measure"]["duration"] = "1 s"
    result = run(scenario)
    fabric = result.fabric
    assert not fabric.agenda, "the network has come to rest"
    order = defaultdict(list)
    last = defaultdict(int)
    for flow, sequence, time, _, injected in result.deliveries:
        order[flow].append(sequence)
        assert injected < time
        assert time >= last[flow]
        last[flow] = time
    for flow in result.flows:
        if flow.destination is not None:
            assert order[flow.number] == list(range(flow.sequence)), "all that was sent came, in order"
        else:
            assert sorted(order[flow.number]) == list(range(flow.sequence))
        assert flow.outstanding == 0 or not flow.acknowledged or flow.epoch > 0
    for wire in fabric.wires:
        for room in wire.room:
            assert not any(room.used.values())
            assert room.shared == room.initial, "every unit has come back"
    for switch in fabric.switches:
        assert not any(entry.reading or any(entry.held) for entry in switch.inputs)
        assert not any(any(output.present) for output in switch.outputs)
