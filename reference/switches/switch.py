"""A switch: a buffer at each input, queues over it, read ports out of it, an arbiter at each output.

Usually outputs have no memory: a packet stays in the buffer of its input until its last byte has left through its
output. But if the crossbar has a speed of its own, packets are read at that speed, and an output holds a few of them
for its link. And where outputs have a buffer, packets cross to it at once as long as the next one fits: from the
inputs in turn, and from the buffer first come, first served.
"""

from functools import partial

from reference.links.link import ARRIVE, LEFT, PACE, TAIL, Packet
from reference.links.pauses import Memory
from reference.links.watchdog import Watchdog
from reference.marks.counts import Marker
from reference.marks.infiniband import FecnMarker
from reference.marks.np_ecn import NpEcnMarker
from reference.marks.red import RedMarker
from reference.marks.ternary import TernaryMarker
from reference.quantities import time_for
from reference.reactions.telemetry import Port
from reference.regions.region import Region
from reference.switches.flow_queues import LANE, FlowQueues
from reference.switches.isolation import RootMarker
from reference.switches.memory import Pool, SharedMemory
from reference.switches.ports import Input, Output, Stay
from reference.switches.queues import Islip, Queue
from reference.switches.set_aside import Lines
from reference.transports.ultra import OutputQueue


