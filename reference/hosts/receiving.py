"""The receiving side of a host: what has come in is drained, counted, answered, and told to the flows that sent it."""

from reference.hosts.flow import Flow
from reference.links.link import ANSWER, DELIVER, DRAINED, FLUSH, PAUSE, Packet
from reference.marks.counts import slower_or_faster
from reference.quantities import time_for
from reference.transports.header import Header


class Receiving:
    """What a host does with packets that arrive."""

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
        for last in sender.completes():
            flow.posting.done(flow.epoch)
            flow.source.done()
            if flow.line is not None:
                flow.line.answered(last)

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
            self.fabric.at(self.fabric.now + self.setup.ack_flush, FLUSH, flow.number, self, self.flush, flow, packet)

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
