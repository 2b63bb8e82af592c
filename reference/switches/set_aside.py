"""The lines of an input: how roots are found, trees followed, and queues allocated, stopped, let go and released.

A data packet that has joined a normal queue may make this queue the root of a tree; then packets at its head that
belong to a line are moved aside. A packet that starts shortens its queue, and then the next head is examined. Of
several free queues or lines the lowest is taken.
"""

from reference.links.link import NOTICE, Frame
from reference.switches.isolation import LANE, IsolationRule, Known, Line
from reference.switches.queues import Queue


class Lines:
    """The lines of one input of a switch, and its set-aside queues."""

    def __init__(self, rule: IsolationRule, switch, port: int):
        self.rule, self.switch, self.port = rule, switch, port
        self.queues = [Queue() for _ in range(rule.queues)]
        for number, queue in enumerate(self.queues):
            switch.inputs[port].queues[LANE, f"aside {number}"] = queue
        self.lines: dict[int, Line] = {}
        names = ("roots", "lines", "lacking", "aside", "listed", "attached", "allocate", "stop", "go", "release")
        self.counts = dict.fromkeys(names, 0)

    def aside(self) -> list[Line]:
        """The lines that have a set-aside queue, in the order of the queues."""
        mine = {id(line.queue): line for line in self.lines.values()}
        return [mine[id(queue)] for queue in self.queues if id(queue) in mine]

    def line_with(self, queue: Queue) -> Line | None:
        """The line of a queue: of a normal one, if that is the root of a tree."""
        return next((line for line in self.lines.values() if line.queue is queue), None)

    def line_of(self, destination: int) -> Line | None:
        """The line that sets a destination aside: there is at most one."""
        return next((line for line in self.aside() if destination in line.destinations), None)

    # ---- roots --------------------------------------------------------------------------------------------------

    def joined(self, queue: Queue) -> None:
        """A data packet has joined a normal queue: is that the root of a tree? And what is at its head?"""
        length, detect = len(queue), self.rule.detect
        if length > detect and (self.rule.detect_above or length == detect + 1):
            stay = self.suspect(queue)
            output = self.switch.outputs[stay.output]
            credit = not self.rule.needs_credit or output.wire.has_credit(LANE)
            if self.rule.local:
                known = output.known.listing(stay.packet.destination)
                if credit and not known and self.line_of(stay.packet.destination) is None:
                    self.declare_destination(stay)
            elif (root := self.line_with(queue)) is not None:
                self.grown(root)
            elif credit:
                self.declare_output(stay, queue)
        self.settle(queue)

    def suspect(self, queue: Queue):
        """The packet to blame: the first of data, or the first of those for the most frequent destination."""
        data = [stay for stay in queue if stay.packet.is_data]
        if self.rule.suspect == "head" or self.switch.setup.organisation.kind == "voq":
            return data[0]
        to = [stay.packet.destination for stay in data]
        return max(data, key=lambda stay: to.count(stay.packet.destination))

    def declare_destination(self, stay) -> None:
        """A root with a set-aside queue. A line that may list several destinations represents its output."""
        roots = [line for line in self.aside() if (line.output, line.hops, line.feeds) == (stay.output, 1, None)]
        if roots and self.rule.destinations > 1:
            self.add(roots[0], stay.packet.destination)
        elif self.new_line(stay.output, 1, [stay.packet.destination]) is not None:
            self.counts["roots"] += 1

    def declare_output(self, stay, queue: Queue) -> None:
        """A root that needs only its normal queue: it counts at once, and is announced upstream at once."""
        if line := self.new_line(stay.output, 1, [stay.packet.destination], queue):
            self.counts["roots"] += 1
            self.count(line)
            self.allocate(line, stops=self.rule.root_stops)

    def new_line(self, output: int, hops: int, destinations: list[int], queue: Queue | None = None) -> Line | None:
        """A new line, with a set-aside queue if no other is given; none if none is left."""
        taken = {id(line.queue) for line in self.lines.values()}
        if queue is None:
            queue = next((queue for queue in self.queues if id(queue) not in taken), None)
        number = next((number for number in range(self.rule.lines) if number not in self.lines), None)
        if queue is None or number is None:
            return None
        self.counts["lines"] += 1
        self.lines[number] = Line(number, output, hops, destinations, queue)
        return self.lines[number]

    def add(self, line: Line, destination: int) -> bool:
        """Add a destination to a line, if there is room in its list; neighbours that know the line are notified."""
        if len(line.destinations) == self.rule.destinations:
            return False
        line.destinations.append(destination)
        self.counts["listed"] += 1
        if line.allocated:
            self.tell("allocate", line, [destination])
        return True

    # ---- at the head --------------------------------------------------------------------------------------------

    def settle(self, queue: Queue) -> None:
        """Move packets that must be set aside from the head of a normal queue."""
        while queue and queue[0].packet.is_data and (line := self.belongs(queue[0])) is not None:
            self.counts["aside"] += 1
            self.switch.calls_no_more(queue)
            stay = queue.popleft()
            stay.queue, stay.aside = line.queue, True
            line.queue.append(stay)
            self.obey(line)
            self.switch.calls(queue)
            if (root := self.line_with(queue)) is not None:
                self.shrunk(root)
            self.grown(line)

    def belongs(self, stay) -> Line | None:
        """The line of a packet at the head: the one that lists it, or one that feeds a line downstream that does."""
        destination = stay.packet.destination
        known, line = self.switch.outputs[stay.output].known.listing(destination), self.line_of(destination)
        if line is not None:
            if line.feeds is None and known:
                self.attach(line, known[0])
            return line
        feeding = {id(line.feeds): line for line in reversed(self.aside())}
        for other in known:
            if id(other) in feeding and self.add(feeding[id(other)], destination):
                return feeding[id(other)]
        if not known:
            return None
        if id(known[0]) not in feeding:
            # If the list of an existing line is full, no second line is created.
            elsewhere = [other for line in self.aside() for other in line.destinations]
            others = [other for other in known[0].destinations if other not in (destination, *elsewhere)]
            listed = [destination, *others][: self.rule.destinations]
            line = self.new_line(stay.output, known[0].hops + 1, listed)
            if line is not None:
                line.feeds = known[0]
                return line
        self.counts["lacking"] += 1
        return None

    def attach(self, line: Line, known: Known) -> None:
        """It feeds a downstream line, so it is not a root."""
        self.counts["attached"] += 1
        line.feeds, line.hops = known, known.hops + 1
        self.count_no_more(line)

    def obey(self, line: Line) -> None:
        """A set-aside queue requests its output, unless the line that it feeds is stopped."""
        line.queue.stopped = line.feeds is not None and line.feeds.stopped
        (self.switch.calls_no_more if line.queue.stopped else self.switch.calls)(line.queue)

    # ---- thresholds ---------------------------------------------------------------------------------------------

    def grown(self, line: Line) -> None:
        """A packet has joined the queue of a line."""
        rule, length, aside = self.rule, len(line.queue), self.is_aside(line)
        if line.hops == 1 and length > rule.high:
            self.count(line)
        if length <= rule.stop:
            return
        if not line.allocated:
            self.allocate(line, stops=True)
        elif not line.stops and (aside or rule.root_stops) and (line.fell or rule.stop_at != "next-crossing"):
            self.stop(line)

    def allocate(self, line: Line, stops: bool) -> None:
        """Announce the line to the upstream neighbour, and perhaps stop it at once."""
        line.allocated, line.fell = True, False
        self.tell("allocate", line, line.destinations)
        if stops and self.rule.stop_at == "allocation":
            self.stop(line)

    def stop(self, line: Line) -> None:
        """Stop the upstream queue."""
        line.stops = True
        self.tell("stop", line)

    def left(self, queue: Queue, stay) -> None:
        """A packet of any kind has started out of a queue, or was dropped."""
        line, destination = self.line_with(queue), stay.packet.destination
        if line is not None:
            self.shrunk(line)
        if any(queue is other for other in self.queues):
            return
        if line is not None and line.counts and stay.packet.is_data and destination not in line.destinations:
            self.add(line, destination)  # it was seen crossing
        self.settle(queue)

    def shrunk(self, line: Line) -> None:
        """A packet has left the queue of a line."""
        rule, length = self.rule, len(line.queue)
        if length <= rule.low:
            self.count_no_more(line)
        early = not self.is_aside(line) and rule.root_release == "low" and length <= rule.low
        if early or (length == 0 and not (rule.kept and line.queue.stopped)):
            self.release(line)
        elif length <= rule.go:
            line.fell = True
            if line.stops:
                line.stops = False
                self.tell("go", line)

    def is_aside(self, line: Line) -> bool:
        """Whether its queue is a set-aside one."""
        return any(line.queue is queue for queue in self.queues)

    def count(self, line: Line) -> None:
        """It counts in the congestion state of its output."""
        self.switch.outputs[line.output].roots += not line.counts
        line.counts = True

    def count_no_more(self, line: Line) -> None:
        """It no longer counts."""
        self.switch.outputs[line.output].roots -= line.counts
        line.counts = False

    def release(self, line: Line) -> None:
        """The line is free, and its queue."""
        self.count_no_more(line)
        del self.lines[line.number]
        line.queue.stopped = False
        if line.allocated:
            self.tell("release", line)

    # ---- what is heard, and told --------------------------------------------------------------------------------

    def hears(self, what: str, known: Known, queue: Queue | None) -> None:
        """An output of this switch was notified of a downstream line; `queue` is its packets' normal queue here."""
        if what == "allocate" and queue is not None:
            self.settle(queue)
        for line in self.aside() if what in ("go", "release") else ():
            if line.feeds is known and not line.queue:
                self.release(line)
        for line in self.aside():
            if line.feeds is known and what == "release":
                line.feeds = None
            self.obey(line)

    def tell(self, what: str, line: Line, destinations=()) -> None:
        """Notify the upstream neighbour; notices caused by packets that start are sent after all starts."""
        self.counts[what] += 1
        wire = self.switch.outputs[self.port].wire
        says = wire.back.sender_port, what, line.number, line.hops, list(destinations)
        hear = wire.back.sender.hear_of_line
        if self.rule.in_band:
            frame = Frame(self.rule.notice, 0, None, says, hear, rank=line.number)
            (wire.late_frames.append if self.switch.fabric.decides else wire.line_up)(frame)
        else:
            fabric = self.switch.fabric
            heard = fabric.now + wire.delay + self.rule.notice
            fabric.at(heard, NOTICE, wire.receiver_port, wire.receiver, hear, *says)
