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


def coming_and_going(duration):
    return {
        "topology": {"single-switch": {"hosts": 12}},
        "links": {"rate": "16 Gbit/s", "delay": "10 ns", "flow_control": "byte-credits"},
        "traffic": [
            {
                "from": "all",
                "pattern": "uniform",
                "flows": "by-message",
                "message": "600 B",
                "arrivals": {"poisson": {"load": 0.7}},
            }
        ],
        "measure": {"duration": duration, "probes": ["completions"]},
    }


def test_flows_that_have_finished_take_no_memory(tmp_path):
    """Ten times as many flows need hardly more room: the longest queue of a longer time is a little longer."""
    soon, late = (congestree.run(coming_and_going(d), out=tmp_path / d) for d in ("5 ms", "50 ms"))
    assert late.value("flows_finished") == pytest.approx(10 * soon.value("flows_finished"), rel=0.02)
    assert late.value("flows_finished") > 100_000
    assert late.manifest["peak_flows"] < 1.6 * soon.manifest["peak_flows"] < 0.01 * late.value("flows_finished")


def test_a_packet_in_flight_takes_at_most_a_hundred_bytes():
    assert congestree.run(overloaded("10 us")).manifest["bytes_per_packet"] <= 100
