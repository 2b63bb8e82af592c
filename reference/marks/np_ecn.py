"""NP-ECN: packets that wait when flow control releases an output leave unmarked; others are marked if one is behind.

Cheng et al.: Re-architecting Congestion Management in Lossless Ethernet (NSDI 2020), section 4.
"""

from reference.marks.counts import Marker


class NpEcnMarker(Marker):
    """What one switch does to mark packets."""

    def __init__(self, switch):
        super().__init__(switch.setup.mark, switch)
        self.held = {}  # by output and lane: packets still to leave unmarked, and the end of their hold

    def arrived(self, output, lane: int) -> None:
        """Only packets that leave are examined."""

    def starts(self, packet, output) -> None:
        """A data packet starts on this output, and is out of its queue."""
        waiting = self.waiting(output, packet.lane)
        if not self.counts_out(packet, output, waiting) and waiting > 0:
            packet.marked = True

    def other_starts(self, packet, output) -> None:
        """Packets without data are counted out as those with data are."""
        self.counts_out(packet, output, self.waiting(output, packet.lane))

    def counts_out(self, packet, output, waiting: int) -> bool:
        """A packet leaves: returns whether flow control has held it."""
        wire, now = output.wire, self.switch.fabric.now
        resumed = now if wire.blocked_since is not None else wire.last_blocked
        left, known = self.held.get((output.port, packet.lane), (0, None))
        if resumed != known:
            left = waiting + 1
        self.held[output.port, packet.lane] = max(left - 1, 0), resumed
        return left > 0

    def waiting(self, output, lane: int) -> int:
        """Packets of any kind that wait for an output in a lane."""
        queues = (queue for entry in self.switch.inputs for queue in entry.queues.values())
        return sum((stay.output, stay.lane) == (output.port, lane) for queue in queues for stay in queue)
