"""A job: its ranks execute their programs.

An operation starts at the instant at which everything that it waits for has happened; operations that become possible
in one instant start in the order in which they become possible. What was planned for an instant happens rank by rank:
first operations finish, then processors begin something, then messages that do not use the network arrive, then ranks
begin. Messages from one rank to another never overtake each other, even if they arrive in one instant: what is planned
for one of them happens to the oldest.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field, replace

from reference.jobs.messages import Line, Message
from reference.jobs.placement import place
from reference.links.link import INSIDE, RANK
from reference.programs.named import read_program
from reference.quantities import given, rate, size, span, time_for
from reference.rng import Rng

FINISHES, BEGINS_ON_CPU, COPIED, BEGINS = range(4)


@dataclass(eq=False)
class Rank:
    """A process."""

    host: object
    rounds_left: int
    waits: dict = field(default_factory=dict)  # by operation not started in this round: what it waits for
    left: int = 0  # operations of this round that have not finished
    finished: int | None = None
    free: dict = field(default_factory=dict)  # when processors are, and the memory by which it copies messages
    posted: list[int] = field(default_factory=list)  # operations that wait for a message
    arrived: list[Message] = field(default_factory=list)  # messages that no receive has been posted for
    computed: list[tuple[int, int]] = field(default_factory=list)


class Job:
    """The ranks of one application."""

    def __init__(self, fabric, entry, first_rank: int):
        self.fabric, self.entry, self.first_rank = fabric, entry, first_rank
        setup, job = fabric.setup, entry.job
        self.program = read_program(entry, setup.seed)
        for straggler in given(job, "stragglers", []):
            self.slow_down(straggler)
        rng = Rng(setup.seed, f"placement {entry.name}", 0)
        hosts = place(job, len(self.program.ranks), entry.sources, fabric.graph.hosts, rng)
        self.ranks = [Rank(fabric.hosts[host], given(job, "repeat", 1) - 1) for host in hosts]
        self.send_end = given(job, "send_end", "left")
        if self.send_end == "left" and setup.transport is not None:
            self.send_end = "acknowledged"  # data that have left may have to be sent again
        self.overhead = span(given(job, "overhead", "0 ns"))
        self.rendezvous = None if job.get("rendezvous") is None else size(job["rendezvous"])
        self.memory_rate, self.memory_delay = rate(job.get("memory_rate")), span(given(job, "memory_delay", "0 ns"))
        self.lines = {ends: Line(self, *ends) for ends in sorted(self.ends())}
        self.ready = deque()
        # By sender and receiver, oldest first: messages that have not started in their node, and those that are on
        # their way without using the network.
        self.starting: dict[tuple[int, int], deque[Message]] = defaultdict(deque)
        self.copied: dict[tuple[int, int], deque[Message]] = defaultdict(deque)
        self.finished: int | None = None
        self.told: list[tuple[Message, int]] = []  # messages that have arrived, and when
        self.courses: dict[tuple[int, int], list[tuple[bool, int, int]]] = {}  # by round and step: ends, when, rank
        for number in range(len(self.ranks)):
            self.at(entry.start, number, BEGINS, 0, self.begin, number)

    def slow_down(self, straggler: dict) -> None:
        """Computations of some ranks take longer."""
        for operation in (operation for rank in straggler["ranks"] for operation in self.program.ranks[rank]):
            operation.time = int(operation.time * straggler["factor"] + 0.5)

    def ends(self) -> set[tuple[int, int]]:
        """The hosts between which messages cross the network, and the packets that precede them."""
        found = set()
        for rank, operations in enumerate(self.program.ranks):
            for operation in operations:
                if operation.kind == "send" and self.way(rank, operation.peer) == "network":
                    ends = self.ranks[rank].host.number, self.ranks[operation.peer].host.number
                    found |= {ends, ends[::-1]} if self.is_announced(operation.size) else {ends}
        return found

    def is_announced(self, nbytes: int) -> bool:
        """A message of this size is sent when its receiver has asked for it."""
        return self.rendezvous is not None and nbytes >= self.rendezvous

    def way(self, sender: int, receiver: int) -> str:
        """How messages between two ranks are sent."""
        one, other = self.ranks[sender].host.number, self.ranks[receiver].host.number
        node = self.fabric.setup.node
        if one == other:
            return "memory"
        return "node" if node is not None and one // node.hosts == other // node.hosts else "network"

    # ---- when ---------------------------------------------------------------------------------------------------

    def at(self, time: int, rank: int, about: int, number: int, action, *arguments) -> None:
        """An event at a rank, at this time."""
        order, host = (self.first_rank + rank, about, number), self.ranks[rank].host
        self.fabric.at(time, RANK, order, host, self.hear, action, *arguments)

    def at_or_now(self, time: int, rank: int, about: int, number: int, action, *arguments) -> None:
        """The same; if that is now, at once."""
        if time == self.fabric.now:
            action(*arguments)
        else:
            self.at(time, rank, about, number, action, *arguments)

    def hear(self, action, *arguments) -> None:
        """Events have happened: start every operation that may start now, and those that may start after these."""
        action(*arguments)
        while self.ready:
            self.start(*self.ready.popleft())

    # ---- operations ---------------------------------------------------------------------------------------------

    def begin(self, rank: int) -> None:
        """A rank begins, for the first time or again."""
        operations = self.program.ranks[rank]
        self.ranks[rank].waits = {number: set(operation.waits) for number, operation in enumerate(operations)}
        self.ranks[rank].left = len(operations)
        self.release(rank, None)
        if not operations:
            self.ranks[rank].rounds_left = 0
            self.round_over(rank)

    def release(self, rank: int, event: tuple[int, str] | None) -> None:
        """An operation of a rank has started or finished: operations that wait for nothing else may start."""
        waits = self.ranks[rank].waits
        for number, left in list(waits.items()):
            left.discard(event)
            if not left:
                del waits[number]
                self.ready.append((rank, number))

    def start(self, rank: int, number: int) -> None:
        """An operation starts; a computation, when it has its processor."""
        operation, now = self.program.ranks[rank][number], self.fabric.now
        if operation.kind == "compute":
            begins, ends = self.occupy(rank, operation.cpu, operation.time)
            self.ranks[rank].computed.append((begins, ends))
            self.at_or_now(begins, rank, BEGINS_ON_CPU, number, self.release, rank, (number, "started"))
            self.at_or_now(ends, rank, FINISHES, number, self.finish, rank, number)
            return
        self.release(rank, (number, "started"))
        if operation.kind == "send":
            goes = self.occupy(rank, operation.cpu, self.overhead)[1] if self.overhead else now
            self.at_or_now(goes, rank, BEGINS_ON_CPU, number, self.send, rank, number)
        else:
            self.post(rank, number)

    def occupy(self, rank: int, cpu, length: int) -> tuple[int, int]:
        """Occupy a processor for some time, as soon as it is free; returns the start and the end."""
        free = self.ranks[rank].free
        begins = max(self.fabric.now, free.get(cpu, 0))
        free[cpu] = begins + length
        return begins, begins + length

    def finish(self, rank: int, number: int) -> None:
        """An operation has finished; with the last one a round is over."""
        own = self.ranks[rank]
        if (rank, number) in self.program.bounds:
            step, ends = self.program.bounds[rank, number]
            self.courses.setdefault((own.rounds_left, step), []).append((ends, self.fabric.now, rank))
        self.release(rank, (number, "finished"))
        own.left -= 1
        if own.left == 0:
            self.round_over(rank)

    def round_over(self, rank: int) -> None:
        """A rank has finished its program: it starts again, or is finished. The last rank may end the run."""
        own = self.ranks[rank]
        if own.rounds_left > 0:
            own.rounds_left -= 1
            return self.begin(rank)
        own.finished = self.fabric.now
        if all(other.finished is not None for other in self.ranks):
            self.finished = self.fabric.now
            self.fabric.job_over()

    # ---- messages -----------------------------------------------------------------------------------------------

    def send(self, rank: int, number: int) -> None:
        """A message is sent: over the network, through the memory of its host, or inside its node."""
        operation, own, now = self.program.ranks[rank][number], self.ranks[rank], self.fabric.now
        message = Message(rank, number, operation.peer, operation.tag, operation.size, now)
        way = self.way(rank, operation.peer)
        if way == "network":
            message.leg = "request" if self.is_announced(operation.size) else "data"
            self.line(message).push(message)
        elif way == "memory":
            takes = 0 if self.memory_rate is None else time_for(message.size, self.memory_rate)
            own.free["memory"] = max(own.free.get("memory", 0), now) + takes
            there = own.free["memory"] + self.memory_delay
            self.copied[rank, operation.peer].append(message)
            self.at_or_now(there, rank, COPIED, (rank, number), self.copy_arrives, rank, operation.peer)
        else:
            self.send_inside(message)

    def line(self, message: Message) -> Line:
        """The line of a message or of its announcement; the grant goes the other way."""
        ends = self.ranks[message.sender].host.number, self.ranks[message.receiver].host.number
        return self.lines[ends[::-1] if message.leg == "grant" else ends]

    def go_on(self, message: Message, leg: str) -> None:
        """Send the grant that follows an announcement, or the message that follows the grant."""
        following = replace(message, leg=leg)
        self.line(following).push(following)

    def send_inside(self, message: Message) -> None:
        """A message inside a node has the link of its sender as soon as that is free, and the link of its receiver from
        then on, or when that is free.
        """
        node, sender = self.fabric.setup.node, self.ranks[message.sender]
        starts = max(sender.host.node_out, self.fabric.now)
        sender.host.node_out = left = starts + time_for(message.size, node.rate)
        if self.send_end == "left":
            self.send_ends(message, left)
        order = self.first_rank + message.sender, message.operation
        self.starting[message.sender, message.receiver].append(message)
        self.fabric.at(starts, INSIDE, order, sender.host, self.enters, message.sender, message.receiver)

    def enters(self, sender: int, receiver: int) -> None:
        """The oldest message inside a node between two ranks starts; those that start in one instant have the link of
        their receiver in the order of their senders.
        """
        message = self.starting[sender, receiver].popleft()
        node, host = self.fabric.setup.node, self.ranks[receiver].host
        host.node_in = max(host.node_in, self.fabric.now) + time_for(message.size, node.rate)
        there = host.node_in + node.delay
        self.copied[sender, receiver].append(message)
        order = message.sender, message.operation
        self.at(there, receiver, COPIED, order, self.copy_arrives, sender, receiver)
        if self.send_end == "acknowledged":
            self.send_ends(message, there + node.delay)
        elif self.send_end == "delivered":
            self.send_ends(message, there)

    def send_ends(self, message: Message, at: int) -> None:
        """The sender of a message will be told when it is finished; this does not apply to announcements."""
        if message.leg == "data":
            rank, number = message.sender, message.operation
            self.at(at, rank, FINISHES, number, self.finish, rank, number)

    def acknowledged(self, message: Message) -> None:
        """The sender of a message has its ACK."""
        if message.leg == "data":
            self.finish(message.sender, message.operation)

    def copy_arrives(self, sender: int, receiver: int) -> None:
        """The oldest message between two ranks that does not use the network arrives."""
        self.arrived(self.copied[sender, receiver].popleft())

    def arrived(self, message: Message) -> None:
        """A message or its announcement has arrived: it matches the earliest posted receive that accepts it."""
        if message.leg == "grant":
            return self.go_on(message, "data")
        way = self.way(message.sender, message.receiver)
        if message.leg == "data":
            self.told.append((message, self.fabric.now))
            if way == "memory":
                self.finish(message.sender, message.operation)
            elif way == "network" and self.send_end == "delivered":
                self.send_ends(message, self.fabric.now)
        receiver = self.ranks[message.receiver]
        if message.receive is None:
            message.receive = next((number for number in receiver.posted if self.wants(number, message)), None)
            if message.receive is None:
                return receiver.arrived.append(message)
            receiver.posted.remove(message.receive)
        self.meet(message)

    def post(self, rank: int, number: int) -> None:
        """A receive takes the first message that matches it, or waits for one."""
        own = self.ranks[rank]
        message = next((message for message in own.arrived if self.wants(number, message)), None)
        if message is None:
            return own.posted.append(number)
        own.arrived.remove(message)
        message.receive = number
        self.meet(message)

    def wants(self, number: int, message: Message) -> bool:
        """Whether a receive accepts this message."""
        operation = self.program.ranks[message.receiver][number]
        return operation.peer in (None, message.sender) and operation.tag in (None, message.tag)

    def alike(self, one: Message, other: Message) -> bool:
        """Whether a receive could take one of two messages from a host to another for the other, so that they keep
        their order, as MPI demands: ranks and tags are the same, or the ranks, if theirs takes messages from any rank
        or with any tag.
        """
        if not all(message.receive is None and message.leg != "grant" for message in (one, other)):
            return False
        if (one.sender, one.receiver) != (other.sender, other.receiver):
            return False
        receives = [operation for operation in self.program.ranks[one.receiver] if operation.kind == "receive"]
        return one.tag == other.tag or any(None in (operation.peer, operation.tag) for operation in receives)

    def meet(self, message: Message) -> None:
        """Match a message and the operation that receives it; an announcement is answered."""
        if message.leg == "request":
            return self.go_on(message, "grant")
        rank, number = message.receiver, message.receive
        operation, done = self.program.ranks[rank][number], self.fabric.now
        if self.overhead:
            done = self.occupy(rank, operation.cpu, self.overhead)[1]
        self.at_or_now(done, rank, FINISHES, number, self.finish, rank, number)
