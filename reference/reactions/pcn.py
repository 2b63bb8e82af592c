"""PCN (Cheng et al., NSDI 2020, section 4): down to the rate at which packets arrive, and back up, slowly at first."""

from dataclasses import dataclass

from reference.links.link import PACE
from reference.quantities import given, rate, span
from reference.reactions.shared import Reaction, paced


@dataclass
class PcnRule:
    """The period in ps, the least rate in bit/s."""

    period: int
    share: float
    least_weight: float
    most_weight: float
    min_rate: int


def read_pcn(parameters: dict) -> PcnRule:
    """The parameters, in the units of the twin."""
    return PcnRule(
        period=span(given(parameters, "period", "50 us")),
        share=given(parameters, "share", 0.95),
        least_weight=given(parameters, "least_weight", 1 / 128),
        most_weight=given(parameters, "most_weight", 0.5),
        min_rate=rate(given(parameters, "min_rate", "10 Mbit/s")),
    )


class Pcn(Reaction):
    """The rate of one flow, which changes at the end of every period in which packets arrived."""

    def __init__(self, rule: PcnRule, flow):
        super().__init__(rule, flow)
        self.rate = self.line
        self.weight = rule.least_weight
        self.ends: int | None = None  # the current period; the first begins with the first ACK
        self.packets = self.marked = 0
        self.held = False
        self.round_trip = 0  # of the first packet of the period

    def interval(self, time: int, line: int) -> int:
        """Packets are paced at the rate."""
        return paced(time, line, self.rate)

    def hears(self, ack, now: int) -> None:
        """Packets have arrived, whether a transport can use them or not: they count for the present period, even if it
        ends at this instant.
        """
        came = max(ack.answers, 1)
        if self.ends is None:
            self.begins(now)
        self.catches_up(now)
        if self.packets == 0:
            self.round_trip = now - ack.caused
        self.packets += came
        self.marked += came if ack.feedback == "congested" else 0
        self.held = self.held or ack.feedback == "undetermined"

    def begins(self, now: int) -> None:
        """A period begins; at its end sources that may not send yet check the new rate."""
        self.ends = now + self.rule.period
        host = self.flow.source.host
        host.fabric.at(self.ends, PACE, self.flow.number, host, self.is_over)

    def is_over(self) -> None:
        """The period is over, unless an ACK of this instant has detected that already, or the flow has a new life."""
        if self.flow.reaction is self:
            self.catches_up(self.flow.source.fabric.now)
            self.flow.source.host.look_again(self.flow)

    def catches_up(self, now: int) -> None:
        """The rate changes if a period has ended by now and packets arrived in it."""
        if now < self.ends:
            return
        rule = self.rule
        if self.packets > 0 and not self.held:
            if self.marked > rule.share * self.packets:
                time = self.round_trip if self.packets == 1 and self.round_trip > 0 else rule.period
                arrives = float(self.packets) * (self.packet * 8.0) / (time / 1e12)
                self.rate = min(self.rate, arrives * (1.0 - rule.least_weight))
                self.weight = rule.least_weight
            else:
                self.rate = self.rate * (1.0 - self.weight) + self.line * self.weight
                self.weight = self.weight * (1.0 - self.weight) + rule.most_weight * self.weight
        self.rate = max(self.rate, min(float(rule.min_rate), self.line))
        if self.line - self.rate < 1.0:
            self.rate = self.line
        self.packets = self.marked = self.round_trip = 0
        self.held = False
        self.begins(self.ends)
