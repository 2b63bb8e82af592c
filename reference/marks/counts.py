"""Congestion management: switches mark packets, sources react to the marks that ACKs bring back.

Marking policies and response functions are those of HPL-2002-4, sections 5 and 6. InfiniBand's are in `infiniband`.
"""

import math

from reference.parts import Mark, React


class Marker:
    """What one switch does to mark packets. Lanes have buffers of their own, and are judged apart.

    `present` of an output counts the data packets in the switch for it, the one being sent included; `due` is how
    many of its next departures will be marked; `held` of an input counts the data packets in its buffer.
    """

    by_waiting = False  # it goes by all that waits for a link, and sees packets start on it

    def __init__(self, rule: Mark, switch):
        self.rule = rule
        self.switch = switch
        self.on_input = rule.kind in ("naive", "input-triggered", "input-output-triggered")
        self.on_output = rule.kind in ("output-triggered", "input-output-triggered")

    def tail_in(self, entry, lane: int) -> None:
        """All of a data packet has arrived at this input: is its buffer full now?"""
        if not self.on_input or entry.held[lane] < self.full(entry, lane):
            return
        waiting = [stay for stay in entry.waiting() if stay.came_in == lane]
        if self.rule.kind == "naive":
            for stay in waiting:
                stay.packet.marked = True
        else:
            for port, leaving in sorted({(stay.output, stay.lane) for stay in waiting}):
                output = self.switch.outputs[port]
                if not self.exempt(output.wire):
                    self.accuse(output, leaving)

    def full(self, entry, lane: int) -> float:
        """Packets at which the buffer of this input and lane is full: as many full ones as it has room for (where
        senders are paused: before they are); never if it has no room of its own."""
        setup = self.switch.setup
        packet = setup.mtu + setup.header
        if self.rule.trigger is not None:
            return self.rule.trigger
        if setup.lossy or setup.shared_memory is not None:
            return math.inf
        if setup.pfc:
            return max(1, entry.memory.below_pause(lane) // packet)
        return setup.buffer_units[lane] // setup.units_of(packet)

    def exempt(self, wire) -> bool:
        """If the parameter says so, an output that lacked credit just before does not count as congested."""
        span, now = self.rule.exempt_blocked, self.switch.fabric.now
        if span is None:
            return False
        if wire.blocked_since is not None:
            return True
        return wire.last_blocked is not None and now - wire.last_blocked <= span

    def arrived(self, output, lane: int) -> None:
        """A data packet has joined those for this output: are there too many?"""
        if self.on_output and output.present[lane] > self.rule.output_threshold:
            self.accuse(output, lane)

    def queue_changed(self, output, lane: int, taken: int = 0) -> None:
        """The number of bytes in queues is not used here."""

    def accuse(self, output, lane: int) -> None:
        """This output is congested: mark as many departures as it has packets now, or the very packets."""
        if self.rule.feedback == "counters":
            output.due[lane] = output.present[lane]
        else:
            for entry in self.switch.inputs:
                for stay in entry.waiting():
                    if (stay.output, stay.lane) == (output.port, lane):
                        stay.packet.marked = True

    def starts(self, packet, output) -> None:
        """A data packet starts on this output: it is marked if marks are due."""
        if output.due[packet.lane] > 0:
            output.due[packet.lane] -= 1
            packet.marked = True

    def other_starts(self, packet, output) -> None:
        """Packets without data that start on this output are not used here."""


def slower_or_faster(react: React, x: float, marked: bool) -> float:
    """The new x = R_max/r of a flow after an ACK, between 1 (full speed) and `floor` (slowest)."""
    if react.kind == "lipd":
        x = x + 1.0 if marked else x * (1.0 - 1.0 / react.floor)
    elif react.kind == "fimd":
        x = x * react.factor if marked else x * react.factor ** (-x / react.floor)
    elif react.kind == "aimd":
        rise = (react.factor - 1.0) * x / (react.floor * react.floor)  # of 1/x
        x = x * react.factor if marked else 1.0 / (1.0 / x + rise)
    return min(max(x, 1.0), react.floor)
