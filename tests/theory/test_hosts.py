"""Closed forms for real hosts: the time that adapters take for ACKs and for messages.

*Turnaround.* A lone flow with w packets outstanding has min(1, w T / (R + a)) of its link: T the time of a packet, R
the round trip from the start of a packet until the arrival of its ACK, a the time until the receiver sends the ACK.

*Messages.* A message takes S / C on the link and T0 to post: a queue pair of depth Q sends at
min(C, Q S / (T0 + S / C)), as each of its Q places is taken for T0 and S / C. Q queue pairs of depth 1 that share the
link packet by packet (p each) are in step: they start, and finish, one after the other, a packet apart. A round is
T0 + Q S / C - (Q - 1) p long and carries Q S, as long as T0 is longer than Q - 1 packets; of long messages that is the
fixed-cost law B = S / (T0 / Q + S / C).

*Notifications.* The reaction time of a source (`notify.cnp.delay`) does not occupy the receive buffer: the buffer is
free again when the notification has been drained.

*Sources that stop.* Packets that are in flight when the source of a transport goes OFF are acknowledged like all
others: on a lossless network no timer expires and nothing is retransmitted.
"""

import pytest
from fabrics import column, flow_packets, run, scenario


@pytest.mark.parametrize("switching", ["cut-through", "store-and-forward"])
@pytest.mark.parametrize("turnaround", [0, 1, 777_777, 5_000_000])
def test_a_turnaround_is_part_of_the_round_trip(turnaround, switching):
    """One packet of 1 us at a time over one switch, to the packet."""
    duration, packet, ack, forwarding = 5_000_000_000, 1_000_000, 20_000, 100_000
    adapters = {"window": 1, "ack": "20 B"}
    if turnaround:
        adapters["ack_turnaround"] = f"{turnaround} ps"
    switches = {"forwarding_delay": "100 ns", "switching": switching}
    described = scenario(
        {"single-switch": {"hosts": 2}}, [{"from": "H1", "to": "H2"}], "5 ms", switches=switches, adapters=adapters
    )
    again = 1 if switching == "store-and-forward" else 0
    one_way = packet + forwarding + again * packet
    round_trip = one_way + turnaround + ack + forwarding + again * ack
    assert flow_packets(run(described))["H1->H2"] == (duration - one_way) // round_trip + 1


@pytest.mark.parametrize("window", [1, 2, 4, 7, 8])
def test_many_acks_are_turned_around_at_a_time(window):
    """With a round trip of seven packet times, of which five are the turnaround, w packets flow each."""
    adapters = {"window": window, "ack": "20 B", "ack_turnaround": "5 us"}
    switches = {"forwarding_delay": "490 ns"}
    described = scenario(
        {"single-switch": {"hosts": 2}}, [{"from": "H1", "to": "H2"}], "10 ms", switches=switches, adapters=adapters
    )
    assert flow_packets(run(described))["H1->H2"] == pytest.approx(10_000 * min(1, window / 7), abs=window + 1)


def fraction(messages: dict, adapters: dict, milliseconds: int = 20, **others) -> float:
    """The part of its link that H1 has, with messages to H2 of ten packets of 1 us."""
    traffic = {"from": "H1", "to": "H2", "message": "9800 B"} | messages
    duration, hosts = f"{milliseconds} ms", {"single-switch": {"hosts": 2}}
    described = scenario(hosts, [traffic], duration, adapters=adapters, **others)
    return column(run(described), "flows", "packets").sum() / (1000 * milliseconds)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("cost", [5, 25, 60])
def test_a_queue_pair_posts_messages_while_others_are_sent(depth, cost):
    found = fraction({}, {"message_cost": f"{cost} us", "queue_depth": depth})
    assert found == pytest.approx(min(1, depth * 10 / (cost + 10)), abs=0.005)


def test_a_message_that_the_only_place_waits_for_is_posted_when_it_is_made():
    """It is known before it is made, and the ACK of the one before comes meanwhile: its cost is not paid in advance."""
    described = scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2", "message": "980 B", "arrivals": {"messages": {"count": 5, "every": "50 us"}}}],
        "1 ms",
        delay="10 us",
        adapters={"message_cost": "1 us", "queue_depth": 1, "window": 1},
        measure={"probes": ["deliveries"]},
    )
    result = run(described)
    waits = column(result, "deliveries", "injected_ps") - column(result, "deliveries", "created_ps")
    assert waits.tolist() == 5 * [1_000_000]


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("cost", [25, 60])
def test_queue_pairs_of_depth_one_work_in_rounds(pairs, cost):
    found = fraction({"queue_pairs": pairs}, {"message_cost": f"{cost} us", "queue_depth": 1})
    assert found == pytest.approx(pairs * 10 / (cost + pairs * 10 - (pairs - 1)), rel=0.005)


@pytest.mark.parametrize("pairs", [1, 2, 4, 16])
@pytest.mark.parametrize("cost", [100, 400])
def test_long_messages_meet_the_fixed_cost_law(pairs, cost):
    """A hundred packets each."""
    adapters = {"message_cost": f"{cost} us", "queue_depth": 1}
    found = fraction({"queue_pairs": pairs, "message": "98000 B"}, adapters, 100)
    assert found == pytest.approx(100 / (cost / pairs + 100), rel=0.015)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_where_packets_are_acknowledged_a_message_is_done_with_its_last_ack(depth):
    """The round trip is part of the cost of a message: 0.1 us for the switch twice, 0.02 us for the ACK."""
    found = fraction({}, {"message_cost": "25 us", "queue_depth": depth, "window": 1000, "ack": "20 B"})
    assert found == pytest.approx(min(1, depth * 10 / (25 + 10 + 0.22)), abs=0.005)


