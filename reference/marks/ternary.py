"""Ternary congestion detection: an output that flow control holds is neither congested nor free.

Zhang et al.: Congestion Detection in Lossless Networks (SIGCOMM 2021).
"""

from reference.marks.counts import Marker
from reference.parts import Ternary


class TernaryMarker(Marker):
    """What one switch does: it marks what leaves a congested output, and says of what leaves an undetermined one so."""

    def __init__(self, rule: Ternary, switch):
        super().__init__(switch.setup.mark, switch)
        self.ternary = rule

    def arrived(self, output, lane: int) -> None:
        """Only what leaves is looked at."""

    def starts(self, packet, output) -> None:
        """A data packet starts on this output, and is out of its queue."""
        state = self.state(output, packet.lane)
        if state == "congested":
            packet.marked = True
        elif state == "undetermined":
            packet.undetermined = True

    def state(self, output, lane: int) -> str:
        """Held of late: undetermined. Otherwise what waits decides: who was never held was ON before the run, too."""
        wire, now, rule = output.wire, self.switch.fabric.now, self.ternary
        held = now if wire.blocked_since is not None else wire.last_blocked
        if held is not None and now - held <= rule.longest_on:
            return "undetermined"
        threshold = rule.threshold * wire.rate // rule.for_rate if rule.for_rate else rule.threshold
        return "congested" if self.switch.queued(output, lane) > threshold else "free"
