"""InfiniBand congestion control: outputs that mark while their queues are long, sources that keep silent by a table.

Gran, Eimot, Reinemo, Skeie, Lysne, Huse, Shainer: First experiences with congestion control in InfiniBand hardware
(IPDPS 2010), sections 2.1 and 2.2, has the mechanism; Gran, Reinemo: InfiniBand congestion control, modelling and
validation (SIMUTools 2011) a model of it.
"""

from reference.links.link import EXPIRE, PACE
from reference.parts import Cct, Fecn
from reference.quantities import time_for
from reference.rng import Rng


class FecnMarker:
    """What one switch does to mark packets. Every output and lane is in the congestion state or not.

    The fill of a queue is the bytes that wait in it, of whatever kind of packet. A packet counts from when it can be
    routed until it starts to leave.
    """

    on_input = False  # full buffers do not mark
    by_waiting = False  # it goes by queues at inputs

    def __init__(self, rule: Fecn, switch):
        self.rule = rule
        self.switch = switch

    def arrived(self, output, lane: int) -> None:
        """Numbers of packets are not used here."""

    def queue_changed(self, output, lane: int, taken: int = 0) -> None:
        """A queue for this output has grown or shrunk by a packet: is the output congested?

        The credits that a packet which starts to leave is about to take are not there for another one.
        """
        rule = self.rule
        if rule.enter is None:
            return
        fill = self.fill(output, lane)
        if output.congested[lane]:
            output.congested[lane] = fill > rule.leave[lane]
        else:
            output.congested[lane] = fill > rule.enter[lane] and (
                self.is_masked(output) or output.wire.has_credit(lane, taken)
            )

    def fill(self, output, lane: int) -> int:
        """The fill that is compared with the threshold."""
        fills = [entry.fill(lane, output.port) for entry in self.switch.inputs]
        if self.rule.fill == "voq":
            return max(fills)
        if self.rule.fill == "sum":
            return sum(fills)
        return sum(fills) * sum(fill > 0 for fill in fills)

    def is_masked(self, output) -> bool:
        """Whether it becomes congested even as a victim of congestion downstream, without credits."""
        mask = self.rule.victim_mask
        if mask == "hosts":
            return output.wire.receiver in self.switch.fabric.hosts
        if isinstance(mask, str):
            return mask == "all"
        return self.switch.fabric.graph.numbered(("switch", self.switch.number))[output.port][0] in mask

    def starts(self, packet, output) -> None:
        """A data packet starts on this output, and is out of its queue: is it marked?"""
        rule, lane = self.rule, packet.lane
        if not output.congested[lane] or packet.size < rule.packet_size:
            return
        if rule.share >= 1.0:
            chosen = True
        elif rule.choice == "random":
            chosen = self.rng_of(output, lane).unit() < rule.share
        else:
            output.eligible[lane] += 1
            chosen = output.eligible[lane] % (rule.marking_rate + 1) == 0
        packet.marked = packet.marked or chosen

    def other_starts(self, packet, output) -> None:
        """Packets without data that start on this output are not used here."""

    def rng_of(self, output, lane: int) -> Rng:
        """The random stream of an output and lane."""
        if output.rng[lane] is None:
            fabric, port = self.switch.fabric, self.switch.port_number(output)
            output.rng[lane] = Rng(fabric.setup.seed, "marking", port * fabric.setup.lanes + lane)
        return output.rng[lane]


class Throttle:
    """A source's index into the congestion control table, shared by the flows that use it.

    After each packet of any of them all are silent for the time that the table has at the current index: when the
    index decreases during the silence, the silence gets shorter. A flow that has been allowed to send stays allowed
    until a packet starts or a notification arrives.
    """

    def __init__(self, rule: Cct, host):
        self.rule = rule
        self.host = host
        self.fabric = host.fabric
        self.renew()

    def renew(self) -> None:
        """Reset to the initial state: no notification received, nothing sent."""
        self.index = self.rule.min
        self.expires_at: int | None = None  # the timer matters only while the index is above its lowest value
        self.next_at = self.fabric.now
        self.last_start = self.last_time = 0
        self.full_time = 1  # of a link on which nothing has started

    def allows(self) -> bool:
        """A packet may start now."""
        return self.fabric.now >= self.next_at

    def sent(self, packet) -> None:
        """A packet has started."""
        # Whatever the link's rate is later: this packet, and a full one, at the current rate.
        self.last_start = self.fabric.now
        self.last_time, self.full_time = time_for(packet.size, self.host.wire.rate), self.host.full_time()
        self.allow_from(self.last_end() + self.idle())

    def notified(self) -> None:
        """A packet was marked (BECN): the index goes up."""
        now, rule = self.fabric.now, self.rule
        self.index = min(self.index + rule.increase, rule.limit)
        self.allow_from(max(now, self.last_end() + self.idle()))
        if not rule.free:
            self.arm(now + rule.timer)
        elif self.expires_at is None:
            self.arm((now // rule.timer + 1) * rule.timer)

    def holds(self) -> None:
        """A packet was undetermined: the index stays as it is for a whole timer period, unless that runs freely."""
        if self.rule.free:
            return
        self.allow_from(max(self.fabric.now, self.last_end() + self.idle()))
        if self.expires_at is not None:
            self.arm(self.fabric.now + self.rule.timer)

    def arm(self, time: int) -> None:
        """The timer will expire at this time, replacing the earlier setting."""
        self.expires_at = time
        self.fabric.at(time, EXPIRE, self.host.number, self.host, self.expired)

    def expired(self) -> None:
        """Time has passed: decrease the index. (If the timer has been restarted, this event is void.)"""
        now, rule = self.fabric.now, self.rule
        if now != self.expires_at:
            return
        self.index = max(self.index - 1, rule.min)
        if self.next_at >= now:
            self.allow_from(max(now, self.last_end() + self.idle()))
        self.expires_at = None
        if self.index > rule.min:
            self.arm(now + rule.timer)

    def last_end(self) -> int:
        """When the last packet has left."""
        return self.last_start + self.last_time

    def idle(self) -> int:
        """How long to keep silent after the last packet, in ps."""
        entry = self.rule.table[self.index]
        if isinstance(entry, tuple):
            shift, multiplier = entry
            return (self.last_time >> shift) * multiplier
        return entry * self.last_time // self.full_time

    def allow_from(self, time: int) -> None:
        """The next packet may start at this time: the host checks again."""
        self.next_at = time
        if time > self.fabric.now:
            self.fabric.at(time, PACE, self.host.number, self.host, lambda: None)
