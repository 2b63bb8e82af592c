"""NSCC, network signal congestion control (Ultra Ethernet 1.0, section 3.6): the window of a sender, in bytes.

It follows marks, the queueing delay (what a round trip takes longer than the shortest), and trimmed packets. Gains are
given for 100 Gbit/s and 12 us, and go in proportion to the bandwidth-delay product. Times are in seconds here.

              delay < target                               delay >= target
    no mark   a window of answers below 1 us: grow fast;   increase += fair * bytes
              else increase += proportional * slack * bytes
    mark      nothing                                      once a round trip, if the average is above the target: shrink
"""

import math
from dataclasses import dataclass

from reference.quantities import given, span

REFERENCE = 12_500_000_000.0 * (12_000_000 / 1e12)  # bytes


@dataclass
class NsccRule:
    """The settings of NSCC in a scenario; times in ps, gains in segments."""

    target: int | None
    target_share: float
    proportional: float
    fair: float
    eta: float
    fast: float
    empty: int
    decrease: float
    most_decrease: float
    delay_gain: float
    adjust_after: int
    quick_gate: int
    quick_delay: float
    initial_window: int | None


def read_nscc(table: dict) -> NsccRule:
    """The parameters of the window."""
    return NsccRule(
        target=None if table.get("target") is None else span(table["target"]),
        target_share=given(table, "target_share", 0.75),
        proportional=given(table, "proportional", 4.0),
        fair=given(table, "fair", 5.0),
        eta=given(table, "eta", 0.15),
        fast=given(table, "fast", 0.25),
        empty=span(given(table, "empty", "1 us")),
        decrease=given(table, "decrease", 0.8),
        most_decrease=given(table, "most_decrease", 0.5),
        delay_gain=given(table, "delay_gain", 0.0125),
        adjust_after=given(table, "adjust_after", 8),
        quick_gate=given(table, "quick_gate", 3),
        quick_delay=given(table, "quick_delay", 4.0),
        initial_window=table.get("initial_window"),
    )


