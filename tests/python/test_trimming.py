"""Trimmed packets: each goes on to the host it is for, and is counted once."""

import pytest

import congestree

DETOURS = """
topology.dragonfly = { p = 2, a = 4, h = 2 }
links = { rate = "100 Gbit/s", delay = "500 ns", lanes = 2, lane_arbiter.strict.order = [1, 0], flow_control = "none" }
adapters = { mtu = "4086 B", header = "64 B", ack = "64 B" }
scheme = { preset = "uec-both", transport.uet = { congestion_control = "both", control_lane = 1 } }
traffic = [{ from = "all", pattern = "permutation", message = "300 kB", arrivals.messages.count = 2 }]
measure = { duration = "1 ms", audit = true }

[switches]
output_queue = "60 kB"
switching = "store-and-forward"
arbiter.fifo = {}
trim = { size = "64 B", lane = 1 }
"""

INCAST = """
topology.single-switch.hosts = 9
links = { rate = "100 Gbit/s", delay = "1 us", lanes = 2, flow_control = "none" }
adapters = { mtu = "4086 B", header = "64 B", ack = "64 B" }
scheme = { preset = "uec-nscc", transport.uet = { congestion_control = "nscc", control_lane = 0 } }
measure = { duration = "2 ms", bin = "1 ms", probes = ["flows", "output-queues"] }

[switches]
output_queue = "20 kB"
switching = "store-and-forward"
arbiter.fifo = {}
trim = { size = "64 B", lane = 1, queue = "64 B" }

[[traffic]]
from = ["H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9"]
to = "H1"
message = "100 kB"
arrivals.messages.count = 1
"""


@pytest.mark.parametrize("victim", ["either", "arriving"])
@pytest.mark.parametrize("route", ["valiant", "ugal", "par"])
def test_every_host_gets_what_was_sent_to_it_whichever_packet_is_trimmed_on_a_detour(route, victim):
    values = {"scheme.route": route, "switches.trim.victim": victim}
    whole, halves = (congestree.run(DETOURS, values=values, threads=threads) for threads in (1, 2))
    assert whole.ports["dropped"].sum() > 100
    to_hosts = whole.ports["to"].str.starts_with("h")
    payload = whole.ports["bytes"] - 64 * whole.ports["packets"]
    assert set(payload.filter(to_hosts)) == {2 * 300_000}
    assert halves.manifest["fingerprint"] == whole.manifest["fingerprint"]


def test_a_packet_whose_payload_and_header_find_no_room_is_lost_once():
    run = congestree.run(INCAST)
    lost = run.flows["dropped"].sum()
    assert lost > 100
    assert run.ports.filter(run.ports["name"] == "S->H1")["dropped"].to_list() == [lost]
    assert run.output_queue_series["dropped"].sum() == lost


def test_the_queue_of_headers_is_as_much_longer_at_a_faster_link_as_that_of_data():
    """Both are for 25 Gbit/s, and these links have four times as much; written out or not, the same packets go."""
    fourfold = {"switches.output_queue": "5 kB", "switches.output_queue_rate": "25 Gbit/s"}
    for whole, quarter in ((None, None), ("1280 B", "320 B")):
        same = congestree.run(INCAST, values={"switches.trim.queue": whole})
        scaled = congestree.run(INCAST, values=fourfold | {"switches.trim.queue": quarter})
        assert same.value("dropped") > 100
        assert scaled.fingerprint == same.fingerprint
        costs = (congestree.check(run.scenario)["cost"]["all"] for run in (same, scaled))
        assert next(costs) == next(costs)


def test_a_queue_of_headers_without_room_for_one_at_the_slowest_link_is_refused():
    values = {"switches.output_queue": "80 kB", "switches.output_queue_rate": "400 Gbit/s"}
    with pytest.raises(congestree.ScenarioError) as refused:
        congestree.check(INCAST, values=values)
    said = str(refused.value)
    assert "switches.trim.queue" in said and "(100 Gbit/s) 16 B have no room for a header of 64 B" in said
    assert "make it at least 256 B" in said
    congestree.check(INCAST, values=values | {"switches.trim.queue": "256 B"})


ACKS = """
topology.single-switch.hosts = 5
links = { rate = "100 Gbit/s", delay = "1 us", lanes = 2, lane_arbiter.strict.order = [1, 0], flow_control = "none" }
adapters = { mtu = "64 B", header = "64 B", ack = "512 B" }
scheme.preset = "uec-nscc"
scheme.mark = "none"
traffic = [
    { from = "H1", to = "H2" }, { from = "H1", to = "H3" }, { from = "H1", to = "H4" }, { from = "H1", to = "H5" },
]
measure = { duration = "100 us", probes = ["output-queues"] }

[switches]
output_queue = "20 kB"
switching = "store-and-forward"
arbiter.fifo = {}
trim = { size = "64 B", lane = 1, victim = "arriving" }

[scheme.transport.uet]
congestion_control = "none"
ack_after = "1 B"
round_trip = "5 us"
"""


@pytest.mark.parametrize(("values", "room"), [({}, 20_000), ({"scheme.transport.uet.control_lane": 1}, 40_000)])
def test_control_packets_beyond_the_queue_of_their_lane_are_dropped(values, room):
    """ACKs are larger than the packets that they answer, so that they pile up at the output to their host."""
    run = congestree.run(ACKS, values=values)
    assert 0.9 * room < run.output_queue_series["most"].max() <= room
    assert run.ports.filter(run.ports["name"] == "S->H1")["dropped"][0] > 1000


def test_a_header_that_fills_the_queue_of_its_lane_to_the_byte_goes_on():
    """Of three packets at once one is sent, one waits, and one is trimmed: its header tells, and no timer has to."""
    senders = {"traffic.0.from": ["H2", "H3", "H4"], "traffic.0.message": "4 kB"}
    run = congestree.run(INCAST, values=senders | {"switches.output_queue": "10 kB"})
    assert [run.flows[name].sum() for name in ("dropped", "resent", "timeouts")] == [1, 1, 0]
