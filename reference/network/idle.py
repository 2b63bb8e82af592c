"""The time that a path takes in an idle network: along fixed routes, and back with an ACK."""

from itertools import pairwise

from reference.quantities import time_for


def wires_between(fabric, source: int, destination: int) -> list:
    """The wires from one host to another."""
    wires = [fabric.hosts[source].wire]
    while wires[-1].receiver is not fabric.hosts[destination]:
        switch = wires[-1].receiver
        wires.append(switch.outputs[fabric.routes[switch.number][destination]].wire)
    return wires


def time_there(fabric, source: int, destination: int, size: int) -> int:
    """The time from the start of a packet at one host until its last byte has arrived at the other."""
    setup = fabric.setup
    wires = wires_between(fabric, source, destination)
    start = 0
    for wire, following in pairwise(wires):
        takes, goes_on = time_for(size, wire.own_rate), time_for(size, following.own_rate)
        crosses = time_for(size, setup.crossbar) if setup.crossbar else goes_on
        if setup.cut_through and setup.checks is None:
            # The crossbar, or else the next wire, may start with the first byte, but must not run out of bytes.
            takes = max(0, takes - crosses)
        # The next wire may start before all of it has crossed, but must not run out of bytes either.
        start += takes + wire.delay + setup.forwarding_delay + max(0, crosses - goes_on)
    return start + time_for(size, wires[-1].own_rate) + wires[-1].delay


def idle_round_trip(fabric, source: int, destination: int) -> int:
    """The time from the start of a full packet at a host until its ACK has arrived."""
    setup = fabric.setup
    there = time_there(fabric, source, destination, setup.mtu + setup.header)
    return there + setup.ack_turnaround + time_there(fabric, destination, source, setup.ack)
