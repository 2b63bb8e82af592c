"""The base of sources that react to every ACK and keep a rate or a window, which is reset with each life of a flow.

`telemetry` has HPCC, which is one of them; the others have a file each. Floats are added in the order of the engine.
"""

import math
from abc import ABC, abstractmethod

from reference.network.idle import idle_round_trip


class Reaction(ABC):
    """The common base: a source that has not been slowed down yet."""

    def __init__(self, rule, flow):
        host = flow.source.host
        self.rule = rule
        self.flow = flow
        self.line = float(host.wire.own_rate)  # bit/s
        self.packet = host.setup.mtu + host.setup.header  # a full packet, bytes
        self.sent = self.acknowledged = 0  # packets
        self.begun_at: int | None = None  # packets sent when the round trip began

    @abstractmethod
    def hears(self, ack, now: int) -> None:
        """An ACK has arrived."""

    def loses(self, timeout: bool, now: int) -> None:
        """The transport sends lost packets again: losses were reported, or a timeout expired."""
        return  # most use other signs

    def window(self) -> int | None:
        """The allowed number of unacknowledged packets, if it is limited."""
        return None

    def interval(self, time: int, line: int) -> int:
        """From the start of a packet that takes this long on the link, of this rate then, to the next."""
        return 0

    def idle_round_trip(self) -> int:
        """The time from the start of a full packet until its ACK has arrived, in an idle network."""
        host = self.flow.source.host
        return idle_round_trip(host.fabric, host.number, self.flow.destination)

    def base_round_trip(self) -> int:
        """That of the rule, or otherwise of its own path."""
        return self.rule.round_trip or self.idle_round_trip()

    def on_the_way(self) -> int:
        """Packets that were sent and are not known to have arrived."""
        return self.sent - self.acknowledged if self.flow.sender is None else self.flow.sender.flight()

    def turn(self, answers: int) -> str:
        """The position of this ACK: the first of all, within its round trip, or at its end."""
        self.acknowledged += answers
        if self.begun_at is not None and self.acknowledged <= self.begun_at:
            return "within"
        turn = "first" if self.begun_at is None else "over"
        self.begun_at = self.acknowledged + self.on_the_way()
        return turn

    def product(self, round_trip: int) -> float:
        """Full packets that the link carries in a round trip, with their fraction."""
        return round_trip / max(1, -(-self.packet * 8 * 10**12 // int(self.line)))


def paced(time: int, line: int, rate: float) -> int:
    """From the start of a packet to the next at this rate; a link that is no faster needs no pacing."""
    return 0 if rate >= line else math.floor(time * (line / rate) + 0.5)


def passed(window: float) -> int:
    """A window in packets; the last packet may start while fewer packets than the window are on their way."""
    return max(1, math.ceil(window - 1e-6))
