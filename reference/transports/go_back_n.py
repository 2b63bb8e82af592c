"""Go-back-N, the transport of RoCE adapters: everything is sent again from the first missing packet on.

A receiver answers a packet out of order at once. The sender takes the answer to one behind a missing packet for a
negative acknowledgement and goes back, unless the packet that caused the answer was sent before it last went back:
packets that were on their way then are useless, and cause the same answers. With `selective` the receiver keeps packets
that are out of order, and only the missing packet is sent again; so is the next missing one, until everything that was
sent before the repair has arrived. If nothing is acknowledged for `timeout`, the sender goes back as well. Its speed is
determined by its window, and by the reaction of the flow.
"""

from dataclasses import dataclass

from reference.links.link import Packet
from reference.quantities import given, span
from reference.transports.header import Header
from reference.transports.in_order import AnswerRule, InOrderReceiver
from reference.transports.series import Patient, Series


@dataclass
class GoBackRule:
    """The settings of go-back-N in a scenario."""

    timeout: int
    selective: bool
    window: int | None
    answers: AnswerRule
    control_lane = None  # answers stay in the lane of their flow

    @classmethod
    def read(cls, parameters: dict):
        """Read the settings of a scenario."""
        selective, flush = given(parameters, "selective", False), parameters.get("ack_flush")
        return cls(
            timeout=span(given(parameters, "timeout", "1 ms")),
            selective=selective,
            window=parameters.get("window"),
            answers=AnswerRule(given(parameters, "ack_every", 1), None if flush is None else span(flush), selective),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return GoBackSender(flow, self), InOrderReceiver(flow, self.answers)


class GoBackSender(Patient, Series):
    """The sending end of a flow."""

    def __init__(self, flow, rule: GoBackRule):
        super().__init__(flow)
        self.rule = rule
        self.counts["more was lost"] = 0
        self.news_at = 0  # when the last new ACK arrived, a recovery began, or a packet was sent with nothing in flight
        self.repaired_at = 0  # when the last repair began
        self.repair = 0  # packets below were sent before it began (`selective`)

    def due(self) -> int | None:
        """The packet to send next, if the window allows it."""
        self.refill()
        number = self.what_next()
        if number is None or self.repeat or self.rule.window is None or self.flight() < self.rule.window:
            return number
        return None

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        if self.first == self.top:
            self.news_at = packet.injected
        self.goes()
        packet.header = Header()
        self.watch()

    def mend(self, now: int, one: bool) -> None:
        """The first unacknowledged packet is lost: send it again alone, or everything from there on."""
        self.repaired_at = self.news_at = now
        self.repair = self.top if one else 0
        if one:
            self.repeat_first()
        else:
            self.go_back()

    def hear(self, packet: Packet) -> None:
        """An answer: all below a number have arrived, and when the packet started that caused it."""
        number, now = packet.header.number, self.flow.source.fabric.now
        behind_gap = packet.header.cause > number  # and not a packet that had arrived before
        if self.acknowledge(number):
            self.news_at = now
            if self.first < self.repair:
                self.counts["more was lost"] += 1
                self.repeat_first()
            else:
                self.repair = 0
        elif number == self.first < self.top and packet.caused >= self.repaired_at and self.repair == 0 and behind_gap:
            self.counts["told"] += 1
            self.mend(now, self.rule.selective)
        self.watch()

    def patience_ends(self) -> int | None:
        """When a loss is assumed if nothing is acknowledged."""
        return self.news_at + self.rule.timeout if self.first < self.top else None

    def assume_loss(self, now: int) -> None:
        """Send everything again."""
        self.mend(now, one=False)
