"""Credits that come back in messages (CBFC of Ultra Ethernet) against their closed forms.

A sender with room for B bytes behind its link sends until they are used up. Room is freed when a packet has left the
buffer there, is reported at most every `spacing` bytes of link time, and the message takes the delay of the link. So
with the loop

    L = time of a packet + delay + forwarding + time of the packet on + delay + word,

a link of rate C carries min(C, B / L), B in whole packets, if every message is sent at once.
"""

import pytest
from fabrics import column, run, scenario

FRAME = 1_000_000  # ps: 1,000 bytes at 8 Gbit/s
DELAY = 5_000_000
WORD = 8_000


def one_link(buffer: int, messages: dict, duration="10 ms", **links) -> dict:
    """One host sends to another over a switch; store-and-forward, a link of 5 us, cells of 100 bytes."""
    credits = {"block": "100 B", "messages": messages} | links.pop("credits", {})
    return scenario(
        {"single-switch": {"hosts": 2}},
        [{"from": "H1", "to": "H2"}],
        duration,
        delay="5 us",
        links={"flow_control": {"byte-credits": credits}} | links,
        switches={"buffer": f"{buffer} B", "forwarding_delay": "0 ns", "switching": "store-and-forward"},
    )


def packets(described: dict) -> int:
    return int(column(run(described), "flows", "packets")[0])


@pytest.mark.parametrize("buffer", [1, 2, 5, 8, 11])
def test_a_buffer_bounds_the_rate_by_its_loop(buffer):
    loop = 2 * FRAME + 2 * DELAY + WORD
    expected = min(1.0, buffer * FRAME / loop)
    assert packets(one_link(1000 * buffer, {"spacing": "0 B"})) / 10_000 == pytest.approx(expected, rel=0.01)


def test_cells_are_counted_by_packet():
    """A packet of 1,000 bytes with 20 more takes eleven cells of a hundred: one fits where two would have."""
    loop = 2 * FRAME + 2 * DELAY + WORD
    with_overhead = one_link(2_100, {"spacing": "0 B"}, credits={"overhead": "20 B"})
    assert packets(with_overhead) / 10_000 == pytest.approx(FRAME / loop, rel=0.01)
    assert packets(one_link(2_100, {"spacing": "0 B"})) / 10_000 == pytest.approx(2 * FRAME / loop, rel=0.01)


def test_messages_that_are_far_apart_hold_the_sender():
    """Ten packets of room, reported every 30 us: ten packets in that time."""
    assert packets(one_link(10_000, {"spacing": "30 kB"})) / 10_000 == pytest.approx(10 / 30, rel=0.02)


def test_lost_messages_cost_time_alone():
    """Counts are absolute: whatever is lost of them, all arrives."""
    sparse = {"spacing": "0 B", "repeat": "2 kB"}
    plain = packets(one_link(20_000, sparse))
    errors = {"packets": 0.0, "words": 0.5}
    lossy = packets(one_link(20_000, sparse, errors=errors))
    assert 0.8 * plain < lossy <= plain


def test_cells_of_lost_packets_come_back_with_the_next_cc_update():
    """With room for one packet, a loss holds the sender until the receiver learns what was consumed."""
    lost = packets(one_link(1_000, {"spacing": "0 B", "heal": "2 ms"}, "400 ms", errors={"packets": 0.01}))
    loop = 2 * FRAME + 2 * DELAY + WORD
    # Both links lose: the first costs half of 2 ms on average and more, the second leads to a host without end.
    cycle = loop * 100 + 1_000_000_000
    assert lost / 400 * cycle / 1_000_000_000 == pytest.approx(99, rel=0.2)
