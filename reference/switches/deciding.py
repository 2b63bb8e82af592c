"""What a switch decides: which packets start, cross to their outputs, or are dropped, when anything has happened."""

from reference.links.link import LEFT, PACE
from reference.quantities import time_for
from reference.switches.flow_queues import LANE
from reference.switches.ports import Output, Stay
from reference.switches.queues import Islip


class Deciding:
    """The decisions of a switch in an instant, after everything that has happened."""

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
            if output.waiting_here:
                stay, is_blocked[output] = self.choose(output)
                if stay is not None:
                    self.start(stay, output)
                    self.turn, started = (output.port + 1) % len(self.outputs), True
        for output in self.outputs:
            if started and output.waiting_here:  # what others found before may no longer hold
                stay, is_blocked[output] = self.choose(output)
                assert stay is None, "one round of decisions is enough"
            output.wire.note_blocked(output.waiting_here > 0 and is_blocked[output])

    def decide_together(self) -> None:
        """Inputs and outputs are matched: until no more match is possible, or once in each slot."""
        self.islip = self.islip or Islip(len(self.outputs))
        if self.setup.slotted:
            slot = self.slot()
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

    def slot(self) -> int:
        """The length of a slot: a full packet at the speed of the crossbar, or on the fastest link."""
        rate = self.setup.crossbar or max(wire.rate for wire in self.fabric.wires)
        return time_for(self.setup.mtu + self.setup.header, rate)

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
                stay.queue.being_read = True
            self.inputs[stay.input].reading += 1
        output.last_lane = lane
        if output.turn is not None:
            output.turn.sends(lane, stay.packet.size)
        if output.schedule is not None:
            output.schedule.goes(output.attempt, stay.packet.size)
        if stay.packet.is_data:
            stay.packet.hops += 1
            by_link = self.setup.crossbar is not None and self.marker.by_waiting
            if not by_link and (stay.aside or not self.setup.only_set_aside):
                self.marker.starts(stay.packet, output)
        else:
            self.marker.other_starts(stay.packet, output)
        if self.setup.crossbar is None:
            self.write_telemetry(stay.packet, output)
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
            queue = stay.queue
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
            queue, aside = stay.queue, self.inputs[stay.input].aside
            if aside is not None and stay.lane == LANE:
                aside.left(queue, stay)
            self.calls(queue)

    def move_over(self, output: Output) -> None:
        """The buffer of the output takes packets from the inputs in turn, as long as the next one fits."""
        if self.setup.output_buffer is not None and output.waiting_here > sum(map(len, output.waiting)):
            for lane in range(self.setup.lanes):
                while (stay := self.next_over(output, lane)) is not None:
                    self.leave_queue(stay)
                    self.calls(stay.queue)
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
        output.behind.append(stay.packet)

        def is_over() -> None:
            output.crossing = False
            self.left(stay)

        self.fabric.at(over, LEFT, output.port, self, is_over)
        if earliest > self.fabric.now:
            self.fabric.at(earliest, PACE, output.port, self, lambda: None)
        self.depart(output)

    def depart(self, output: Output) -> None:
        """An idle link takes the first packet that its output holds; it is held until its tail has left.

        Until now it waited for the link: what goes by all that waits there looks at it now.
        """
        if output.wire.sending is None and output.held and self.fabric.now >= output.held[0][1]:
            packet = output.held[0][0]
            output.behind.remove(packet)
            if packet.is_data and self.marker.by_waiting:
                self.marker.starts(packet, output)
            self.write_telemetry(packet, output)
            output.wire.start(packet, then=lambda: output.held.pop(0))

    def write_telemetry(self, packet, output: Output) -> None:
        """A packet starts on the link, and the output writes its state into data."""
        if output.telemetry is not None:
            queue = sum(self.queued(output, lane) for lane in range(self.setup.lanes))
            output.telemetry.leaves(packet, output, queue)
