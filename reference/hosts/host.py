"""A host: flows that want to send, ACKs and notifications that go first, one link, and a receive buffer that drains."""

from collections import deque

from reference.hosts.posting import Posting
from reference.hosts.staging import Staging
from reference.links.lanes import LaneTurn, ScheduleTurn
from reference.links.link import ANSWER, DELIVER, DRAINED, FLUSH, PACE, PAUSE, STORM_BEGINS, STORM_ENDS, Packet
from reference.links.pauses import Memory
from reference.marks.counts import slower_or_faster
from reference.marks.infiniband import Throttle
from reference.parts import REACTIONS
from reference.quantities import time_for
from reference.reactions.dcqcn import Dcqcn, Notifier
from reference.reactions.shared import Reaction
from reference.switches.isolation import KnownLines
from reference.transports.ultra import Header


class Flow:
    """An ordered series of packets from one host; its sequence numbers count from 0."""

    def __init__(self, number: int, name: str, source, destination: int | None, entry, setup):
        self.number = number
        self.name = name
        self.source = source  # the source whose messages it sends
        self.destination = destination  # None: every message has one of its own (then there is neither window nor ACK)
        self.lane = setup.lane_towards(destination, entry)
        self.service = entry.service
        self.window = entry.window
        self.rate_limit = entry.rate_limit
        self.reacts = setup.react.kind != "none" and destination is not None
        self.notified = self.reacts and setup.cnp is not None  # marks are reported by separate packets
        self.start_x = setup.react.start
        self.throttle = source.host.throttle_of(entry.service) if self.reacts and setup.cct else None
        self.reaction = self.new_reaction() if self.reacts and setup.rule else None
        self.dcqcn = self.new_dcqcn() if self.reacts and setup.dcqcn else None
        answers = self.window is not None or (self.reacts and not self.notified)
        self.acknowledged = destination is not None and answers
        self.notifier = Notifier(setup.cnp.interval) if setup.cnp else None
        self.sender, self.receiver = None, None
        if setup.transport is not None:
            self.sender, self.receiver = setup.transport.ends(self)
        self.queue = deque()  # packets created and not yet started: (destination, size on the wire, message)
        self.posting = Posting(self, setup)
        self.unanswered = []  # data packets that wait at the receiver for their common ACK
        self.sequence = 0
        self.outstanding = 0
        self.epoch = 0
        self.x = self.start_x  # R_max / r
        self.next_at = 0
        self.paced_at = 0  # the earliest start, by its reaction alone
        self.last_start = self.last_time = self.last_rate = 0
        self.last_size = 0
        self.delivered = self.delivered_bytes = self.marked = 0
        self.packets: int | None = None  # its only message, if it exists for one message only
        self.made: int | None = None  # when that message was made
        self.line = None  # the messages of an application that it carries

    def has_message(self) -> bool:
        """Whether a message has not been sent completely; or not been acknowledged, if there is a transport."""
        return bool(self.queue) or (self.sender is not None and self.sender.known() < len(self.sender.sizes))

    def renew(self) -> None:
        """A new life: a fresh window and a fresh rate; ACKs and notifications of the former one are ignored.

        A throttle that the flow shares with others is theirs too, and stays as it is.
        """
        now = self.source.fabric.now
        self.epoch += 1
        self.outstanding = 0
        self.x = self.start_x
        self.next_at = self.paced_at = now
        self.posting.renew(list(dict.fromkeys(message for _, _, message in self.queue)))
        if self.throttle is not None and not self.shares_its_throttle():
            self.throttle.renew()
        if self.reaction is not None:
            self.reaction = self.new_reaction()
        if self.dcqcn is not None:
            self.dcqcn = self.new_dcqcn()

    def new_reaction(self) -> Reaction:
        """The reaction in its initial state; its window, if it has one, is that of the flow."""
        reaction = REACTIONS[self.source.host.setup.react.kind][1](self.source.host.setup.rule, self)
        self.window = reaction.window() or self.window
        return reaction

    def new_dcqcn(self) -> Dcqcn:
        """The same with a rate that DCQCN cuts and raises."""
        dcqcn = Dcqcn(self.source.host.setup.dcqcn, self)
        self.window = dcqcn.window() or self.window
        return dcqcn

    def shares_its_throttle(self) -> bool:
        """Whether its throttle is that of a service level."""
        return self.throttle is not None and self.throttle.rule.per == "sl"


