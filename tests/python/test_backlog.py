"""Hosts with thousands of flows that wait: a run takes time by what it sends, not by what waits."""

import time

import congestree

BACKLOG = """
name = "backlog"
[topology.fat-tree]
radix = 8
layers = 3
[links]
rate = "100 Gbit/s"
delay = "100 ns"
[[traffic]]
name = "uniform"
from = "all"
pattern = "uniform"
flows = "by-message"
message = "2 KiB"
arrivals.poisson.load = 0.6
[[traffic]]
name = "incast"
from = ["h4", "h8", "h9", "h12", "h20", "h30"]
to = "h0"
[measure]
duration = "100 us"
"""


def test_flows_that_wait_for_credit_are_not_all_asked_again_and_again():
    """The incast holds up what others send, and their messages pile up.

    A run of 800 us took seven times as long as one of 400 us when every flow that waits was asked whenever a host
    lacked credit; it takes twice as long.
    """

    def seconds(duration):
        begun = time.process_time()
        run = congestree.run(BACKLOG, values={"measure.duration": duration}, threads=1)
        assert run.stopped is None
        return time.process_time() - begun

    seconds("10 us")  # loads what is needed
    assert seconds("800 us") < 4 * seconds("400 us")
