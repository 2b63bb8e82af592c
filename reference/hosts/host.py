"""A host: flows that want to send, ACKs and notifications that go first, one link, and a receive buffer that drains."""

from collections import deque

from reference.hosts.flow import Flow
from reference.hosts.polling import Polling
from reference.hosts.receiving import Receiving
from reference.hosts.staging import Staging
from reference.links.lanes import LaneTurn, ScheduleTurn
from reference.links.link import PACE, PAUSE, STORM_BEGINS, STORM_ENDS, Packet
from reference.links.pauses import Memory
from reference.marks.infiniband import Throttle
from reference.quantities import time_for
from reference.switches.isolation import KnownLines


class Host(Receiving):
    """One host and its adapter."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.flows: list[Flow] = []
        self.throttles: dict[int, Throttle] = {}  # by service level, if they are shared
        self.polling = Polling(self)
        self.lane_turn = LaneTurn(self.setup.lane_weights) if self.setup.lane_weights else None
        self.schedule = ScheduleTurn(self.setup.lane_schedule) if self.setup.lane_schedule else None
        self.attempt = None  # that of the chosen flow
        self.control = deque()  # ACKs and notifications to send
        self.turns_begin = -1  # position of the flow after which turns begin
        self.last_flow: dict[int | None, int] = {}  # position of the flow that sent last: in a lane, in any (none)
        self.inject_at = 0  # earliest time: the limit on the injection of data
        self.held: set[int] = set()  # places of flows that are stopped, see `flow_queues`
        self.known = KnownLines()  # of the switch before it
        self.staging = Staging(self) if self.setup.injection_buffer is not None else None
        self.drained = 0  # when the receive buffer will have drained everything that has arrived
        self.wire = self.upstream = None
        self.granter = None  # who grants credit, if receivers do
        self.memory: Memory | None = None  # where senders are paused
        self.node_out = self.node_in = 0  # when its link inside its node is free

    def add_port(self, out, back) -> None:
        """Connect its link: `out` leaves from here, `back` arrives here."""
        out.sender_port = back.receiver_port = 0
        self.wire, self.upstream = out, back
        out.schedule = self.schedule

    def make_memory(self) -> None:
        """Senders are paused: a slow host counts the bytes that it holds, and a faulty host may pause its switch."""
        endless = self.setup.receive_units is None or self.setup.drain_rate is None
        room = [10**18 if endless else self.setup.receive_units] * self.setup.lanes
        self.memory = Memory(self.fabric, self, self.number, self.upstream, self.wire, room, fixed=False)
        for host, lane, start, stop in self.setup.pfc.storms:
            if host == self.number:
                begins, ends = (self.number, STORM_BEGINS, lane), (self.number, STORM_ENDS, lane)
                self.fabric.at(start, PAUSE, begins, self, self.memory.ask, lane, "storm")
                if stop is not None:
                    self.fabric.at(stop, PAUSE, ends, self, self.memory.ask_no_more, lane, "storm", False)

    def receives_without_end(self) -> bool:
        """Whether the receive buffer can never be full."""
        return self.setup.receive_units is None

    def wires_out(self) -> list:
        """The wire that leaves from here."""
        return [self.wire]

    def memories(self) -> list[Memory]:
        """The memories that are freed as packets start: none, because a host drains its own."""
        return []

    def account(self, packet: Packet) -> None:
        """The account of a packet's room here: there is one buffer for all packets."""

    def throttle_of(self, service: int) -> Throttle:
        """A throttle for one more flow: its own, or that of its service level."""
        if self.setup.cct.per == "qp":
            return Throttle(self.setup.cct, self)
        return self.throttles.setdefault(service, Throttle(self.setup.cct, self))

    def full_time(self) -> int:
        """How long a full packet takes on its link."""
        return time_for(self.setup.mtu + self.setup.header, self.wire.rate)

    # ---- sending ------------------------------------------------------------------------------------------------

    def decide(self) -> None:
        """If the link is idle, an ACK or notification is sent; if there is none, a packet of the next flow in turn
        that may send; if there is none either, sources are asked for a message, one after the other, as long as one of
        them has any. Frames have precedence over all of these."""
        self.wire.send_frame()
        for sender in (flow.sender for flow in self.flows if flow.sender is not None):
            sender.refill()
        if self.staging is not None:
            return self.staging.decide()
        packet, flow, blocked = self.choose_or_poll()
        self.wire.note_blocked(blocked)
        if packet is not None and flow is None:
            self.control.remove(packet)
            self.wire.send(packet)
        elif packet is not None:
            self.start(packet, flow)

    def choose_or_poll(self):
        """As `choose`; sources are polled as long as nothing can be sent."""
        self.polling.join_turns()
        chosen = self.choose()
        while chosen[0] is None and self.polling.ask():
            chosen = self.choose()
        return chosen

    def choose(self):
        """The packet to start now and its flow (none for an ACK), and whether lack of credit keeps the link idle."""
        if self.wire.sending is not None or self.wire.is_held():
            return None, None, False
        blocked = False
        if self.control:
            packet = self.control_that_fits()
            if packet is not None:
                return packet, None, False
            blocked = True
        for attempt in self.tries():
            lane, most, place = attempt
            packet, flow, lacks_credit = self.next_of(lane)
            blocked = blocked or lacks_credit
            if packet is None:
                if self.schedule is not None:
                    self.schedule.passes(place)
            elif packet.size <= most:
                self.attempt = attempt
                return packet, flow, False
        return None, None, blocked

    def control_that_fits(self):
        """The oldest ACK or notification for which there is room; in each lane they keep their order."""
        first = {}
        for packet in self.control:
            first.setdefault(packet.lane, packet)
        return next((packet for packet in first.values() if self.wire.fits(packet)), None)

    def tries(self) -> list[tuple]:
        """Lanes in the order in which they are tried, with the most bytes of a packet; or all of them together."""
        if self.schedule is None:
            return [(None, float("inf"), None)]
        self.wire.forget_if_idle()
        return self.schedule.tries()

    def next_of(self, lane: int | None):
        """The packet and flow to send next in a lane (none: in any), and whether lack of credit stops another."""
        blocked = False
        for flow in self.in_turn(lane):
            if not self.may_send(flow):
                continue
            packet = self.packet_of(flow)
            if self.staging is not None or self.wire.fits(packet):
                return packet, flow, False
            blocked = True
        return None, None, blocked

    def in_turn(self, lane: int | None) -> list[Flow]:
        """The flows of a lane after the one that sent last in it. Without a lane: of one lane after another if lanes
        have weights, else all, after the one that sent last.
        """
        if lane is None and self.lane_turn is None:
            return self.after_last(None)
        lanes = self.lane_turn.lanes() if lane is None else [lane]
        return [flow for lane in lanes for flow in self.after_last(lane) if flow.lane == lane]

    def after_last(self, lane: int | None) -> list[Flow]:
        """All flows, in the order that begins after the one that sent last in a lane, or in any."""
        begin = self.last_flow.get(lane, self.turns_begin) + 1
        return self.flows[begin:] + self.flows[:begin]

    def may_send(self, flow: Flow) -> bool:
        """Whether there is a packet, and window, pace and injection limit allow it."""
        if not self.has_packet(flow) or not self.window_lets_go(flow):
            return False
        if self.fabric.now < max(self.inject_at, flow.next_at):
            return False
        if flow.throttle is not None and not flow.throttle.allows():
            return False
        if flow.dcqcn is not None and not flow.dcqcn.allowed:
            return False
        if self.held and self.flows.index(flow) in self.held:
            return False
        waits_outside = self.staging is None or self.setup.isolation is None or self.setup.isolation.hosts_skip_stopped
        return not (waits_outside and self.known.stops(flow.queue[0][0] if flow.queue else flow.destination))

    def has_packet(self, flow: Flow) -> bool:
        """Whether there is a packet that may go now."""
        if flow.sender is not None:
            return flow.sender.due() is not None
        return bool(flow.queue) and flow.source.on and self.fabric.now >= flow.queue[0][2].ready

    def window_lets_go(self, flow: Flow) -> bool:
        """Whether the window of a flow has room for the next packet, or does not apply to it."""
        if flow.window is None:
            return True
        if flow.sender is not None:
            return flow.sender.fills() or flow.sender.flight() < flow.window
        return flow.outstanding < flow.window

    def hear_of_queue(self, port: int, queue: int, stop: bool) -> None:
        """The flow at a place is stopped, or released."""
        (self.held.add if stop else self.held.discard)(queue)

    def hear_of_line(self, port: int, *says) -> None:
        """Process a notice from the switch about a line."""
        known = self.known.hear(*says)
        if self.staging is not None:
            self.staging.hears(says[0], known)

    def is_free(self) -> bool:
        """Whether a packet could start: the link is idle, and the limit on the injection of data allows one."""
        return self.wire.sending is None and not self.wire.is_held() and self.fabric.now >= self.inject_at

    def packet_of(self, flow: Flow):
        """The next data packet of a flow."""
        sender = flow.sender
        if sender is None:
            destination, size, message = flow.queue[0]
            sequence, last = flow.sequence, message.left == 1
        else:
            destination, sequence = flow.destination, sender.due()
            size, last = sender.sizes[sequence], sender.is_last(sequence)
        packet = Packet(flow, sequence, "data", size, destination, flow.lane, flow.epoch, self.fabric.now)
        packet.units, packet.last = self.setup.units_of(size), last
        packet.queue = self.flows.index(flow)
        return packet

    def start(self, packet, flow: Flow) -> None:
        """A data packet starts: the flow's pace and the host's injection cap run from here."""
        now = self.fabric.now
        if flow.sender is not None:
            flow.sender.start(packet)
        else:
            flow.queue.popleft()[2].left -= 1
        flow.sequence += 1
        flow.outstanding += 1
        flow.last_start, flow.last_size, flow.last_rate = now, packet.size, self.wire.rate
        flow.last_time = time_for(packet.size, self.wire.rate)
        self.last_flow[None] = self.last_flow[flow.lane] = self.flows.index(flow)
        if self.lane_turn is not None:
            self.lane_turn.sends(flow.lane, packet.size)
        if self.schedule is not None:
            self.schedule.goes(self.attempt, packet.size)
        if flow.throttle is not None:
            flow.throttle.sent(packet)
        if flow.reaction is not None:
            flow.reaction.sent += 1
        if flow.dcqcn is not None:
            flow.dcqcn.sent(packet.size)
        self.set_pace(flow)
        if self.setup.injection_rate is not None:
            self.inject_at = now + time_for(packet.size, self.setup.injection_rate)
            self.wake(self.inject_at, flow)
        if self.staging is not None:
            self.staging.join(packet)
        else:
            self.leaves(packet, flow.last_time)
        flow.source.sent()

    def leaves(self, packet, takes: int) -> None:
        """A data packet is sent over the link. A message without ACKs is finished when its last byte has left."""
        flow, left = packet.flow, self.fabric.now + takes
        self.wire.send(packet)
        if packet.last and not flow.acknowledged and flow.sender is None:
            self.fabric.at(left, PACE, flow.number, self, flow.posting.done, packet.epoch)
        if packet.last and flow.line is not None:
            flow.line.leaves(packet.sequence, left)

    def set_pace(self, flow: Flow) -> None:
        """Determine when the flow may send next, from the start of its last packet, its reaction and its own limit."""
        flow.paced_at = next_at = flow.last_start + self.interval(flow)
        if flow.rate_limit is not None:
            next_at = max(next_at, flow.last_start + time_for(flow.last_size, flow.rate_limit))
        self.pace(flow, next_at)

    def interval(self, flow: Flow) -> int:
        """From the start of the flow's last packet to the next, as its reaction allows."""
        if flow.reaction is not None:
            return flow.reaction.interval(flow.last_time, flow.last_rate)
        if flow.reacts and flow.throttle is None and flow.dcqcn is None:
            x = float(int(flow.x + 0.5)) if self.setup.react.discrete else flow.x
            return int(x * flow.last_time + 0.5)
        return 0

    def pace(self, flow: Flow, next_at: int) -> None:
        """The flow may not send before this time."""
        flow.next_at = next_at
        self.wake(next_at, flow)

    def look_again(self, flow: Flow) -> None:
        """The pace of a flow has changed with time: if it is allowed to send now it may send, otherwise later."""
        if self.fabric.now <= flow.paced_at:
            self.set_pace(flow)

    def wake(self, time: int, flow: Flow) -> None:
        """Check again at this time."""
        if time > self.fabric.now:
            self.fabric.at(time, PACE, flow.number, self, lambda: None)