@pytest.mark.parametrize("transport", ["go-back-n", {"irn": {"window": 100}}, {"uet": {"congestion_control": "none"}}])
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_messages_of_a_transport_follow_each_other(transport, depth):
    """As many are under way as the depth allows, and each until its last ACK; without a limit the link is full."""
    messages = {"arrivals": {"messages": {"count": 4000}}}
    scheme = {"transport": transport, "route": "ecmp"}
    assert fraction(messages, {"ack": "20 B"}, scheme=scheme) == pytest.approx(1, abs=0.001)
    found = fraction(messages, {"message_cost": "25 us", "queue_depth": depth, "ack": "20 B"}, scheme=scheme)
    assert found == pytest.approx(min(1, depth * 10 / (25 + 10 + 0.22)), abs=0.005)


def test_a_message_that_is_its_flow_costs_its_latency():
    """A message of one packet a millisecond: its fixed cost comes before the time on the network."""
    traffic = {
        "from": "H1",
        "to": "H2",
        "message": "980 B",
        "flows": "by-message",
        "arrivals": {"messages": {"count": 5, "every": "1 ms"}},
    }
    described = scenario(
        {"single-switch": {"hosts": 2}},
        [traffic],
        "10 ms",
        adapters={"message_cost": "7 us"},
        measure={"probes": ["completions"]},
    )
    result = run(described)
    assert column(result, "completions", "fct") == pytest.approx(5 * [8.1e-6])
    assert column(result, "completions", "slowdown") == pytest.approx(5 * [1.0])


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_queue_pairs_take_messages_in_turn(pairs):
    """Twelve messages: as many for each, and all of them arrive."""
    traffic = {
        "from": "H1",
        "to": "H2",
        "message": "2940 B",
        "queue_pairs": pairs,
        "arrivals": {"messages": {"count": 12, "every": "10 us"}},
    }
    result = run(scenario({"single-switch": {"hosts": 2}}, [traffic], "1 ms"))
    assert column(result, "flows", "packets").tolist() == pairs * [36 // pairs]


def test_two_queue_pairs_take_two_ways():
    """A host of 16 Gbit/s over two links of 8: one pair has half of its rate, 16 have more, by a hash."""
    links = [{"a": "h", "b": "A", "rate": "16 Gbit/s"}, {"a": "g", "b": "D", "rate": "16 Gbit/s"}]
    links += [{"a": a, "b": b} for a, b in (("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"))]
    graph = {"graph": {"hosts": ["h", "g"], "switches": ["A", "B", "C", "D"], "links": links}}

    def rate(pairs):
        traffic = [{"from": "h", "to": "g", "queue_pairs": pairs}]
        result = run(scenario(graph, traffic, "5 ms", scheme={"route": "ecmp"}))
        return column(result, "flows", "packets").sum() / 5000

    assert rate(1) == pytest.approx(1, abs=0.01)
    assert 1.5 < rate(16) <= 2


def notified(delay: str, **keys) -> dict[str, int]:
    """Two flows to H3 whose packets are all marked, and one from there to H1, where notifications arrive."""
    adapters = {"receive_buffer": "4 kB"} | keys.pop("adapters", {})
    idle = {"delays": ["0 ns"] * 128}
    described = scenario(
        {"single-switch": {"hosts": 3}},
        [{"from": ["H1", "H2"], "to": "H3"}, {"from": "H3", "to": "H1"}],
        "5 ms",
        adapters=adapters,
        scheme={
            "mark": {"red": {"min": "1 B", "max": "1 B"}},
            "notify": {"cnp": {"delay": delay}},
            "react": {"cct": {"table": idle}},
        },
        **keys,
    )
    return flow_packets(run(described))


@pytest.mark.parametrize("flow_control", ["byte-credits", "packet-slots"])
@pytest.mark.parametrize("adapters", [{}, {"drain_rate": "7.9 Gbit/s"}], ids=["at-once", "drained"])
def test_a_notification_leaves_the_receive_buffer_before_it_is_acted_upon(flow_control, adapters):
    """It delays no packet here, so the time of the reaction makes no difference at all."""
    room = {"receive_buffer": "4 packets"} if flow_control == "packet-slots" else {}
    switches = {"buffer": "16 packets"} if flow_control == "packet-slots" else {}
    keys = {"adapters": adapters | room, "links": {"flow_control": flow_control}, "switches": switches}
    at_once = notified("0 s", **keys)
    assert at_once["H3->H1"] > 4_500
    assert notified("300 us", **keys) == at_once


TRANSPORTS = [{"go-back-n": {}}, {"irn": {}}] + [
    {"uet": {"congestion_control": control}} for control in ("none", "nscc", "rccc", "both")
]


@pytest.mark.parametrize("transport", TRANSPORTS, ids=str)
def test_what_is_on_its_way_when_a_source_stops_needs_no_timer(transport):
    """ON for 20 packets and OFF for as many on the mean: about half of a link, with a transport or without."""

    def on_and_off(**scheme):
        traffic = [{"from": "H1", "to": "H2", "arrivals": {"on-off": {"on": "20 us", "off": "20 us"}}}]
        return run(
            scenario(
                {"single-switch": {"hosts": 2}}, traffic, "10 ms", delay="200 ns", adapters={"ack": "20 B"}, **scheme
            )
        )

    result = on_and_off(scheme={"transport": transport})
    assert column(result, "flows", "timeouts").sum() == column(result, "flows", "resent").sum() == 0
    packets, without = (flow_packets(some)["H1->H2"] for some in (result, on_and_off()))
    # A group begins when the one before it is acknowledged, which takes Ultra Ethernet two round trips more.
    assert packets > 0.65 * without
