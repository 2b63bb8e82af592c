"""The receiving end of go-back-N and of TCP: packets in order, answered with the number of the next expected packet.

There is one answer for a given number of packets; an answer is sent at once for the last packet of a message, for a
packet out of order, and while something is missing; and some time after the first packet that was not answered. All
packets of an answer carry the same feedback (such as a mark): those that wait are answered before a packet with
different feedback is counted. Packets out of order are dropped or kept.
"""

from dataclasses import dataclass

from reference.links.link import TIMER, Packet
from reference.transports.header import Header


@dataclass
class AnswerRule:
    """Packets that an answer is for, how long one waits for it at most, and whether those out of order are kept."""

    every: int
    flush: int | None
    keep: bool


class InOrderReceiver:
    """The receiving end of a flow."""

    ordered = True

    def __init__(self, flow, rule: AnswerRule):
        self.flow, self.rule = flow, rule
        self.expected = 0
        self.ahead: set[int] = set()
        self.waiting: list[Packet] = []
        self.flush_at: int | None = None
        self.counts = {"thrown away": 0, "told apart": 0, "flushed": 0, "kept": 0}

    def take(self, packet: Packet) -> tuple[bool, list]:
        """A packet has arrived: whether it is useful, and what to answer."""
        answers = []
        tells = self.flow.reacts and not self.flow.notified
        if self.waiting and tells and self.waiting[-1].feedback != packet.feedback:
            self.counts["told apart"] += 1
            answers.append(self.answer())
        of_use, at_once = False, packet.sequence != self.expected
        if packet.sequence == self.expected:
            of_use, at_once = True, bool(self.ahead) or packet.last
            self.expected += 1
            while self.expected in self.ahead:
                self.ahead.remove(self.expected)
                self.expected += 1
        elif packet.sequence > self.expected and self.rule.keep and packet.sequence not in self.ahead:
            self.ahead.add(packet.sequence)
            self.counts["kept"] += 1
            of_use = True
        self.counts["thrown away"] += not of_use
        self.waiting.append(packet)
        if at_once or len(self.waiting) >= self.rule.every:
            answers.append(self.answer())
        elif len(self.waiting) == 1 and self.rule.flush is not None:
            self.watch()
        return of_use, answers

    def answer(self) -> tuple[Packet, Header]:
        """All that wait are answered, as the last of them says."""
        packet = self.waiting[-1]
        self.waiting.clear()
        self.flush_at = None
        return packet, Header(cause=packet.sequence, number=self.expected)

    def watch(self) -> None:
        """The first packet that is not answered waits for so long."""
        host = self.flow.source.fabric.hosts[self.flow.destination]
        self.flush_at = due = host.fabric.now + self.rule.flush
        host.fabric.at(due, TIMER, self.flow.number, host, self.run_out, host)

    def run_out(self, host) -> None:
        """Perhaps it has waited for long enough."""
        if self.flush_at == host.fabric.now:
            self.counts["flushed"] += 1
            host.send_answer(*self.answer(), "ack")
