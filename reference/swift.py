"""Swift (Kumar et al., SIGCOMM 2020, algorithm 1 and section 3.5): a window that keeps the round-trip time at a target.

The target grows with the switches on the way, and as the window shrinks, for then many share it.
"""

import math
from dataclasses import dataclass

from reference.quantities import given, span
from reference.reactions import Reaction


@dataclass
class SwiftRule:
    """Times in ps, windows in packets; the initial window has to be given here, and is a packet at least."""

    base_target: int
    hop_scale: int
    fs_range: int
    fs_min: float
    fs_max: float
    ai: float
    beta: float
    max_mdf: float
    min_window: float
    max_window: float
    initial_window: float


def read_swift(parameters: dict) -> SwiftRule:
    """The parameters, in the units of the twin."""
    return SwiftRule(
        base_target=span(given(parameters, "base_target", "25 us")),
        hop_scale=span(given(parameters, "hop_scale", "1 us")),
        fs_range=span(given(parameters, "fs_range", "100 us")),
        fs_min=given(parameters, "fs_min", 0.1),
        fs_max=given(parameters, "fs_max", 256.0),
        ai=given(parameters, "ai", 1.0),
        beta=given(parameters, "beta", 0.8),
        max_mdf=given(parameters, "max_mdf", 0.5),
        min_window=given(parameters, "min_window", 0.01),
        max_window=given(parameters, "max_window", 256.0),
        initial_window=parameters["initial_window"],
    )


class Swift(Reaction):
    """The window of one flow."""

    def __init__(self, rule: SwiftRule, flow):
        super().__init__(rule, flow)
        self.cwnd = float(rule.initial_window)
        self.round_trip = 0
        self.cut_at: int | None = None

    def window(self) -> int:
        """Whole packets, one at least: less than one is a matter of pace."""
        return max(1, int(self.cwnd))

    def interval(self, time: int, line: int) -> int:
        """Below one packet in a round trip the next waits for the rest of it, and longer."""
        return math.floor(self.round_trip * (1.0 / self.cwnd) + 0.5) if self.cwnd < 1.0 else 0

    def target(self, hops: int) -> int:
        """The time that it aims at."""
        rule = self.rule
        span_s = rule.fs_range / 1e12
        most = 1.0 / math.sqrt(rule.fs_max)
        slope = span_s / (1.0 / math.sqrt(rule.fs_min) - most)
        shared = min(max(slope * (1.0 / math.sqrt(self.cwnd) - most), 0.0), span_s)
        return rule.base_target + hops * rule.hop_scale + math.floor(1e6 * (shared * 1e6) + 0.5)

    def hears(self, ack, now: int) -> None:
        """Below the target the window grows by `ai` in a round trip; above, it shrinks, at most once in one."""
        rule, target = self.rule, self.target(ack.hops)
        self.round_trip = now - ack.caused
        cwnd = self.cwnd
        if self.round_trip < target:
            cwnd += ack.answers * (rule.ai / cwnd if cwnd >= 1.0 else rule.ai)
        elif self.cut_at is None or now - self.cut_at >= self.round_trip:
            excess = (self.round_trip / 1e12 - target / 1e12) / (self.round_trip / 1e12)
            cwnd *= max(1.0 - rule.beta * excess, 1.0 - rule.max_mdf)
            self.cut_at = now
        self.cwnd = min(max(cwnd, rule.min_window), rule.max_window)
