"""Ternary congestion detection: an output that flow control holds is neither congested nor free.

Zhang et al.: Congestion Detection in Lossless Networks (SIGCOMM 2021).
"""

import math

from reference.marks.counts import Marker
from reference.parts import Ternary
from reference.quantities import time_for


class TernaryMarker(Marker):
    """What one switch does: it marks packets of a congested output, and those of an undetermined one differently."""

    by_waiting = True

    def __init__(self, rule: Ternary, switch):
        super().__init__(switch.setup.mark, switch)
        self.ternary = rule

    def arrived(self, output, lane: int) -> None:
        """Only packets that leave are examined."""

    def starts(self, packet, output) -> None:
        """A data packet starts on this output, and is out of its queue."""
        state = self.state(output, packet.lane)
        if state == "congested":
            packet.marked = True
        elif state == "undetermined":
            packet.undetermined = True

    def state(self, output, lane: int) -> str:
        """Undetermined if blocked recently, otherwise by the queue. An output that was never blocked was always ON."""
        wire, now, rule = output.wire, self.switch.fabric.now, self.ternary
        held = now if wire.blocked_since is not None else wire.last_blocked
        if held is not None and now - held <= self.longest_on(wire, lane):
            return "undetermined"
        threshold = rule.threshold * wire.rate // rule.for_rate if rule.for_rate else rule.threshold
        return "congested" if self.switch.queued(output, lane) > threshold else "free"

    def longest_on(self, wire, lane: int) -> int:
        """The longest ON period of an output whose successor keeps blocking it: after its release the successor fills
        again, if it forwards all but a share, and the output is notified a round of the link later."""
        if self.ternary.longest_on is not None:
            return self.ternary.longest_on
        memory = memory_behind(wire)
        if memory is not None:
            swing, told = memory.swing(lane), memory.round_of(wire, wire.receiver, wire.own_rate, wire.back.own_rate)
        else:
            swing, told = room_behind(wire, lane), credit_round(wire)
        return math.floor(time_for(swing, wire.own_rate) * (1.0 / self.ternary.slack) + 0.5) + told


def memory_behind(wire):
    """With paused senders: the memory at the far end."""
    if wire.fabric.setup.pfc is None:
        return None
    node = wire.receiver
    return node.inputs[wire.receiver_port].memory if hasattr(node, "inputs") else node.memory


def room_behind(wire, lane: int) -> int:
    """With credits: the whole room of a lane at the far end, in bytes."""
    setup = wire.fabric.setup
    units = setup.buffer_units[lane] if hasattr(wire.receiver, "inputs") else setup.receive_units or 0
    return units * ((setup.mtu + setup.header) if setup.slots else setup.block)


def credit_round(wire) -> int:
    """From the start of a packet until its credit is back, if the packet leaves at once."""
    setup = wire.fabric.setup
    there = wire.delay + (setup.forwarding_delay if hasattr(wire.receiver, "inputs") else 0)
    back = wire.back.delay if setup.credit_delay is None else setup.credit_delay
    waits = time_for(setup.messages.spacing, wire.back.own_rate) if setup.messages is not None else 0
    return there + time_for(setup.mtu + setup.header, wire.own_rate) + waits + back
