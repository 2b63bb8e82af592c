"""Flows that come and go: every message of a source is a flow of its own, and all are reported under one id. Switches
tell them apart by numbers that follow those of the flows that exist from the start, in the order in which they begin.

A flow begins when its message is made, with a window and a rate in their initial state, and is over when its last byte
has arrived. Flows take turns by their places at the host. A new flow takes the place that a flow of the same source
has left last, but not one that was left too recently: a place is not known to be free until the least time has passed
in which anything crosses a link between switches. If there is no such place, the flow gets a new one, behind all
others.
"""

from reference.hosts import lists
from reference.hosts.flow import Flow
from reference.hosts.posting import Message
from reference.quantities import time_for


class MessageFlows:
    """The flows of one source."""

    def __init__(self, source):
        self.source = source
        self.left: list[tuple[int, int, int]] = []  # when a place is free, the host at which its flow ended, the place

    def begin(self, destination: int, sizes: list[int]) -> None:
        """A message is made."""
        source, host = self.source, self.source.host
        (account,) = source.pairs
        flow = Flow(account.number, account.name, source, destination, source.entry, source.setup)
        flow.packets, flow.made = len(sizes), source.fabric.now
        flow.unique = len(source.fabric.flows) + source.fabric.begun
        source.fabric.begun += 1
        flow.next_at = source.fabric.now
        free = [left for left in self.left if left[0] <= source.fabric.now]
        if free:
            self.left.remove(max(free))
            host.flows[max(free)[2]] = flow
        else:
            host.flows.append(flow)
        posted = Message(len(sizes))
        flow.queue.extend((destination, nbytes, posted) for nbytes in sizes)
        flow.posting.made(posted)

    def finished(self, flow: Flow, at: int) -> None:
        """The last byte of a flow has arrived at a host."""
        fabric, place = self.source.fabric, self.source.host.flows.index(flow)
        fabric.finished.append((flow.number, at, flow.made, fabric.now, flow.packets, flow.marked))
        self.left.append((fabric.now + least_crossing(fabric), at, place))


def least_crossing(fabric) -> int:
    """The shortest time that a packet, a credit or a frame takes over any link between switches."""
    setup, switches = fabric.setup, fabric.switches
    data = setup.header + min(smallest_payload(setup, entry) for entry in setup.entries)
    answers = [setup.ack] if any(acknowledges(setup, entry) for entry in setup.entries) else []
    told = [setup.cnp.size] if setup.cnp and setup.react.kind != "none" else []
    smallest = min([data, *answers, *told])
    with_credit = smallest if setup.control_uses_credits else data
    tail = time_for(with_credit, max(wire.own_rate for wire in fabric.wires))
    times = [0] if len(switches) < 2 else []
    for wire in fabric.wires:
        if wire.sender not in switches or wire.receiver not in switches:
            continue
        whole = 0 if setup.cut_through else time_for(smallest, wire.own_rate)
        times.append(wire.delay + setup.forwarding_delay + whole)
        if setup.pfc is None and not setup.lossy:
            times.append(tail + (wire.delay if setup.credit_delay is None else setup.credit_delay))
        if fabric.neighbours_talk:
            times.append(wire.delay)
    return min(times)


def smallest_payload(setup, entry) -> int:
    """The smallest payload of a packet of an entry: a byte, if sizes are not fixed, or if ranks announce messages."""
    if entry.sizes is not None or entry.program is not None or entry.arrivals in lists.KINDS:
        return 1
    return entry.message % setup.mtu or setup.mtu


def acknowledges(setup, entry) -> bool:
    """Its packets are answered by ACKs."""
    return entry.window is not None or (setup.react.kind != "none" and setup.cnp is None)
