"""DCTCP (RFC 8257, sections 3.3 to 3.5), in packets: the window shrinks by the share of packets that were marked.

A loss halves the window; marks and losses cut it at most once per round (RFC 8257, section 3.5; RFC 5681, section
3.1). Slow start ends at the window that the last cut has left, which a second timeout in that round does not change;
after a timeout it begins at once, although the round goes on.
"""

import math
from dataclasses import dataclass

from reference.quantities import given
from reference.reactions.shared import Reaction


@dataclass
class DctcpRule:
    """Weight of the newest round, initial alpha and window, and the bounds of the window."""

    gain: float
    initial_alpha: float
    initial_window: int
    least_window: int
    largest_window: int
    slow_start: bool


def read_dctcp(parameters: dict) -> DctcpRule:
    """All defaults are those of RFC 8257 and RFC 6928; the least window is that of Linux."""
    return DctcpRule(
        gain=given(parameters, "gain", 1 / 16),
        initial_alpha=given(parameters, "initial_alpha", 1.0),
        initial_window=given(parameters, "initial_window", 10),
        least_window=given(parameters, "least_window", 2),
        largest_window=given(parameters, "largest_window", 10_000),
        slow_start=given(parameters, "slow_start", True),
    )


class Dctcp(Reaction):
    """The window of one flow."""

    def __init__(self, rule: DctcpRule, flow):
        super().__init__(rule, flow)
        self.cwnd = self.bounded(float(rule.initial_window))
        self.alpha = rule.initial_alpha
        self.ssthresh = math.inf if rule.slow_start else 0.0
        self.round_end: int | None = None  # the round is over when this many packets are acknowledged
        self.acked = self.marked = 0  # packets of this round
        self.reduced = False  # whether the window was cut in this round
        self.restarted = False  # whether a timeout of this round began slow start anew

    def bounded(self, window: float) -> float:
        """Between the least window and the largest."""
        return min(max(window, float(self.rule.least_window)), float(self.rule.largest_window))

    def window(self) -> int:
        """Whole packets."""
        return int(self.cwnd)

    def cut(self, share: float) -> None:
        """The window shrinks to a share, at most once in a round; slow start ends there."""
        if not self.reduced:
            self.reduced = True
            self.cwnd = self.bounded(self.cwnd * share)
            self.ssthresh = self.cwnd

    def loses(self, timeout: bool, now: int) -> None:
        """Half of the window; after a timeout the least window, and slow start up to half."""
        self.cut(0.5)
        if timeout:
            self.cwnd = self.bounded(0.0)
            self.restarted = True

    def hears(self, ack, now: int) -> None:
        """A mark cuts the window at once, with the alpha of earlier rounds; at the end of a round alpha is updated."""
        if ack.feedback == "congested":
            self.marked += ack.answers
            self.cut(1.0 - self.alpha / 2.0)
        elif ack.feedback == "clear" and (self.restarted or not self.reduced):
            grows = ack.answers if self.cwnd < self.ssthresh else ack.answers * (1.0 / self.cwnd)
            self.cwnd = self.bounded(self.cwnd + grows)
        self.acknowledged += ack.answers
        self.acked += ack.answers
        if self.round_end is None:
            self.round_end = self.acknowledged + self.on_the_way()
        if self.acknowledged >= self.round_end and ack.answers > 0:
            share = self.marked / max(self.acked, 1)
            self.alpha = (1.0 - self.rule.gain) * self.alpha + self.rule.gain * share
            self.acked = self.marked = 0
            self.reduced = self.restarted = False
            self.round_end = self.acknowledged + self.on_the_way()
