"""What makes switches mark, which packets they mark, and when the sources hear of it, as a run of the twin shows it."""

from collections import Counter

from reaching import around
from reference.hosts import receiving
from reference.hosts.host import Host
from reference.hosts.receiving import Receiving
from reference.links.link import Packet
from reference.marks.counts import Marker
from reference.marks.infiniband import FecnMarker
from reference.marks.np_ecn import NpEcnMarker
from reference.marks.red import RedMarker
from reference.marks.ternary import TernaryMarker
from reference.reactions.swift import Swift
from reference.switches.set_aside import Lines
from reference.switches.switch import Switch
from reference.transports.in_order import InOrderReceiver
from reference.transports.ultra.receiver import Receiver

NAN = "nan"


class Marking:
    """Everything about marks, while a fabric runs. Ports have numbers: those of hosts first, then of switches."""

    def __init__(self, fabric, monkeypatch):
        self.fabric, self.patch = fabric, monkeypatch
        wires = [wire for node in [*fabric.hosts, *fabric.switches] for wire in node.wires_out()]
        self.number = {id(wire): port for port, wire in enumerate(wires)}
        self.fulls = []  # (time, input, lane, packets by flow)
        self.events = []  # (time, trigger, output, lane, departures to mark, and before, packets, its full buffer)
        self.marks = []  # [time, flow, output, lane, event, limit, credit, when the source is told]
        self.states = []  # (time, output, lane, whether it is congested now, credit)
        self.latest = {}  # by output and lane: the last event
        self.marked = {}  # by packet: its mark
        self.full = None  # the input whose full buffer is examined, and the row of it
        self.asked = None  # the output that asks whether a packet is to be marked
        self.limits, self.limits_at = {}, None  # before anything is sent in an instant
        self.answered, self.made = {}, None  # by answer: the packets that it is about
        self.group = {}  # by the last packet of a group that is answered together: the others
        self.hook()
        fabric.run()

    def hook(self) -> None:
        """Everything that is of interest is written down."""
        self.patch.setattr(Packet, "__setattr__", lambda packet, name, value: self.on_set(packet, name, value))
        self.patch.setattr(receiving, "Packet", self.make_answer)
        for marker in (Marker, FecnMarker, NpEcnMarker, RedMarker, TernaryMarker):
            around(self.patch, marker, "starts", self.on_starts)
        around(self.patch, Marker, "tail_in", self.on_tail_in)
        around(self.patch, Marker, "accuse", self.on_accuse)
        around(self.patch, FecnMarker, "queue_changed", self.on_queue_changed)
        for change in ("count", "count_no_more"):
            around(self.patch, Lines, change, self.on_count)
        for node in (Host, Switch):
            around(self.patch, node, "decide", self.on_decide)
        for answers in ("flush", "answer", "deliver_ack", "hear_answer"):
            around(self.patch, Receiving, answers, getattr(self, f"on_{answers}"))
        around(self.patch, Receiving, "hear", self.on_hear)
        around(self.patch, InOrderReceiver, "answer", self.on_answer_in_order)

    # ---- what makes switches mark --------------------------------------------------------------------------------

    def on_tail_in(self, inner, marker, entry, lane: int) -> None:
        """A tail has come in: perhaps the buffer is full."""
        if marker.on_input and entry.held[lane] >= marker.full(entry, lane):
            waiting = [stay for stay in entry.waiting() if stay.came_in == lane]
            flows = Counter(stay.packet.flow.number for stay in waiting)
            full = self.fabric.now, self.number[id(entry.upstream)], lane, tuple(sorted(flows.items()))
            self.fulls.append(full)
            self.full = full
            if marker.rule.kind == "naive":
                for port, leaving in sorted({(stay.output, stay.lane) for stay in waiting}):
                    self.note_event(marker.switch.outputs[port], leaving, 0, 0)
        inner(marker, entry, lane)
        self.full = None

    def on_accuse(self, inner, marker, output, lane: int) -> None:
        """An output is congested."""
        before, counts = output.due[lane], marker.rule.feedback == "counters"
        self.note_event(output, lane, output.present[lane] if counts else 0, before)
        inner(marker, output, lane)

    def note_event(self, output, lane: int, due: int, before: int) -> None:
        """An event at an output."""
        trigger = "output" if self.full is None else "input"
        port = self.number[id(output.wire)]
        event = self.fabric.now, trigger, port, lane, due, before, output.present[lane], self.full
        self.events.append(event)
        self.latest[port, lane] = event

    def on_queue_changed(self, inner, marker, output, lane: int, taken: int = 0) -> None:
        """A queue has grown or shrunk: perhaps its output enters the congestion state, or leaves it."""
        before = output.congested[lane]
        inner(marker, output, lane, taken)
        if output.congested[lane] != before:
            self.note_state(output, lane, not before)

    def on_count(self, inner, lines, line) -> None:
        """A queue counts as congested, or no longer does."""
        output = lines.switch.outputs[line.output]
        before = output.roots > 0
        inner(lines, line)
        if lines.switch.setup.roots and (output.roots > 0) != before:
            self.note_state(output, 0, not before)

    def note_state(self, output, lane: int, congested: bool) -> None:
        self.states.append(
            (self.fabric.now, self.number[id(output.wire)], lane, congested, self.credit(output.wire, lane))
        )

    # ---- marks ---------------------------------------------------------------------------------------------------

    def on_starts(self, inner, marker, packet, output) -> None:
        """A packet starts, and may be marked."""
        self.asked = output
        inner(marker, packet, output)
        self.asked = None

    def on_set(self, packet, name: str, value) -> None:
        """A value of a packet is set."""
        new = name == "marked" and value and not getattr(packet, "marked", False)
        if new and getattr(packet, "kind", None) == "data":
            self.note_mark(packet)
        object.__setattr__(packet, name, value)

    def note_mark(self, packet) -> None:
        """A data packet is marked."""
        output = self.asked or self.where(packet)
        port, flow = self.number[id(output.wire)], packet.flow
        limit = self.limits[flow] if self.fabric.decides else limit_of(flow)
        event, credit = self.latest.get((port, packet.lane)), self.credit(output.wire, packet.lane, packet)
        mark = [self.fabric.now, flow.number, port, packet.lane, event, limit, credit, NAN]
        self.marks.append(mark)
        self.marked[packet] = mark

    def where(self, packet):
        """The output for which a packet waits."""
        stays = (
            (switch, stay) for switch in self.fabric.switches for entry in switch.inputs for stay in entry.waiting()
        )
        return next(switch.outputs[stay.output] for switch, stay in stays if stay.packet is packet)

    def on_decide(self, inner, node) -> None:
        """Before the first decision of an instant rates are noted."""
        if self.limits_at != self.fabric.now:
            self.limits_at = self.fabric.now
            self.limits = {flow: limit_of(flow) for host in self.fabric.hosts for flow in host.flows}
        inner(node)

    def credit(self, wire, lane: int, packet=None):
        """Bytes that a wire could carry in a lane now, for the queue that a packet is to join."""
        setup, room = self.fabric.setup, wire.room[lane]
        if setup.pfc is not None or setup.lossy or room.is_endless():
            return NAN
        unit = setup.mtu + setup.header if setup.slots else setup.block
        if not setup.organisation.has_room_by_queue():
            return room.shared * unit
        if packet is None:
            return NAN
        used = room.used.get(wire.receiver.account(packet), 0)
        return min(room.limit - used, max(room.reserve - used, 0) + room.shared) * unit

    # ---- what sources hear ----------------------------------------------------------------------------------------

    def make_answer(self, *arguments, **more) -> Packet:
        """A host makes an answer."""
        self.made = Packet(*arguments, **more)
        return self.made

    def on_flush(self, inner, receiver, flow, first=None) -> None:
        """Packets that wait are answered by one ACK."""
        waiting = list(flow.unanswered)
        if waiting:
            self.group[waiting[-1]] = waiting
        inner(receiver, flow, first)

    def on_answer_in_order(self, inner, receiver):
        """The same with a transport."""
        waiting = list(receiver.waiting)
        packet, header = inner(receiver)
        self.group[packet] = waiting
        return packet, header

    def on_answer(self, inner, receiver, packet, kind: str, *arguments, **more) -> None:
        """An answer is sent."""
        inner(receiver, packet, kind, *arguments, **more)
        self.answered[self.made] = self.group.get(packet, [packet]) if kind == "ack" else [packet]

    def on_deliver_ack(self, inner, host, ack) -> None:
        """An ACK has arrived."""
        flow = ack.flow  # receivers of most transports tell of marks only if the source reacts to ACKs
        if not flow.notified and (flow.reacts or flow.sender is None or isinstance(flow.receiver, Receiver)):
            self.tell(ack)
        inner(host, ack)

    on_hear_answer = on_deliver_ack

    def on_hear(self, inner, host, answer) -> None:
        """A notification, or an ACK, is processed."""
        if answer.kind == "cnp":
            self.tell(answer)
        inner(host, answer)

    def tell(self, answer) -> None:
        """The source hears of the packets that are answered."""
        if answer.marked:
            for mark in filter(None, map(self.marked.get, self.answered.get(answer, []))):
                if mark[-1] == NAN:
                    mark[-1] = self.fabric.now


def limit_of(flow) -> float:
    """The rate limit of a flow now, as R_max / r."""
    if flow.throttle is not None:
        throttle, full = flow.throttle, flow.source.host.full_time()
        entry = throttle.rule.table[throttle.index]
        idle = (full >> entry[0]) * entry[1] if isinstance(entry, tuple) else entry
        return 1.0 + idle / full
    if flow.dcqcn is not None:
        return max(flow.dcqcn.line / flow.dcqcn.rate, 1.0)
    if flow.reaction is None:
        return flow.x if flow.reacts else 1.0
    reaction, full = flow.reaction, flow.source.host.full_time()
    if isinstance(reaction, Swift):
        return max(reaction.interval(full, 0) / full, 1.0)
    return reaction.line / reaction.rate if reaction.interval(10**9, 10**18) else 1.0
