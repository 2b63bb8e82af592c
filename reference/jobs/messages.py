"""Messages between ranks, and the order in which those from one host to another arrive."""

from collections import deque
from dataclasses import dataclass
from itertools import takewhile

from reference.hosts.flow import Flow
from reference.hosts.posting import Message as Posted
from reference.hosts.posting import packets_of


@dataclass(eq=False)
class Message:
    """A message that a rank has sent."""

    sender: int
    operation: int  # the number of the operation that sends it
    receiver: int
    tag: int
    size: int
    made: int
    leg: str = "data"  # in flight is the message itself, its "request", or the "grant" that answers it
    receive: int | None = None  # the operation that it has been matched with
    end: int = 0  # one more than the number of its last packet
    missing: int = 0  # packets that have not arrived


class Outlet:
    """What feeds the flow from one host to another: the ranks of one job."""

    on, endless, ends_of_flows = True, False, None

    def __init__(self, fabric, host, entry):
        self.fabric, self.setup, self.host, self.entry = fabric, fabric.setup, host, entry
        self.since = 0

    def sent(self) -> None:
        """Ranks do not wait for this."""

    def done(self) -> None:
        """Their line reports when they are finished."""


class Line:
    """The messages of a job from one host to another, one after the other: they leave, are acknowledged, and arrive.

    A message has arrived when it is complete, and all messages before it are; over a transport that delivers in any
    order, only those before it that a receive could take instead.
    """

    def __init__(self, job, source: int, destination: int):
        fabric, self.job = job.fabric, job
        host, names = fabric.hosts[source], fabric.graph.hosts
        name = f"{names[source]}->{names[destination]}"
        outlet = Outlet(fabric, host, job.entry)
        self.flow = Flow(len(fabric.flows), name, outlet, destination, job.entry, fabric.setup)
        self.flow.line = self
        fabric.flows.append(self.flow)
        host.flows.append(self.flow)
        host.turns_begin = len(host.flows) - 1
        self.made = 0  # packets
        self.leaving: dict[int, Message] = {}  # by the number of the last packet
        self.coming: deque[Message] = deque()
        self.counts = {"overtook": 0, "kept in order": 0}

    def push(self, message: Message) -> None:
        """Add a message, or a packet that precedes it. None is empty."""
        size = max(1, message.size if message.leg == "data" else 1)
        sizes = packets_of(size, self.job.fabric.setup)
        self.made += len(sizes)
        message.end, message.missing = self.made, len(sizes)
        self.coming.append(message)
        self.leaving[self.made - 1] = message
        posted = Posted(len(sizes))
        self.flow.queue.extend((self.flow.destination, nbytes, posted) for nbytes in sizes)
        self.flow.posting.made(posted)

    def leaves(self, sequence: int, at: int) -> None:
        """The time when the last packet of a message has left its host."""
        if self.job.send_end == "left":
            self.job.send_ends(self.leaving.pop(sequence), at)

    def answered(self, sequence: int) -> None:
        """The last packet of a message is acknowledged, and all before it."""
        if self.job.send_end == "acknowledged":
            self.job.hear(self.job.acknowledged, self.leaving.pop(sequence))

    def comes_in(self, sequence: int) -> None:
        """A packet has arrived, perhaps the last one of some messages."""
        receiver = self.flow.receiver
        if receiver is None or not receiver.ordered:
            next(message for message in self.coming if sequence < message.end).missing -= 1
        while (message := next(filter(self.has_arrived, self.coming), None)) is not None:
            self.counts["overtook"] += message is not self.coming[0]
            self.coming.remove(message)
            self.job.hear(self.job.arrived, message)

    def has_arrived(self, message: Message) -> bool:
        """Whether a message is complete, and waits for none before it."""
        if self.flow.receiver is None or self.flow.receiver.ordered:
            return message is self.coming[0] and self.is_whole(message)
        before = takewhile(lambda other: other is not message, self.coming)
        waits = message.missing == 0 and any(self.job.alike(message, other) for other in before)
        self.counts["kept in order"] += waits
        return message.missing == 0 and not waits

    def is_whole(self, message: Message) -> bool:
        """Whether all of a message has arrived; a transport knows the first packet that has not."""
        if self.flow.receiver is not None:
            return message.end <= self.flow.receiver.expected
        return message.missing == 0
