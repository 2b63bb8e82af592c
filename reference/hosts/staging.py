"""A memory of a few packets between the flows of a host and its link.

Whenever the link is idle and no control packet is sent, flows hand over the packets that they may send, in turn, while
there is room; the packet that is on the link takes no room. From this memory packets leave as from an input of a
switch with one output: first in, first out, and, where a scheme sets flows aside, also from the queues of the scheme,
in turn. The lines of a host follow those of the switch that it is connected to; a host declares no roots, and nothing
is upstream of it.
"""

from dataclasses import replace
from types import SimpleNamespace

from reference.quantities import time_for
from reference.switches.isolation import NEVER, Known
from reference.switches.queues import Queue
from reference.switches.set_aside import Lines


class Staging:
    """The memory of one host."""

    def __init__(self, host):
        self.host, self.room = host, host.setup.injection_buffer
        self.normal, self.lines = Queue(), None
        if (rule := host.setup.isolation) is not None:
            here = replace(rule, detect=NEVER, high=NEVER, stop=NEVER, lines=rule.queues)
            self.lines = Lines(here, self.as_switch(), 0)
        self.queues = [self.normal, *(self.lines.queues if self.lines is not None else ())]
        self.last = 0  # the queue that sent last
        self.counts = {"handed over": 0, "full": 0, "aside": 0, "stopped": 0}

    def as_switch(self) -> SimpleNamespace:
        """The requests that lines make of their switch: a host has one output, and its queues do not request it."""
        output = SimpleNamespace(known=self.host.known, roots=0)
        return SimpleNamespace(
            inputs=[SimpleNamespace(queues={})],
            outputs=[output],
            calls=lambda queue: None,
            calls_no_more=lambda queue: None,
        )

    def decide(self) -> None:
        """If the link is idle, a control packet is sent; else flows hand over what finds room, and a queue sends."""
        host, wire = self.host, self.host.wire
        if wire.sending is not None or wire.is_held():
            return wire.note_blocked(False)
        packet = host.control_that_fits()
        if packet is not None:
            wire.note_blocked(False)
            host.control.remove(packet)
            return wire.send(packet)
        self.fill()
        blocked = bool(host.control)
        for step in range(1, len(self.queues) + 1):
            place = (self.last + step) % len(self.queues)
            queue = self.queues[place]
            self.counts["stopped"] += bool(queue) and queue.stopped
            if not queue or queue.stopped:
                continue
            if wire.fits(queue[0].packet):
                wire.note_blocked(False)
                return self.send(place)
            blocked = True
        wire.note_blocked(blocked)

    def fill(self) -> None:
        """Flows hand over their packets; if they have none, a source is asked for a message."""
        host = self.host
        while sum(map(len, self.queues)) < self.room:
            packet, flow, _ = host.choose_or_poll()
            if packet is None:
                return
            host.start(packet, flow)
        self.counts["full"] += 1

    def join(self, packet) -> None:
        """A packet is handed over."""
        self.counts["handed over"] += 1
        self.normal.append(SimpleNamespace(packet=packet, output=0))
        self.settle()

    def settle(self) -> None:
        """Move packets that must be set aside from the head of the normal queue."""
        if self.lines is not None:
            held = len(self.normal)
            self.lines.settle(self.normal)
            self.counts["aside"] += held - len(self.normal)

    def send(self, place: int) -> None:
        """The head of a queue starts."""
        queue, self.last = self.queues[place], place
        stay = queue.popleft()
        stay.packet.injected = self.host.fabric.now
        self.host.leaves(stay.packet, time_for(stay.packet.size, self.host.wire.rate))
        if self.lines is not None:
            self.lines.left(queue, stay)

    def hears(self, what: str, known: Known) -> None:
        """Process a notice from the switch about a line."""
        if self.lines is not None:
            self.lines.hears(what, known, self.normal)
