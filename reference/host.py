"""A host: flows that want to send, ACKs that go first, one link, and a receive buffer that drains."""

from collections import deque

from reference.link import DELIVER, PACE, Packet
from reference.scenario import time_for
from reference.schemes import slower_or_faster


class Flow:
    """An ordered series of packets from one host; its sequence numbers count from 0."""

    def __init__(self, number: int, name: str, source, destination: int | None, entry, setup):
        self.number = number
        self.name = name
        self.source = source  # the generator that feeds it
        self.destination = destination  # None: every message has its own (then there is neither window nor ACK)
        self.lane = entry.lane
        self.window = entry.window
        self.rate_limit = entry.rate_limit
        self.reacts = setup.react.kind != "none" and destination is not None
        self.acknowledged = destination is not None and (entry.window is not None or self.reacts)
        self.queue = deque()  # packets created and not yet started: (destination, size on the wire)
        self.sequence = 0
        self.outstanding = 0
        self.epoch = 0
        self.x = setup.react.start  # R_max / r
        self.next_at = 0
        self.last_start = 0
        self.last_size = 0
        self.delivered = self.delivered_bytes = self.marked = 0


class Host:
    """One host and its adapter."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.flows: list[Flow] = []
        self.control = deque()  # ACKs to send
        self.last_flow = -1  # position of the flow that sent last
        self.inject_at = 0  # not before: the cap on the injection of data
        self.drained = 0  # when the receive buffer will have drained all that has come in
        self.wire = self.upstream = None

    def add_port(self, out, back) -> None:
        """Its link: `out` leaves from here, `back` comes in here."""
        out.sender_port = back.receiver_port = 0
        self.wire, self.upstream = out, back

    # ---- sending ------------------------------------------------------------------------------------------------

    def decide(self) -> None:
        """If the link is idle, an ACK goes; else the next flow in turn that may send."""
        packet, flow, blocked = self.choose()
        self.wire.note_blocked(blocked)
        if packet is not None and flow is None:
            self.control.popleft()
            self.wire.send(packet)
        elif packet is not None:
            self.start(packet, flow)

    def choose(self):
        """The packet to start now and its flow (none for an ACK), and whether lack of credit keeps the link idle."""
        if self.wire.sending is not None:
            return None, None, False
        blocked = False
        if self.control:
            if self.wire.fits(self.control[0]):
                return self.control[0], None, False
            blocked = True
        for k in range(1, len(self.flows) + 1):
            flow = self.flows[(self.last_flow + k) % len(self.flows)]
            if not (flow.queue and flow.source.on and self.may_send(flow)):
                continue
            packet = self.packet_of(flow)
            if self.wire.fits(packet):
                return packet, flow, False
            blocked = True
        return None, None, blocked

    def may_send(self, flow: Flow) -> bool:
        """Window, pace and injection cap allow another data packet."""
        window_open = flow.window is None or flow.outstanding < flow.window
        return window_open and self.fabric.now >= flow.next_at and self.fabric.now >= self.inject_at

    def packet_of(self, flow: Flow):
        """The next data packet of a flow."""
        destination, size = flow.queue[0]
        units = self.setup.units_of(size)
        return Packet(flow, flow.sequence, True, size, destination, flow.lane, flow.epoch, self.fabric.now, units=units)

    def start(self, packet, flow: Flow) -> None:
        """A data packet starts: the flow's pace and the host's injection cap run from here."""
        now = self.fabric.now
        flow.queue.popleft()
        flow.sequence += 1
        flow.outstanding += 1
        flow.last_start, flow.last_size = now, packet.size
        self.last_flow = self.flows.index(flow)
        self.pace(flow, now + self.interval(flow))
        if self.setup.injection_rate is not None:
            self.inject_at = now + time_for(packet.size, self.setup.injection_rate)
            self.wake(self.inject_at, flow)
        self.wire.send(packet)
        flow.source.sent()

    def interval(self, flow: Flow) -> int:
        """From the start of the flow's last packet to the next, as its rate limits allow."""
        wait = 0
        if flow.reacts:
            x = float(int(flow.x + 0.5)) if self.setup.react.discrete else flow.x
            wait = int(x * time_for(flow.last_size, self.wire.rate) + 0.5)
        if flow.rate_limit is not None:
            wait = max(wait, time_for(flow.last_size, flow.rate_limit))
        return wait

    def pace(self, flow: Flow, next_at: int) -> None:
        """The flow may not send before."""
        flow.next_at = next_at
        self.wake(next_at, flow)

    def wake(self, time: int, flow: Flow) -> None:
        """Look again then."""
        if time > self.fabric.now:
            self.fabric.at(time, PACE, flow.number, self, lambda: None)

    # ---- receiving ----------------------------------------------------------------------------------------------

    def expect(self, packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way in; it counts when its last byte is here."""
        self.fabric.at(tail_in, DELIVER, self.number, self, self.deliver, packet)

    def deliver(self, packet) -> None:
        """A packet is here: make room again, and answer data with an ACK or take an ACK to heart."""
        now = self.fabric.now
        room_free = now
        if self.setup.drain_rate is not None and packet.units > 0:
            room_free = self.drained = max(now, self.drained) + time_for(packet.size, self.setup.drain_rate)
        self.upstream.give_back(packet, room_free)
        if packet.is_data:
            self.deliver_data(packet)
        else:
            self.deliver_ack(packet)

    def deliver_data(self, packet) -> None:
        """Count it; acknowledge it, echoing its mark."""
        flow = packet.flow
        flow.delivered += 1
        flow.delivered_bytes += packet.size
        flow.marked += packet.marked
        self.fabric.deliveries.append((flow.number, packet.sequence, self.fabric.now, packet.marked, packet.injected))
        if flow.acknowledged:
            units = self.setup.units_of(self.setup.ack) if self.setup.control_uses_credits else 0
            ack = Packet(
                flow, packet.sequence, False, self.setup.ack, flow.source.host.number, packet.lane, packet.epoch,
                marked=packet.marked, units=units,
            )  # fmt: skip
            self.control.append(ack)

    def deliver_ack(self, ack) -> None:
        """The window opens, and the rate follows the mark; ACKs of an earlier life of the flow are ignored."""
        flow = ack.flow
        if ack.epoch != flow.epoch:
            return
        flow.outstanding -= 1
        if flow.reacts:
            flow.x = slower_or_faster(self.setup.react, flow.x, ack.marked)
        self.pace(flow, flow.last_start + self.interval(flow))