class Nscc:
    """The window of one sender."""

    def __init__(self, rule: NsccRule, line: int, packet: int, payload: int, round_trip: int, most: float):
        self.rule, self.line, self.packet, self.most = rule, line, float(packet), most
        self.base = self.period = round_trip  # ps
        scale = line / 8.0 * (round_trip / 1e12) / REFERENCE
        self.target = round_trip / 1e12 * rule.target_share if rule.target is None else rule.target / 1e12
        self.proportional = rule.proportional * payload * scale / 12e-6
        self.fair, self.fast = rule.fair * payload * scale, rule.fast * scale
        self.eta = math.floor(rule.eta * payload * scale)
        self.cwnd = self.largest() if rule.initial_window is None else rule.initial_window * self.packet
        self.clamp()
        self.increase = 0.0
        self.since_adjust = 0  # bytes
        self.adjusted_at: int | None = None  # ps, when a period was over last; the first begins with the connection
        self.empty_for, self.is_fast = 0, False
        self.average = 0.0
        self.cut_at: int | None = None
        self.achieved, self.round_end, self.trigger = 0, None, False
        self.to_ignore = self.ignored = 0
        self.counts = dict.fromkeys(("proportional", "fair", "fast", "cut", "adapted", "ignored", "given up", "eta"), 0)

    def begins(self, now: int) -> None:
        """The connection has data to send: if it is the first, its first period begins."""
        if self.adjusted_at is None:
            self.adjusted_at = now

    def largest(self) -> float:
        """The largest window."""
        return self.most * (self.line / 8.0 * (self.base / 1e12))

    def clamp(self) -> None:
        """A packet at least, and the largest at most."""
        self.cwnd = max(min(self.cwnd, self.largest()), self.packet)

    def lets_go(self, flight: int, size: int) -> bool:
        """Whether the window has room for a packet of this size in addition to those in flight."""
        return max(flight, 0) + size <= int(self.cwnd)

    def timed(self, round_trip: int) -> float:
        """A round trip was measured: its queueing delay."""
        self.base = min(self.base, round_trip)
        return (round_trip - self.base) / 1e12

    def averages(self, marked: bool, delay: float) -> None:
        """An unmarked packet that came late is taken for a burst."""
        if not marked and delay > self.target:
            delay = 0.25 * (self.base / 1e12)
        self.average = self.rule.delay_gain * delay + (1.0 - self.rule.delay_gain) * self.average

    def hears(self, now: int, news: int, marked: bool, delay: float | None, flight: int) -> None:
        """An ACK acknowledges this number of new bytes."""
        self.achieved += news
        self.since_adjust += news
        self.ignored += news
        if delay is None:
            delay = self.average
        else:
            self.averages(marked, delay)
        self.clamp()
        if not self.adapts(now, marked, False, delay, flight):
            self.moves(now, news, marked, delay)
            self.adjust(now)
        self.clamp()

    def moves(self, now: int, news: int, marked: bool, delay: float) -> None:
        """By mark and delay."""
        if not marked and delay >= self.target:
            self.counts["fair"] += 1
            self.increase += self.fair * news
        elif not marked:
            if not self.grows_fast(news, delay):
                self.counts["proportional"] += 1
                self.increase += self.proportional * news * (self.target - delay)
        elif delay >= self.target:
            self.empty_for, self.is_fast = 0, False
            rested = self.cut_at is None or now - self.cut_at > self.base
            if self.average > self.target and rested:
                self.counts["cut"] += 1
                share = 1.0 - self.rule.decrease * (self.average - self.target) / self.average
                self.cwnd *= max(share, 1.0 - self.rule.most_decrease)
                self.cut_at = now

    def grows_fast(self, news: int, delay: float) -> bool:
        """The path has been empty for a window."""
        if delay >= self.rule.empty / 1e12:
            self.empty_for, self.is_fast = 0, False
            return False
        self.empty_for += news
        self.is_fast = self.is_fast or self.empty_for > self.cwnd
        if self.is_fast:
            self.counts["fast"] += 1
            self.cwnd += news * self.fast
        return self.is_fast

    def adjust(self, now: int) -> None:
        """The collected increases are added from time to time, and a little more once a round trip."""
        since = now - self.adjusted_at
        if self.since_adjust > self.rule.adjust_after * self.packet or since > self.period:
            self.cwnd += self.increase / self.cwnd
            if since >= self.period:
                self.counts["eta"] += 1
                self.cwnd += self.eta
                self.adjusted_at = now
            self.increase, self.since_adjust = 0.0, 0

    def adapts(self, now: int, marked: bool, trimmed: bool, delay: float, flight: int) -> bool:
        """Quick adapt: returns whether the answer, an ACK or a NACK, needs no further processing."""
        if self.ignored < self.to_ignore and (marked or trimmed):
            self.counts["ignored"] += 1
            self.increase, self.since_adjust = 0.0, 0
            return True
        adapted = False
        if self.round_end is None or now > self.round_end:
            bad = self.trigger or trimmed or delay > self.rule.quick_delay * self.target
            if self.round_end is not None and bad and self.achieved < self.largest() / 2.0**self.rule.quick_gate:
                self.counts["adapted"] += 1
                adapted = True
                self.cwnd = max(float(self.achieved), self.packet)
                self.to_ignore, self.ignored, self.trigger = flight, 0, False
                self.increase, self.since_adjust = 0.0, 0
            self.achieved = 0
            self.round_end = now + self.base + int(self.target * 1e12)
        return adapted

    def trimmed(self, now: int, size: int, forgiven: bool, flight: int) -> None:
        """A packet was trimmed; where, may be the receiver's business."""
        self.ignored += size
        self.averages(True, self.period / 1e12)  # no burst
        self.trigger = True
        if not self.adapts(now, False, True, 0.0, flight) and not forgiven:
            self.counts["given up"] += 1
            self.cwnd -= size
        self.clamp()

    def timed_out(self, size: int) -> None:
        """A packet counts as lost only because of a timer."""
        self.cwnd -= size
        self.clamp()
