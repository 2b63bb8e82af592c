"""Memory does not grow with simulated time, not even where traffic is offered faster than it can go.

A backlog of messages that nobody has started is not stored: a source knows when its next message was made, and asks for
the one after it when that has been sent. What is in flight is bounded by the buffers.
"""

import pytest

import congestree

PACKET = 2068
BUFFER = 64 * 1024


def overloaded(duration):
    return {
        "topology": {"fat-tree": {"radix": 8}},
        "links": {"rate": "16 Gbit/s", "delay": "10 ns"},
        "switches": {"buffer": "64 KiB"},
        "traffic": [
            {
                "from": "all",
                "pattern": {"hot-spot": {"to": ["h0"], "fraction": 0.3}},
                "arrivals": {"poisson": {"load": 1.0}},
            }
        ],
        "measure": {"duration": duration},
    }


def test_an_overloaded_fabric_holds_no_more_packets_later_than_sooner():
    soon, late = (congestree.run(overloaded(duration)).manifest["peak_packets"] for duration in ("2 ms", "20 ms"))
    switch_inputs = 8 * 8 + 4 * 8
    assert late <= switch_inputs * (BUFFER // PACKET + 1) + 32
    assert late == pytest.approx(soon, rel=0.1)


def test_a_packet_in_flight_takes_at_most_a_hundred_bytes():
    assert congestree.run(overloaded("10 us")).manifest["bytes_per_packet"] <= 100
