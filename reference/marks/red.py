"""RED: switches mark at random by what waits for an output when a packet leaves; with one threshold it is a step.

Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 3.1.
"""

from reference.marks.infiniband import FecnMarker


class RedMarker(FecnMarker):
    """What one switch does to mark packets: it checks what waits for an output when a packet leaves for it."""

    by_waiting = True

    def queue_changed(self, output, lane: int, taken: int = 0) -> None:
        """Only packets that leave are examined."""

    def starts(self, packet, output) -> None:
        """A data packet starts on this output, and is out of its queue: is it marked?"""
        fabric, lane = self.switch.fabric, packet.lane
        if self.rule.spare_last_hop and output.wire.receiver in fabric.hosts:
            return
        low, high, probability = self.rule.lanes[lane]
        if self.rule.for_rate is not None:
            low, high = (limit * output.wire.own_rate // self.rule.for_rate for limit in (low, high))
        waiting = self.switch.queued(output, lane)
        chosen = waiting > high
        if low < waiting <= high:
            chosen = self.rng_of(output, lane).unit() * (high - low) < probability * (waiting - low)
        packet.marked = packet.marked or chosen
