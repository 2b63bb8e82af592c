"""IRN, selective repeat for RDMA (SIGCOMM 2018): which packet is sent next, and which is sent again.

A message is a connection: its packets are numbered from 0. Every packet is answered at once, and packets out of order
are kept. An answer says that all packets below a number have arrived, and which packet caused it. An answer to a
packet behind a missing one begins a recovery: the expected packet is sent again, then every packet that is missing
below the highest that has arrived, each once; then new ones. The recovery is over when everything that had been sent
before it has arrived. If nothing new is acknowledged for the timeout, which is shorter with few packets on their way,
recovery begins again. The number of unacknowledged packets never exceeds the window.
"""

from dataclasses import dataclass

from reference.links.link import Packet
from reference.network.idle import idle_round_trip
from reference.quantities import given, span
from reference.transports.header import Header
from reference.transports.series import Patient, Work


@dataclass
class IrnRule:
    """The settings of IRN in a scenario."""

    window: int | None
    round_trip: int | None  # else the window is what the link carries in this time, or in that of the flow's path
    few: int
    low: int
    high: int
    control_lane = None  # answers stay in the lane of their flow

    @classmethod
    def read(cls, parameters: dict):
        """Read the settings of a scenario."""
        round_trip = parameters.get("round_trip")
        return cls(
            window=parameters.get("window"),
            round_trip=None if round_trip is None else span(round_trip),
            few=given(parameters, "few", 3),
            low=span(given(parameters, "timeout_low", "100 us")),
            high=span(given(parameters, "timeout_high", "320 us")),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return IrnSender(flow, self), IrnReceiver()


class IrnSender(Patient, Work):
    """The sending end of a flow."""

    def __init__(self, flow, rule: IrnRule):
        super().__init__(flow)
        self.rule = rule
        self.arrived: set[int] = set()
        self.first = 0  # the first that is not acknowledged
        self.news_at = 0
        self.recovery: int | None = None  # the packet from which on all were sent after it began
        self.again_from = 0  # in it, those below have been sent again if they were missing
        self.due_is_sent = False
        self.counts["kept back"] = 0

    def window(self) -> int:
        """Packets that may be unacknowledged."""
        if self.rule.window is not None:
            return self.rule.window
        host = self.flow.source.host
        round_trip = self.rule.round_trip or idle_round_trip(host.fabric, host.number, self.flow.destination)
        return max(1, -(-round_trip // host.full_time()))

    def missing(self) -> int | None:
        """The packet that a recovery sends again next."""
        if self.recovery is None:
            return None
        if not self.due_is_sent:
            return self.first
        end = min(max(self.arrived, default=-1) + 1, self.recovery)
        return next((n for n in range(max(self.again_from, self.first), end) if n not in self.arrived), None)

    def due(self) -> int | None:
        """The packet to send next: a missing one, or a new one."""
        self.refill()
        missing = self.missing()
        if missing is not None or self.top == self.end:
            return missing
        if self.top - self.first < self.window():
            return self.top
        self.counts["kept back"] += 1
        return None

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        if self.missing() is not None:
            self.counts["resent"] += 1
            self.due_is_sent, self.again_from = True, packet.sequence + 1
        else:
            if self.top == self.first:
                self.news_at = packet.injected
            self.top += 1
        packet.header = Header()
        self.watch()

    def flight(self) -> int:
        """Packets that are sent and not known to have arrived."""
        return self.top - self.known()

    def known(self) -> int:
        """Packets that are known to have arrived."""
        return self.first + sum(number >= self.first for number in self.arrived)

    def fills(self) -> bool:
        """Whether the packet that is due fills a gap."""
        return self.missing() is not None

    def recover(self, now: int) -> None:
        """The packet that is due at the receiver is assumed to be lost."""
        self.recovery, self.again_from, self.due_is_sent, self.news_at = self.top, self.first, False, now

    def patience_ends(self) -> int | None:
        """When a loss is assumed if nothing new is acknowledged."""
        flight = self.top - self.first
        return self.news_at + (self.rule.low if flight < self.rule.few else self.rule.high) if flight else None

    def assume_loss(self, now: int) -> None:
        """Missing packets are sent again."""
        self.recover(now)

    def hear(self, packet: Packet) -> None:
        """An answer: all below a number have arrived, and the packet that caused it."""
        number, cause, now = packet.header.number, packet.header.cause, self.flow.source.fabric.now
        news = number > self.first
        self.first = max(self.first, number)
        if cause >= self.first and cause not in self.arrived:
            self.arrived.add(cause)
            news = True
        if news:
            self.news_at = now
        if self.recovery is not None:
            if self.first >= self.recovery:
                self.recovery = None
            elif self.first > self.again_from:
                self.due_is_sent = True  # the packet that was due has arrived meanwhile
        behind = any(number > self.first for number in self.arrived)  # perhaps known from before a recovery was over
        if self.recovery is None and (cause > self.first or behind) and news:
            self.counts["told"] += 1
            self.recover(now)
        self.watch()


class IrnReceiver:
    """The receiving end of a flow."""

    ordered = True

    def __init__(self):
        self.expected = 0
        self.ahead: set[int] = set()

    def take(self, packet: Packet) -> tuple[bool, list]:
        """A packet has arrived: whether it is useful, and what to answer."""
        of_use = packet.sequence >= self.expected and packet.sequence not in self.ahead
        if of_use:
            self.ahead.add(packet.sequence)
        while self.expected in self.ahead:
            self.ahead.remove(self.expected)
            self.expected += 1
        return of_use, [(packet, Header(cause=packet.sequence, number=self.expected))]
