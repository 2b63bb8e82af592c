"""TIMELY (Mittal et al., SIGCOMM 2015, algorithm 1): a rate that follows the round-trip time, mostly whether it grows.

Two models: the paper's, which changes the rate with every segment, and that of HPCC's simulator, once per round trip.
"""

import math
from dataclasses import dataclass

from reference.quantities import given, rate, size, span
from reference.reactions.shared import Reaction, paced, passed


@dataclass
class TimelyRule:
    """Times in ps, rates in bit/s, a segment in bytes."""

    ewma: float
    decrease: float
    additive: int
    low: int
    high: int
    least_round_trip: int
    hyper_times: int
    hyper_after: int
    segment: int
    min_rate: int
    model: str
    window: str
    round_trip: int | None  # the round trip for the window; none: that of the path


def read_timely(parameters: dict) -> TimelyRule:
    """The parameters, in the units of the twin."""
    return TimelyRule(
        ewma=given(parameters, "ewma", 0.875),
        decrease=given(parameters, "decrease", 0.8),
        additive=rate(given(parameters, "additive", "10 Mbit/s")),
        low=span(given(parameters, "low", "50 us")),
        high=span(given(parameters, "high", "500 us")),
        least_round_trip=span(given(parameters, "least_round_trip", "20 us")),
        hyper_times=given(parameters, "hyper_times", 5),
        hyper_after=given(parameters, "hyper_after", 5),
        segment=size(given(parameters, "segment", "16 KiB")),
        min_rate=rate(given(parameters, "min_rate", "100 Mbit/s")),
        model=given(parameters, "model", "paper"),
        window=given(parameters, "window", "none"),
        round_trip=None if parameters.get("round_trip") is None else span(parameters["round_trip"]),
    )


class Timely(Reaction):
    """The rate of one flow."""

    def __init__(self, rule: TimelyRule, flow):
        super().__init__(rule, flow)
        self.trip = self.base_round_trip() if rule.window != "none" else 0
        self.rate = self.line
        self.before = 0.0  # the round-trip time of the last change, in seconds
        self.diff = 0.0
        self.bytes = 0  # bytes acknowledged since the last change
        self.held = False  # a packet of the segment had left an output that flow control blocked
        self.in_a_row = 0

    def window(self) -> int | None:
        """The packets that the link carries in a round trip, at its rate or at the current one."""
        if self.rule.window == "none":
            return None
        product = self.product(self.trip)
        if self.rule.window == "bdp":
            return max(1, math.ceil(product))
        return passed(product * (self.rate / self.line))

    def interval(self, time: int, line: int) -> int:
        """Packets are paced at the rate."""
        return paced(time, line, self.rate)

    def hears(self, ack, now: int) -> None:
        """The rate changes at the end of a segment or of a round trip."""
        round_trip = now - ack.caused
        self.held = self.held or ack.feedback == "undetermined"
        self.bytes += self.packet * ack.answers
        if self.rule.model == "hpcc":
            turn = self.turn(ack.answers)
        else:
            turn = "over" if self.bytes >= self.rule.segment else None
        if turn == "first" or (turn == "over" and self.held):
            self.before = round_trip / 1e12
        elif turn == "over":
            self.moves(round_trip)
        if turn in ("first", "over"):
            self.bytes, self.held = 0, False

    def moves(self, round_trip: int) -> None:
        """By the round-trip time alone if it is very short or very long, otherwise by the gradient."""
        rule, now = self.rule, round_trip / 1e12
        if self.before > 0.0:
            self.diff = (1.0 - rule.ewma) * self.diff + rule.ewma * (now - self.before)
        self.before = now
        gradient = self.diff / (rule.least_round_trip / 1e12)
        short, long, flat = round_trip < rule.low, round_trip > rule.high, gradient <= 0.0
        if rule.model == "hpcc":
            rises = hyper = short or (flat and not long)
            times = self.in_a_row  # in the simulator increases count after they are made
            self.in_a_row = self.in_a_row + 1 if hyper else 0
        else:
            rises = short or (flat and not long)
            self.in_a_row = times = self.in_a_row + 1 if flat else 0
            hyper = flat and not short
        if rises:
            many = hyper and times >= rule.hyper_after
            self.rate += rule.additive * float(rule.hyper_times if many else 1)
        elif long:
            self.rate *= 1.0 - rule.decrease * (1.0 - (rule.high / 1e12) / now)
        else:
            self.rate *= max(1.0 - rule.decrease * gradient, 0.0)
        self.rate = min(max(self.rate, float(rule.min_rate)), self.line)
