"""Swift (Kumar et al., SIGCOMM 2020, algorithm 1 and section 3.5): a window that keeps the round-trip time at a target.

The target grows with the number of switches on the path, and as the window shrinks, because then many flows share it.
"""

import math
from dataclasses import dataclass

from reference.quantities import given, span
from reference.reactions.shared import Reaction


@dataclass
class SwiftRule:
    """Times in ps, windows in packets; the initial window follows from the path if it is not given."""

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
    initial_window: float | None
    retx_reset: int


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
        initial_window=parameters.get("initial_window"),
        retx_reset=given(parameters, "retx_reset", 5),
    )


class Swift(Reaction):
    """The window of one flow."""

    def __init__(self, rule: SwiftRule, flow):
        super().__init__(rule, flow)
        self.round_trip = self.idle_round_trip()  # until an ACK reports another
        full = flow.source.host.full_time()
        self.cwnd = self.bounded(float(rule.initial_window or max(1, -(-self.round_trip // full))))
        self.cut_at: int | None = None
        self.timeouts = 0  # in a row

    def bounded(self, window: float) -> float:
        """Between the least window and the largest."""
        return min(max(window, self.rule.min_window), self.rule.max_window)

    def window(self) -> int:
        """Whole packets, at least one: below one the pace decides."""
        return max(1, int(self.cwnd))

    def interval(self, time: int, line: int) -> int:
        """Below one packet per round trip, the next packet waits for the rest of it, and longer."""
        return math.floor(self.round_trip * (1.0 / self.cwnd) + 0.5) if self.cwnd < 1.0 else 0

    def target(self, hops: int) -> int:
        """The target round-trip time."""
        rule = self.rule
        span_s = rule.fs_range / 1e12
        most = 1.0 / math.sqrt(rule.fs_max)
        slope = span_s / (1.0 / math.sqrt(rule.fs_min) - most)
        shared = min(max(slope * (1.0 / math.sqrt(self.cwnd) - most), 0.0), span_s)
        return rule.base_target + hops * rule.hop_scale + math.floor(1e6 * (shared * 1e6) + 0.5)

    def may_cut(self, now: int) -> bool:
        """Whether the last cut is at least a round trip ago."""
        return self.cut_at is None or now - self.cut_at >= self.round_trip

    def loses(self, timeout: bool, now: int) -> None:
        """The largest possible cut; after several timeouts in a row the least window."""
        self.timeouts = self.timeouts + 1 if timeout else 0
        if self.timeouts >= self.rule.retx_reset:
            self.cwnd = self.rule.min_window
        elif self.may_cut(now):
            self.cwnd = self.bounded(self.cwnd * (1.0 - self.rule.max_mdf))
            self.cut_at = now

    def hears(self, ack, now: int) -> None:
        """Below the target the window grows by `ai` per round trip; above, it shrinks, at most once per round trip."""
        rule, target = self.rule, self.target(ack.hops)
        self.round_trip, self.timeouts = now - ack.caused, 0
        cwnd = self.cwnd
        if self.round_trip < target:
            cwnd += ack.answers * (rule.ai / cwnd if cwnd >= 1.0 else rule.ai)
        elif self.may_cut(now):
            excess = (self.round_trip / 1e12 - target / 1e12) / (self.round_trip / 1e12)
            cwnd *= max(1.0 - rule.beta * excess, 1.0 - rule.max_mdf)
            self.cut_at = now
        self.cwnd = self.bounded(cwnd)
