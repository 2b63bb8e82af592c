"""PowerTCP (Addanki et al., NSDI 2022, algorithms 1 and 2): a rate that follows the power of the busiest link.

Power is current times voltage: the arrival rate times the bytes that wait and are on their way. With telemetry
(`telemetry`) it is the power of the hop where it is largest; without (theta-PowerTCP) it is computed from round-trip
times.
"""

import math
from dataclasses import dataclass

from reference.quantities import given, rate, span
from reference.reactions.shared import Reaction, paced, passed


@dataclass
class PowerTcpRule:
    """Rates in bit/s; T in ps."""

    signal: str
    gain: float
    additive: int
    target: float
    slack: float
    gradient: bool
    min_rate: int
    round_trip: int | None  # none: that of the path
    log_base = None  # of digests, which it does not read


def read_power_tcp(parameters: dict) -> PowerTcpRule:
    """The parameters, in the units of the twin."""
    return PowerTcpRule(
        signal=given(parameters, "signal", "telemetry"),
        gain=given(parameters, "gain", 0.9),
        additive=rate(given(parameters, "additive", "150 Mbit/s")),
        target=given(parameters, "target", 0.95),
        slack=given(parameters, "slack", 1.05),
        gradient=given(parameters, "gradient", False),
        min_rate=rate(given(parameters, "min_rate", "100 Mbit/s")),
        round_trip=None if parameters.get("round_trip") is None else span(parameters["round_trip"]),
    )


class PowerTcp(Reaction):
    """The window and rate of one flow."""

    def __init__(self, rule: PowerTcpRule, flow):
        super().__init__(rule, flow)
        self.trip = self.base_round_trip() / 1e12
        self.rate = self.old = self.line
        self.power = 1.0
        self.last: list = []  # the records before
        self.before: tuple[int, float] | None = None  # when the ACK before arrived, and its round-trip time in seconds
        self.least = math.inf

    def window(self) -> int:
        """The packets that the rate carries in T."""
        return passed(self.rate * self.trip / (self.packet * 8.0))

    def interval(self, time: int, line: int) -> int:
        """Packets are paced at the rate."""
        return paced(time, line, self.rate)

    def hears(self, ack, now: int) -> None:
        """The present power, if it can be determined."""
        turn = self.turn(ack.answers)
        if self.rule.signal == "delay":
            self.hears_delay((now - ack.caused) / 1e12, now, turn)
        elif turn == "first" or [hop[4] for hop in ack.records] != [hop[4] for hop in self.last]:
            # Only records of the same output can be compared.
            self.last = list(ack.records)
        else:
            self.hears_records(ack.records, turn)

    def hears_records(self, records: list, turn: str) -> None:
        """The power of every hop that has sent since the record before; the largest is used."""
        largest = None
        for place, (at, sent, queue, bits, _) in enumerate(records):
            last_at, last_sent, last_queue, _, _ = self.last[place]
            if at <= last_at:
                continue
            capacity, time = bits / 8.0, (at - last_at) / 1e12
            growth = float(queue) - float(last_queue) if self.rule.gradient else 0.0
            current = max((float(sent - last_sent) + growth) / time, capacity / 2.0)
            power = current * (queue + capacity * self.trip) / (capacity * capacity * self.trip)
            self.last[place] = records[place]
            if largest is None or power > largest[0]:
                largest = (power, time)
        if largest is not None:
            self.follows(*largest, self.trip, self.rule.target, turn)

    def hears_delay(self, seconds: float, now: int, turn: str) -> None:
        """The change of the round-trip time gives the arrival rate, and its length the waiting bytes."""
        self.least = min(self.least, seconds)
        if self.before is not None and self.before[0] < now:
            time = (now - self.before[0]) / 1e12
            current = max((seconds - self.before[1]) / time + 1.0, 0.5)
            power = current * seconds / (self.rule.slack * self.least)
            self.follows(power, time, self.least, 1.0, turn)
        self.before = (now, seconds)

    def follows(self, power: float, time: float, base: float, target: float, turn: str) -> None:
        """The rate follows the smoothed power, starting from its value a round trip ago."""
        share = min(time / base, 1.0)
        self.power = self.power * (1.0 - share) + power * share
        gain = self.rule.gain
        rate = gain * (self.old / max(self.power / target, 1e-9) + self.rule.additive) + (1.0 - gain) * self.old
        self.rate = min(max(rate, float(self.rule.min_rate)), self.line)
        if turn == "over":
            self.old = self.rate
