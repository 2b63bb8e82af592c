"""Closed forms for hosts as they are: what adapters take for ACKs.

*Turnaround.* A lone flow with w packets outstanding has min(1, w T / (R + a)) of its link: T the time of a packet, R
the round trip from the start of a packet until its ACK is in, a what the receiver takes to turn an ACK around.
"""

import pytest
from fabrics import flow_packets, run, scenario


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
