"""The packets of a flow with a transport: a message is a group of packets, and one group comes after the other.

The next group begins when every packet of the last has been sent; with transports that send block by block, when it is
acknowledged. Packets are numbered from 0, continuously from message to message. A source without end has one group
without end, of full packets; if the source stops, or is switched off, the group ends with what has been sent. Switched
on again, the source begins another group when all of the last one is acknowledged.

    acknowledged | sent, not acknowledged | sent before, to be sent again | not sent yet
                 first                    next                            top            end
"""

from abc import ABC, abstractmethod
from collections import deque

from reference.links.link import TIMER


class Work(ABC):
    """The data to send: message by message, or without end."""

    follows_on = True  # a message may begin when every packet of the last has been sent
    first: int  # the first that is not acknowledged

    def __init__(self, flow):
        self.flow = flow
        self.sizes: list[int] = []  # on the wire, of the packets that are there
        self.lasts: deque[int] = deque()  # the last packets of the messages that are not acknowledged, oldest first
        self.top = 0  # one more than the last that was ever sent
        self.open = False  # the group is without end, and has not ended
        self.counts = {"resent": 0, "told": 0, "timeouts": 0, "groups": 0}

    @property
    def end(self) -> int:
        """One more than the last packet that exists."""
        return len(self.sizes)

    def refill(self) -> None:
        """The next message is taken, if there is one and it may begin."""
        queue, source = self.flow.queue, self.flow.source
        is_there = bool(queue) and queue[0][2].ready <= source.fabric.now
        if source.endless:
            if not source.on:
                del self.sizes[self.top :]
                self.open = False
                return
            begins = not self.open and self.known() == self.end and is_there
            self.open = self.open or begins
            if self.open and self.top == self.end:
                queue.popleft()
                self.sizes.append(source.setup.mtu + source.setup.header)
                source.sent()
            if begins:
                self.begins()
        elif self.is_sent() and is_there:
            message = queue[0][2]
            while queue and queue[0][2] is message:
                self.sizes.append(queue.popleft()[1])
            self.lasts.append(self.end - 1)
            self.counts["groups"] += 1
            self.begins()

    def is_sent(self) -> bool:
        """Nothing of the last message stands in the way of the next."""
        return self.top == self.end if self.follows_on else self.known() == self.end

    def completes(self) -> list[int]:
        """Messages whose packets are all acknowledged, and were not before: the last packet of each."""
        done = []
        while self.lasts and self.lasts[0] < self.first:
            done.append(self.lasts.popleft())
        return done

    def begins(self) -> None:
        """A group begins."""
        return

    @abstractmethod
    def known(self) -> int:
        """Packets that are known to have arrived."""

    def is_last(self, number: int) -> bool:
        """As far as is known, no packet of its group comes after it."""
        return number in self.lasts or (number + 1 == self.end and not self.open)


class Patient(ABC):
    """A sending end that assumes a loss when it has received no answer for a timeout."""

    @abstractmethod
    def patience_ends(self) -> int | None:
        """When the timeout expires, if anything is in flight."""

    @abstractmethod
    def assume_loss(self, now: int) -> None:
        """There was no answer: packets in flight count as lost."""

    def watch(self) -> None:
        """At the timeout the sender checks whether an answer has arrived."""
        host, due = self.flow.source.host, self.patience_ends()
        if due is not None:
            host.fabric.at(due, TIMER, self.flow.number, host, self.run_out)

    def run_out(self) -> None:
        """The timeout may have expired."""
        now, due = self.flow.source.fabric.now, self.patience_ends()
        if due is not None and due <= now:
            before = dict(self.counts)
            self.counts["timeouts"] += 1
            self.assume_loss(now)
            self.watch()
            self.flow.source.host.hear_of_loss(self.flow, before)


class Series(Work):
    """The state of sending ends that receive cumulative ACKs."""

    def __init__(self, flow):
        super().__init__(flow)
        self.first = self.next = 0
        self.repeat = False  # the first goes again before `next`, and fills a gap

    def what_next(self) -> int | None:
        """The packet to send next, regardless of windows."""
        if self.repeat:
            return self.first
        return self.next if self.next < self.end else None

    def flight(self) -> int:
        """Packets in flight, as far as is known."""
        return self.next - self.first

    def goes(self) -> None:
        """The next packet is sent."""
        if self.repeat:
            self.repeat = False
            self.counts["resent"] += 1
            return
        self.counts["resent"] += self.next < self.top
        self.next += 1
        self.top = max(self.top, self.next)

    def acknowledge(self, number: int) -> int:
        """All below have arrived. How many of them are news?"""
        news = max(number - self.first, 0)
        if news:
            self.first, self.next, self.repeat = number, max(self.next, number), False
        return news

    def go_back(self) -> None:
        """Send everything again from the first unacknowledged packet on."""
        self.next, self.repeat = self.first, False

    def repeat_first(self) -> None:
        """Send only the first unacknowledged packet again, if it was sent."""
        self.repeat = self.first < self.next

    def known(self) -> int:
        """Packets that are known to have arrived."""
        return self.first

    def fills(self) -> bool:
        """Whether the next packet fills a gap: it counts as in flight already, so no window holds it back."""
        return self.repeat