class Host:
    """One host and its adapter."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.flows: list[Flow] = []
        self.throttles: dict[int, Throttle] = {}  # by service level, if they are shared
        self.asks = []  # steady sources that make a message when nothing else can be sent
        self.lane_turn = LaneTurn(self.setup.lane_weights) if self.setup.lane_weights else None
        self.schedule = ScheduleTurn(self.setup.lane_schedule) if self.setup.lane_schedule else None
        self.attempt = None  # that of the chosen flow
        self.control = deque()  # ACKs and notifications to send
        self.last_flow = -1  # position of the flow that sent last
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
        packet, flow, blocked = self.choose()
        while packet is None and self.ask_a_source():
            packet, flow, blocked = self.choose()
        self.wire.note_blocked(blocked)
        if packet is not None and flow is None:
            self.control.popleft()
            self.wire.send(packet)
        elif packet is not None:
            self.start(packet, flow)

    def choose(self):
        """The packet to start now and its flow (none for an ACK), and whether lack of credit keeps the link idle."""
        if self.wire.sending is not None or self.wire.is_held():
            return None, None, False
        blocked = False
        if self.control:
            if self.wire.fits(self.control[0]):
                return self.control[0], None, False
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

    def tries(self) -> list[tuple]:
        """Lanes in the order in which they are tried, with the most bytes of a packet; or all of them together."""
        if self.schedule is None:
            return [(None, float("inf"), None)]
        self.wire.forget_if_idle()
        return self.schedule.tries()

    def next_of(self, lane: int | None):
        """The packet and flow to send next in a lane (none: in any), and whether lack of credit stops another."""
        blocked = False
        for flow in self.in_turn():
            if not self.may_send(flow) or lane not in (None, flow.lane):
                continue
            packet = self.packet_of(flow)
            if self.staging is not None or self.wire.fits(packet):
                return packet, flow, False
            blocked = True
        return None, None, blocked

    def in_turn(self) -> list[Flow]:
        """The flows after the one that sent last; lane by lane if lanes have weights."""
        flows = self.flows[self.last_flow + 1 :] + self.flows[: self.last_flow + 1]
        if self.lane_turn is None:
            return flows
        return [flow for lane in self.lane_turn.lanes() for flow in flows if flow.lane == lane]

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

    def ask_a_source(self) -> bool:
        """A steady source whose message is due makes it, if there is such a source; of several one is drawn by their
        rates. Sources in a lane in which a packet already waits for credit are not asked: their packets would only
        join it. A source whose lane is not known before it has drawn is asked as long as there is another lane that it
        may draw.
        """
        if self.wire.sending is not None or self.wire.is_held() or self.fabric.now < self.inject_at:
            return False
        held = {flow.lane for flow in self.flows if self.may_send(flow)} | {
            packet.lane for packet in [*self.control][:1]
        }
        willing = [source for source in self.asks if source.lanes() - held and source.wants_to_make()]
        if willing:
            self.draw(willing).asked_to_make()
        return bool(willing)

    def draw(self, sources):
        """One of several sources, each as likely as its share of their rates; random numbers are those of the first."""
        if len(sources) == 1:
            return sources[0]
        left = sources[0].arrival_rng.unit() * sum(source.steady_rate() for source in sources)
        for source in sources:
            left -= source.steady_rate()
            if left < 0:
                break
        return source

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
        self.last_flow = self.flows.index(flow)
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

    # ---- receiving ----------------------------------------------------------------------------------------------

    def expect(self, packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way to this host; it counts when its last byte is here."""
        self.fabric.at(tail_in, DELIVER, self.number, self, self.deliver, packet)

    def deliver(self, packet) -> None:
        """A packet has arrived: return its room, and answer data with an ACK or process an ACK."""
        if not self.upstream.comes_in(packet):
            return
        now = self.fabric.now
        if self.memory is not None and self.setup.drain_rate is not None:
            if not self.memory.take(packet.lane, None, packet.size):
                return self.memory.lose(packet.lane, None, packet.size)
            self.drained = max(now, self.drained) + time_for(packet.size, self.setup.drain_rate)
            due, drained = (self.number, DRAINED, 0), self.memory.drained
            self.fabric.at(self.drained, PAUSE, due, self, drained, packet.lane, packet.size)
        self.take_in(packet)

    def take_in(self, packet) -> None:
        """The packet has room: if room is promised, the promise is renewed when the packet has been drained."""
        now = self.fabric.now
        room_free = now
        if self.setup.drain_rate is not None and packet.units > 0 and self.memory is None:
            room_free = self.drained = max(now, self.drained) + time_for(packet.size, self.setup.drain_rate)
        self.upstream.give_back(packet, packet.lane, room_free)
        if packet.flow.sender is not None and packet.kind != "cnp":
            self.take_in_of_transport(packet)
        elif packet.is_data:
            self.deliver_data(packet)
        elif packet.kind == "ack":
            self.deliver_ack(packet)
        elif self.setup.cnp.delay > 0:
            # It has arrived, and is processed later.
            self.fabric.at(now + self.setup.cnp.delay, DELIVER, self.number, self, self.hear, packet)
        else:
            self.hear(packet)

    def take_in_of_transport(self, packet) -> None:
        """The receiving end decides whether a data packet is useful, and what to answer; answers are for the sender."""
        flow = packet.flow
        if packet.kind in ("ack", "nack", "grant"):
            return self.hear_answer(packet)
        if self.granter is not None:
            self.granter.hear(packet)
        if packet.kind == "request":
            packet.sequence = packet.header.cause
            header = flow.receiver.answer(packet)
            header.to_request = True
            return self.send_answer(packet, header, "ack")
        if packet.kind == "trimmed":
            kind, header = flow.receiver.trimmed(packet)
            return self.send_answer(packet, header, kind)
        of_use, answers = flow.receiver.take(packet)
        if of_use:
            self.count(packet)
        for caused, header in answers:
            self.send_answer(caused, header, "ack")
        self.notify(packet)

    def send_answer(self, packet, header, kind: str) -> None:
        """An answer of a transport to a packet."""
        lane = self.setup.transport.control_lane
        self.answer(packet, kind, self.setup.ack, packet.flow.lane if lane is None else lane, header=header)

    def send_grant(self, flow: Flow, quanta: int) -> None:
        """Grant a sender credit up to this number."""
        self.send_control("grant", flow, flow.source.host.number, Header(quanta=quanta))

    def send_request(self, flow: Flow, header: Header) -> None:
        """Request credit from a receiver."""
        self.send_control("request", flow, flow.destination, header)

    def send_control(self, kind: str, flow: Flow, destination: int, header: Header) -> None:
        """A control packet that is not an answer."""
        lane, size = self.setup.transport.control_lane, self.setup.ack
        packet = Packet(flow, 0, kind, size, destination, flow.lane if lane is None else lane, flow.epoch)
        packet.header = header
        packet.units = self.setup.units_of(size) if self.setup.control_uses_credits else 0
        self.control.append(packet)

    def sharers(self) -> int:
        """Number of flows that may send now."""
        return sum(self.may_send(flow) for flow in self.flows)

    def hear_answer(self, answer) -> None:
        """Pass an answer to the transport, then the packets that have arrived, and losses, to the reaction."""
        flow, sender = answer.flow, answer.flow.sender
        known, before = sender.known(), dict(sender.counts)
        sender.hear(answer)
        if flow.reacts and not flow.notified:
            answer.answers = sender.known() - known
            self.hear(answer)
            if answer.epoch == flow.epoch:
                self.hear_of_loss(flow, before)
        if known < len(sender.sizes) == sender.known() and not flow.source.endless:
            flow.posting.done(flow.epoch)
            flow.source.done()
            if flow.line is not None:
                flow.line.answered(sender.known() - 1)

    def hear_of_loss(self, flow: Flow, before: dict) -> None:
        """Tell the reaction if the transport has found a loss since."""
        losses, timeouts = (flow.sender.counts[how] - before[how] for how in ("told", "timeouts"))
        if flow.reaction is not None and losses + timeouts > 0:
            flow.reaction.loses(timeouts > 0, self.fabric.now)
            flow.window = flow.reaction.window() or flow.window
            self.set_pace(flow)
        elif flow.dcqcn is not None and losses + timeouts > 0:
            flow.window = flow.dcqcn.window() or flow.window

    def deliver_data(self, packet) -> None:
        """Count the packet; acknowledge it with its mark, or notify its source of the mark."""
        flow = packet.flow
        self.count(packet)
        if flow.acknowledged:
            self.acknowledge(packet)
        self.notify(packet)

    def notify(self, packet) -> None:
        """Notify its source of a mark, if notifications are used and it is time."""
        flow = packet.flow
        if flow.notified and packet.feedback != "clear" and flow.notifier.tells(self.fabric.now, packet.marked):
            cnp = self.setup.cnp
            self.answer(packet, "cnp", cnp.size, flow.lane if cnp.lane is None else cnp.lane)

    def count(self, packet) -> None:
        """A useful data packet has arrived."""
        flow = packet.flow
        flow.delivered += 1
        flow.delivered_bytes += packet.size
        flow.marked += packet.marked
        if flow.packets is not None and flow.delivered == flow.packets:
            flow.source.ends_of_flows.finished(flow, self.number)
        self.fabric.deliveries.append((flow.number, packet.sequence, self.fabric.now, packet.marked, packet.injected))
        if flow.line is not None:
            flow.line.comes_in(packet.sequence)

    def acknowledge(self, packet) -> None:
        """One ACK for several packets, or for those that arrive within a time. All of them have the same feedback, if
        the source uses it, and belong to one life of the flow. The last packet of a message is acknowledged at once."""
        flow, waiting = packet.flow, packet.flow.unanswered
        tells = flow.reacts and not flow.notified
        if waiting and (waiting[-1].epoch != packet.epoch or (tells and waiting[-1].feedback != packet.feedback)):
            self.flush(flow)
        waiting.append(packet)
        posts = self.setup.message_cost > 0 or self.setup.queue_depth is not None
        ends = packet.last and (posts or not flow.source.endless)
        if len(waiting) >= self.setup.ack_every or ends:
            self.flush(flow)
        elif len(waiting) == 1:
            self.fabric.at(self.fabric.now + self.setup.ack_after, FLUSH, flow.number, self, self.flush, flow, packet)

    def flush(self, flow, first=None) -> None:
        """What waits is answered by one ACK, as the last of it says; by the timer only while its first packet waits."""
        if first is None or (flow.unanswered and flow.unanswered[0] is first):
            last, count = flow.unanswered[-1], len(flow.unanswered)
            flow.unanswered.clear()
            lane = flow.lane if self.setup.ack_lane is None else self.setup.ack_lane
            self.answer(last, "ack", self.setup.ack, lane, count)

    def answer(self, packet, kind: str, size: int, lane: int, answers: int = 1, header=None) -> None:
        """A packet about a data packet goes back to its source."""
        source = packet.flow.source.host.number
        units = self.setup.units_of(size) if self.setup.control_uses_credits else 0
        answer = Packet(packet.flow, packet.sequence, kind, size, source, lane, packet.epoch, units=units)
        answer.header = header
        answer.marked, answer.undetermined = packet.marked, packet.undetermined
        answer.records, answer.digest, answer.last = packet.records, packet.digest, packet.last
        answer.answers, answer.caused, answer.hops = answers, packet.injected, packet.hops
        if kind in ("ack", "nack") and self.setup.ack_turnaround > 0:
            ready = self.fabric.now + self.setup.ack_turnaround
            self.fabric.at(ready, ANSWER, self.number, self, self.control.append, answer)
        else:
            self.control.append(answer)

    def deliver_ack(self, ack) -> None:
        """The window opens; the ACK of a marked packet tells of the mark unless notifications do."""
        flow = ack.flow
        if ack.epoch == flow.epoch:
            flow.outstanding -= ack.answers
        if ack.last:
            flow.posting.done(ack.epoch)
            if flow.line is not None:
                flow.line.answered(ack.sequence)
        if flow.reacts and not flow.notified:
            self.hear(ack)

    def hear(self, answer) -> None:
        """The rate follows the feedback; feedback about an earlier life of the flow is ignored."""
        flow = answer.flow
        if answer.epoch != flow.epoch and not flow.shares_its_throttle():
            return
        if flow.reaction is not None:
            flow.reaction.hears(answer, self.fabric.now)
            flow.window = flow.reaction.window() or flow.window
            self.set_pace(flow)
        elif flow.dcqcn is not None:
            for _ in range(max(answer.answers, 1)):  # a mark counts, whether or not the packet is useful to a transport
                flow.dcqcn.hears(answer.feedback)
            flow.window = flow.dcqcn.window() or flow.window
        elif flow.throttle is None:
            for _ in range(answer.answers if answer.feedback != "undetermined" else 0):
                flow.x = slower_or_faster(self.setup.react, flow.x, answer.marked)
            self.set_pace(flow)
        elif answer.feedback == "congested":
            for _ in range(answer.answers):
                flow.throttle.notified()
        elif answer.feedback == "undetermined":
            for _ in range(answer.answers):
                flow.throttle.holds()