class Switch:
    """One switch."""

    def __init__(self, fabric, number: int):
        self.fabric = fabric
        self.setup = fabric.setup
        self.number = number
        self.inputs: list[Input] = []
        self.outputs: list[Output] = []
        self.turn = 0  # the output that decides first
        self.islip = None
        self.marker = self.make_marker()

    def make_marker(self):
        """What marks packets here."""
        if self.setup.fecn:
            return FecnMarker(self.setup.fecn, self)
        if self.setup.roots:
            return RootMarker(self.setup.roots, self)
        if self.setup.red:
            return RedMarker(self.setup.red, self)
        if self.setup.ternary:
            return TernaryMarker(self.setup.ternary, self)
        if self.setup.mark.kind == "np-ecn":
            return NpEcnMarker(self)
        return Marker(self.setup.mark, self)

    def add_port(self, out, back) -> None:
        """The next port: `out` leaves from here, `back` arrives here."""
        out.sender_port = back.receiver_port = len(self.outputs)
        setup = self.setup
        self.outputs.append(Output(len(self.outputs), out, setup.lanes, setup.lane_weights, setup.lane_schedule))
        self.inputs.append(Input(back, self.setup.lanes))
        if setup.flow_queues is not None:
            self.outputs[-1].by_flow = FlowQueues(setup.flow_queues, self, self.outputs[-1])
        if setup.isolation is not None:
            self.inputs[-1].aside = Lines(setup.isolation, self, len(self.inputs) - 1)
        if setup.regions is not None:
            self.outputs[-1].region = Region(setup.regions, self, self.outputs[-1])
        if setup.lossy:
            self.outputs[-1].bounded = OutputQueue(self, self.outputs[-1])
        if setup.telemetry is not None:
            self.outputs[-1].telemetry = Port(setup.telemetry, self)

    def make_memory(self) -> None:
        """Senders are paused: every input counts the bytes that it holds."""
        pool = Pool(self, self.setup.shared_memory) if self.setup.shared_memory else None
        for port, (entry, output) in enumerate(zip(self.inputs, self.outputs, strict=True)):
            place = self.fabric, self, port, entry.upstream, output.wire
            if pool is not None:
                entry.memory = SharedMemory(*place, pool)
            else:
                entry.memory = Memory(*place, self.setup.buffer_units, fixed=True)
            if self.setup.pfc.watchdog is not None:
                queued = partial(self.queued, output)
                output.wire.watchdog = Watchdog(self.setup.pfc.watchdog, output.wire, queued)

    def port_number(self, output: Output) -> int:
        """The number of a port among all: hosts first, then the switches in turn."""
        before = sum(len(switch.outputs) for switch in self.fabric.switches[: self.number])
        return len(self.fabric.hosts) + before + output.port

    def queued(self, output: Output, lane: int) -> int:
        """Bytes that wait for an output in a lane, wherever they are."""
        by_flow = output.by_flow.bytes() if output.by_flow and lane == LANE else 0
        return by_flow + sum(entry.fill(lane, output.port) for entry in self.inputs)

    def receives_without_end(self) -> bool:
        """Whether receivers have no buffer limit: no, its buffers are simulated."""
        return False

    def wires_out(self) -> list:
        """The wires that leave from here."""
        return [output.wire for output in self.outputs]

    def memories(self) -> list[Memory]:
        """The memories that may pause neighbours."""
        return [entry.memory for entry in self.inputs if entry.memory is not None]

    def counted_for(self, stay: Stay):
        """The account of the bytes of a packet: its input, or its queue."""
        return stay.output if self.setup.pfc.per_queue else None

    def account(self, packet: Packet):
        """The queue whose room a packet takes here; where routes may change all queues share the room."""
        if self.fabric.detours.name or self.fabric.faults.any:
            return None
        output = self.fabric.routes[self.number][packet.destination]
        return self.setup.organisation.queue_of(packet.destination, output)

    # ---- what happens to it -------------------------------------------------------------------------------------

    def expect(self, packet: Packet, wire, head_in: int, tail_in: int) -> None:
        """A packet is on its way to this switch. When can it leave again?

        Cut-through: a forwarding delay after its head has arrived, or as much later as is necessary so that a faster
        output never runs out of bytes. Store-and-forward: a forwarding delay after its tail has arrived.
        """
        soonest = head_in if self.setup.cut_through and wire.checked is None else tail_in
        soonest += self.setup.forwarding_delay
        place = self.number, wire.receiver_port
        self.fabric.at(soonest, ARRIVE, place, self, self.route, packet, wire, tail_in - head_in, tail_in)

    def route(self, packet: Packet, wire, time_in: int, tail_in: int) -> None:
        """A packet can be routed, if it was not lost. It takes `time_in` to arrive, and has arrived at `tail_in`."""
        if not wire.comes_in(packet):
            return
        port, came_in, now = wire.receiver_port, packet.lane, self.fabric.now
        output = self.fabric.ways.port(self, packet)
        lane = self.fabric.hop_lanes.next(self.number, port, output, came_in, packet.flow.service)
        stay = Stay(packet, port, output, came_in, lane, now)
        if self.fabric.detours.name:
            self.fabric.detours.choose(self, stay)
        if self.setup.cut_through and wire.checked is None:
            stay.arrived += max(0, time_in - self.passage(packet, self.outputs[stay.output]))
        if packet.is_data:
            whole = max(tail_in, stay.arrived)
            self.fabric.at(whole, TAIL, port, self, self.marker.tail_in, self.inputs[port], came_in)
        if stay.arrived > now:
            self.fabric.at(stay.arrived, ARRIVE, (self.number, port), self, self.arrive, stay)
        else:
            self.arrive(stay)

    def arrive(self, stay: Stay) -> None:
        """The packet joins its queue, unless there is no room (only where senders need no credit)."""
        memory, packet, output = self.inputs[stay.input].memory, stay.packet, self.outputs[stay.output]
        packet.lane = stay.lane
        if memory is not None:
            place = stay.came_in, self.counted_for(stay), packet.size
            if not memory.take(*place, queued=self.queued(output, stay.lane)):
                return memory.lose(*place)
        if output.bounded is not None and not output.bounded.admit(stay):
            return
        lane = stay.lane
        self.join(stay)
        if output.region is not None:
            output.region.joined(stay)
        if stay.packet.is_data:
            self.inputs[stay.input].held[stay.came_in] += 1
            self.outputs[stay.output].present[lane] += 1
            self.marker.arrived(output, lane)
        self.marker.queue_changed(output, lane)
        self.move_over(output)
        aside = self.inputs[stay.input].aside
        if aside is not None and lane == LANE and stay.packet.is_data:
            aside.joined(self.queue_of(stay))

    def join(self, stay: Stay) -> None:
        """It is in its queue, and requests its output if it is the first there."""
        self.outputs[stay.output].waiting_here += 1
        if self.flows_of(stay) is not None:
            return self.flows_of(stay).join(stay)
        queue = self.queue_of(stay)
        queue.append(stay)
        self.calls(queue)

    def calls(self, queue: Queue) -> None:
        """The head of a queue waits for its output, behind the heads of others, unless it does already or may not."""
        if queue and queue.caller is None and not queue.stopped:
            queue.caller = self.line_of(queue[0])
            queue.caller.append(queue)

    def calls_no_more(self, queue: Queue) -> None:
        """It requests nothing."""
        if queue.caller is not None:
            queue.caller.remove(queue)
            queue.caller = None

    def flows_of(self, stay: Stay) -> FlowQueues | None:
        """The queues of flows in which a packet waits, if it waits in such."""
        return self.outputs[stay.output].by_flow if stay.lane == LANE else None

    def hear_of_queue(self, port: int, queue: int, stop: bool) -> None:
        """A queue of an output is stopped, or released."""
        stopped = self.outputs[port].by_flow.stopped
        (stopped.add if stop else stopped.discard)(queue)

    def hear_of_line(self, port: int, what: str, *says) -> None:
        """Process a notice about a line: packets here that belong to its tree follow it."""
        known = self.outputs[port].known.hear(what, *says)
        name = self.setup.organisation.queue_of(None, port)
        for entry in self.inputs:
            entry.aside.hears(what, known, entry.queues.get((LANE, name)))

    def hear_of_region(self, port: int, *says) -> None:
        """Process a notice of congestion: packets may no longer be held."""
        self.outputs[port].region.hear(*says)
        self.move_over(self.outputs[port])

    def left(self, stay: Stay) -> None:
        """Its last byte has left: the room it took in its input buffer is free, and so is a read port."""
        entry = self.inputs[stay.input]
        if self.setup.output_buffer is None:
            entry.reading -= 1
            if self.flows_of(stay) is None:
                self.queue_of(stay).being_read = False
        self.is_gone(stay)
        entry.upstream.give_back(stay.packet, stay.came_in, self.fabric.now)

    def is_gone(self, stay: Stay) -> None:
        """It no longer counts among the data packets in the switch."""
        if stay.packet.is_data:
            self.inputs[stay.input].held[stay.came_in] -= 1
            self.outputs[stay.output].present[stay.lane] -= 1

    def queue_of(self, stay: Stay) -> Queue:
        """The queue in which a packet waits."""
        if stay.aside is not None:
            return stay.aside
        name = self.setup.organisation.queue_of(stay.packet.destination, stay.output)
        return self.inputs[stay.input].queues.setdefault((stay.lane, name), Queue())

    def line_of(self, stay: Stay) -> list[Queue]:
        """The line of queues in which a head waits."""
        return self.inputs[stay.input].lines.setdefault((stay.lane, stay.output), [])

    def passage(self, packet: Packet, output: Output) -> int:
        """How long reading the packet from its input takes."""
        return time_for(packet.size, self.setup.crossbar) if self.setup.crossbar else output.wire.time_for(packet)

    # ---- what it decides ----------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Every idle output starts a frame or a packet if it can; outputs decide in rotating order."""
        for output in self.outputs if self.fabric.neighbours_talk else ():
            output.wire.send_frame()
        while self.may_drop() and any([self.drop_waiting(output) for output in self.outputs]):
            pass
        for output in self.outputs if self.setup.crossbar else ():
            self.depart(output)
        for output in self.outputs if self.setup.regions else ():
            self.move_over(output)
        if self.setup.arbiter == "islip":
            return self.decide_together()
        started, is_blocked = False, {}
        for output in self.outputs[self.turn :] + self.outputs[: self.turn]:
            stay, is_blocked[output] = self.choose(output)
            if stay is not None:
                self.start(stay, output)
                self.turn, started = (output.port + 1) % len(self.outputs), True
        for output in self.outputs:
            if started:  # what others found before may no longer hold
                stay, is_blocked[output] = self.choose(output)
                assert stay is None, "one round of decisions is enough"
            output.wire.note_blocked(is_blocked[output])

    def decide_together(self) -> None:
        """Inputs and outputs are matched: until no more match is possible, or once in each slot."""
        self.islip = self.islip or Islip(len(self.outputs))
        if self.setup.slotted:
            rate = self.setup.crossbar or max(wire.rate for wire in self.fabric.wires)
            slot = time_for(self.setup.mtu + self.setup.header, rate)
            if any(queue for entry in self.inputs for queue in entry.queues.values()):
                self.fabric.at((self.fabric.now // slot + 1) * slot, PACE, 0, self, lambda: None)
            if self.fabric.now % slot:
                return
        ports, rounds = range(len(self.outputs)), self.setup.iterations or float("inf")
        matched = True
        while matched:
            requests = {(i, o) for i in ports for o in ports if self.offer(i, self.outputs[o])[0]}
            limit = float("inf") if self.setup.read_ports is None else self.setup.read_ports
            matched = self.islip.match(requests, [limit - entry.reading for entry in self.inputs], rounds)
            for i, o in matched:
                self.start(self.offer(i, self.outputs[o])[0], self.outputs[o])
            if self.setup.slotted:
                break
        for output in self.outputs:
            offers = [self.offer(port, output) for port in ports]
            output.wire.note_blocked(any(lacks for _, lacks in offers) and not any(stay for stay, _ in offers))

    def offer(self, port: int, output: Output) -> tuple[Stay | None, bool]:
        """What an input has for an idle output, in the next of its lanes that can send; and whether something lacks
        credit.
        """
        blocked = False
        for lane in output.lanes() if output.waiting_here and self.is_open(output) else []:
            stay, lacks_credit = self.head_of_line(port, output, lane)
            if stay is not None:
                return stay, False
            blocked = blocked or lacks_credit
        return None, blocked

    def choose(self, output: Output) -> tuple[Stay | None, bool]:
        """The packet that this output starts now, if any; and whether it is blocked: idle, although a packet could
        be read for it, for lack of credit.
        """
        if not output.waiting_here or not self.is_open(output):
            return None, False
        blocked = False
        for attempt in output.tries():
            lane, most, place = attempt
            stay, lacks_credit = None, False
            if not self.drops(output, lane):
                stay, lacks_credit = self.next_of_lane(output, lane)
            if stay is None:
                blocked = blocked or lacks_credit
                if output.schedule is not None:
                    output.schedule.passes(place)
            elif stay.packet.size <= most:
                output.attempt = attempt
                return stay, False
        return None, blocked

    def next_of_lane(self, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """The packet that goes next in a lane, if any can; and whether one lacks credit."""
        if output.by_flow is not None and lane == LANE:
            return output.by_flow.next()
        if self.setup.output_buffer is not None:
            stay = next(iter(output.waiting[lane]), None)
            fits = stay is not None and output.wire.fits(stay.packet)
            return (stay, False) if fits else (None, stay is not None)
        if output.region is not None:
            return output.region.next(lane, crosses=False)
        return self.oldest(output, lane) if self.setup.arbiter == "fifo" else self.next_in_turn(output, lane)

    def next_in_turn(self, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """Round robin: the first input after the last one served whose head can be read and fits the credits."""
        blocked, ports, line = False, len(self.inputs), (lane, output.port)
        for k in range(output.last_input[lane] + 1, output.last_input[lane] + ports + 1):
            if not self.inputs[k % ports].lines.get(line):
                continue
            stay, lacks_credit = self.head_of_line(k % ports, output, lane)
            if stay is not None:
                return stay, False
            blocked = blocked or lacks_credit
        return None, blocked

    def head_of_line(self, port: int, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """Of the heads at an input that wait for this output, the first that can be read and fits the credits."""
        line = self.inputs[port].lines.get((lane, output.port))
        if not line or not self.can_read(port):
            return None, False
        readable = [queue[0] for queue in line if output.wire.discards or not queue.being_read]
        fitting = [stay for stay in readable if output.wire.fits(stay.packet)]
        return (fitting[0], False) if fitting else (None, bool(readable))

    def oldest(self, output: Output, lane: int) -> tuple[Stay | None, bool]:
        """First in, first out; packets whose input is busy are passed.

        A packet that was passed `bypass_limit` times as the oldest is passed no more: the output waits for its input.
        A packet that lacks credit is never passed: the output waits for credit. (So a read port that becomes busy can
        only keep packets from starting, and never lets one start earlier.)
        """
        limit = self.setup.bypass_limit
        for stay in self.in_order(output, lane):
            if not output.wire.fits(stay.packet):
                return None, self.can_read(stay.input)
            if self.can_read(stay.input):
                return stay, False
            if limit is not None and stay.passed >= limit:
                return None, False
        return None, False

    def in_order(self, output: Output, lane: int) -> list[Stay]:
        """All candidates for an output, the oldest first; at equal times the lower input first."""
        found = [stay for port in range(len(self.inputs)) for stay in self.candidates(port, output, lane)]
        return sorted(found, key=lambda stay: (stay.arrived, stay.input))

    def candidates(self, port: int, output: Output, lane: int) -> list[Stay]:
        """The packets at an input that this output may see, in order: all for it, or only the head of all."""
        queues = self.inputs[port].queues
        if self.setup.organisation.kind == "voq":
            return list(queues.get((lane, output.port), ()))
        return [stay for stay in list(queues.get((lane, None), ()))[:1] if stay.output == output.port]

    def can_read(self, port: int) -> bool:
        """A read port of this input is free."""
        return self.setup.read_ports is None or self.inputs[port].reading < self.setup.read_ports

    def is_open(self, output: Output) -> bool:
        """A packet can start from an input to this output."""
        if self.setup.crossbar is None:
            return output.wire.sending is None and not output.wire.is_held()
        return not output.crossing and len(output.held) < self.setup.output_packets

    def start(self, stay: Stay, output: Output) -> None:
        """Send the packet; mark it if a mark is due."""
        lane = stay.lane
        self.take_out(stay, output)
        if self.setup.output_buffer is None:
            if self.flows_of(stay) is None:
                self.queue_of(stay).being_read = True
            self.inputs[stay.input].reading += 1
        output.last_lane = lane
        if output.turn is not None:
            output.turn.sends(lane, stay.packet.size)
        if output.schedule is not None:
            output.schedule.goes(output.attempt, stay.packet.size)
        if stay.packet.is_data:
            stay.packet.hops += 1
            if stay.aside is not None or not self.setup.only_set_aside:
                self.marker.starts(stay.packet, output)
            if output.telemetry is not None:
                queue = sum(self.queued(output, lane) for lane in range(self.setup.lanes))
                output.telemetry.writes(stay.packet, output, queue)
        if self.setup.crossbar is None:
            output.wire.send(stay.packet, then=lambda: self.left(stay))
        else:
            self.cross(stay, output)
        self.move_up(stay)

    def take_out(self, stay: Stay, output: Output) -> None:
        """The packet no longer waits: its room is free, and others move up."""
        lane = stay.lane
        output.waiting_here -= 1
        if self.setup.output_buffer is not None:
            assert output.waiting[lane].pop(0) is stay, "first come, first served"
            self.inputs[stay.input].gone_over.remove(stay)
        else:
            if self.setup.arbiter == "fifo":
                oldest = self.in_order(output, lane)[0]
                if oldest is not stay:
                    oldest.passed += 1
            self.leave_queue(stay)
            output.last_input[lane] = stay.input
        if output.region is not None:
            output.region.left()
        self.marker.queue_changed(output, lane, stay.packet.units)
        self.move_over(output)

    def leave_queue(self, stay: Stay) -> None:
        """The packet leaves its queue: it is the head, or overtakes packets that are held."""
        if self.flows_of(stay) is not None:
            self.flows_of(stay).leave(stay)
        else:
            queue = self.queue_of(stay)
            self.calls_no_more(queue)
            region = self.outputs[stay.output].region
            assert queue[0] is stay or region is not None, "within a queue nobody passes"
            queue.remove(stay)
            if region is not None:
                region.crossed(stay)
        if self.setup.pfc is not None:
            memory = self.inputs[stay.input].memory
            memory.give(stay.came_in, self.counted_for(stay), stay.packet.size)

    def move_up(self, stay: Stay) -> None:
        """It has left its queue: what follows may be set aside, and requests its output."""
        if self.flows_of(stay) is None and self.setup.output_buffer is None:
            queue, aside = self.queue_of(stay), self.inputs[stay.input].aside
            if aside is not None and stay.lane == LANE:
                aside.left(queue, stay)
            self.calls(queue)

    def move_over(self, output: Output) -> None:
        """The buffer of the output takes packets from the inputs in turn, as long as the next one fits."""
        if self.setup.output_buffer is not None:
            for lane in range(self.setup.lanes):
                while (stay := self.next_over(output, lane)) is not None:
                    self.leave_queue(stay)
                    self.calls(self.queue_of(stay))
                    self.inputs[stay.input].gone_over.append(stay)
                    output.waiting[lane].append(stay)
                    output.last_input[lane] = stay.input

    def next_over(self, output: Output, lane: int) -> Stay | None:
        """The packet that crosses next, if it fits."""
        if output.region is not None:
            stay, _ = output.region.next(lane, crosses=True)
        else:
            ports = [(output.last_input[lane] + k) % len(self.inputs) for k in range(1, len(self.inputs) + 1)]
            heads = [self.inputs[port].queues.get((lane, output.port)) for port in ports]
            stay = next((queue[0] for queue in heads if queue), None)
        held = sum(other.packet.size for other in output.waiting[lane])
        return stay if stay is not None and held + stay.packet.size <= self.setup.output_buffer else None

    def drops(self, output: Output, lane: int) -> bool:
        """Packets that wait for an output in a lane are dropped: it has been down, or paused, for too long."""
        return output.wire.discards or (output.wire.watchdog is not None and output.wire.watchdog.drops(lane))

    def may_drop(self) -> bool:
        """Whether links may be down, or paused for too long."""
        return self.fabric.faults.any or (self.setup.pfc is not None and self.setup.pfc.watchdog is not None)

    def drop_waiting(self, output: Output) -> bool:
        """Before any decision, an idle output, or one that is down, drops packets that could leave in such lanes.
        Returns whether there were any.
        """
        dropped = False
        for lane in range(self.setup.lanes):
            while self.drops(output, lane) and (output.wire.discards or self.is_open(output)):
                stay, _ = self.next_of_lane(output, lane)
                if stay is None:
                    break
                self.take_out(stay, output)
                self.move_up(stay)
                self.is_gone(stay)
                self.inputs[stay.input].upstream.give_back(stay.packet, stay.came_in, self.fabric.now)
                self.fabric.faults.discarded += output.wire.discards
                dropped = True
        return dropped

    def cross(self, stay: Stay, output: Output) -> None:
        """The packet crosses to its output; it may start on the link once its last byte is sure to cross in time."""
        output.wire.take(stay.packet)
        over = self.fabric.now + self.passage(stay.packet, output)
        earliest = max(self.fabric.now, over - output.wire.time_for(stay.packet))
        output.crossing = True
        output.held.append((stay.packet, earliest))

        def is_over() -> None:
            output.crossing = False
            self.left(stay)

        self.fabric.at(over, LEFT, output.port, self, is_over)
        if earliest > self.fabric.now:
            self.fabric.at(earliest, PACE, output.port, self, lambda: None)
        self.depart(output)

    def depart(self, output: Output) -> None:
        """An idle link takes the first packet that its output holds; it is held until its tail has left."""
        if output.wire.sending is None and output.held and self.fabric.now >= output.held[0][1]:
            output.wire.start(output.held[0][0], then=lambda: output.held.pop(0))
