"""TCP NewReno (RFC 5681, RFC 6582, RFC 6298), in segments, each of which is a packet.

Three duplicate ACKs indicate a loss: the missing segment is sent again, the window becomes half of what is on its way,
and every further duplicate allows one more packet. The recovery is over when everything that was sent before it is
acknowledged; ACKs before that show that the next segment is missing, too. If nothing is acknowledged until the timer
expires, everything is sent again from the first missing segment on, with a window of one. Round trips are measured by
time stamps that are returned.
"""

import math
from dataclasses import dataclass

from reference.links.link import TIMER, Packet
from reference.quantities import given, span
from reference.transports.header import Header
from reference.transports.in_order import AnswerRule, InOrderReceiver
from reference.transports.series import Series

FIRST_TIMEOUT = 1.0  # s, RFC 6298, section 2.1
LONGEST_TIMEOUT = 60.0  # section 2.4


@dataclass
class RenoRule:
    """The settings of NewReno in a scenario; windows in segments."""

    initial_window: int
    largest_window: float
    slow_start: bool
    keep_window: bool
    duplicates: int
    least_timeout: float  # s
    answers: AnswerRule
    control_lane = None  # answers stay in the lane of their flow

    @classmethod
    def read(cls, parameters: dict):
        """Read the settings of a scenario."""
        flush = span(given(parameters, "ack_flush", "100 ms"))
        return cls(
            initial_window=given(parameters, "initial_window", 1),
            largest_window=given(parameters, "largest_window", math.inf),
            slow_start=given(parameters, "slow_start", True),
            keep_window=given(parameters, "keep_window", False),
            duplicates=given(parameters, "duplicates", 3),
            least_timeout=span(given(parameters, "least_timeout", "200 ms")) / 1e12,
            answers=AnswerRule(given(parameters, "ack_every", 1), flush, keep=True),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return RenoSender(flow, self), InOrderReceiver(flow, self.answers)


class RenoSender(Series):
    """The sending end of a flow."""

    follows_on = False

    def __init__(self, flow, rule: RenoRule):
        super().__init__(flow)
        self.rule = rule
        self.cwnd = float(rule.initial_window)
        self.ssthresh = math.inf
        self.duplicates = 0
        self.recovers = False  # fast recovery
        self.recover = 0  # packets below were sent when the last loss was noticed
        self.partial = False  # an ACK of this recovery was partial
        self.srtt: float | None = None  # s
        self.rttvar = 0.0
        self.doubled = 0  # how often the timer was since a round trip was timed
        self.due_at: int | None = None  # of the timer
        self.counts |= {"partial": 0, "inflated": 0, "avoids": 0}

    def begins(self) -> None:
        """A group begins: in the initial state, unless the window is kept."""
        if not self.rule.keep_window:
            self.cwnd, self.ssthresh = float(self.rule.initial_window), math.inf

    def due(self) -> int | None:
        """The packet to send next, if the window allows it."""
        self.refill()
        number = self.what_next()
        if number is None or self.repeat or self.flight() + 1 <= min(self.cwnd, self.rule.largest_window):
            return number
        return None

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        self.goes()
        if self.due_at is None:
            self.restart(packet.injected)
        packet.header = Header()
        self.watch()

    def hear(self, packet: Packet) -> None:
        """An ACK: all below a number have arrived, and when the packet started that caused it."""
        now = self.flow.source.fabric.now
        news = self.acknowledge(packet.header.number)
        if news:
            self.measure((now - packet.caused) / 1e12)
            self.duplicates = 0
            if self.recovers:
                self.hears_in_recovery(news, now)
            else:
                self.grow()
                self.restart(now)
        elif packet.header.number == self.first < self.top:
            self.hear_again(now)
        self.watch()

    def restart(self, now: int) -> None:
        """A new ACK has arrived: the timer is restarted, if anything is in flight."""
        self.due_at = now + self.timeout() if self.first < self.top else None

    def timeout(self) -> int:
        """How long an ACK is waited for."""
        known = FIRST_TIMEOUT if self.srtt is None else self.srtt + 4.0 * self.rttvar
        least = self.rule.least_timeout
        return int(min(max(known, least) * 2**self.doubled, max(LONGEST_TIMEOUT, least)) * 1e12 + 0.5)

    def grow(self) -> None:
        """Slow start, by a segment for an ACK, or congestion avoidance (RFC 5681, equations 2 and 3)."""
        slow_start = self.rule.slow_start and self.cwnd < self.ssthresh
        self.counts["avoids"] += not slow_start
        self.cwnd += 1.0 if slow_start else 1.0 / self.cwnd
        self.cwnd = min(self.cwnd, self.rule.largest_window)

    def hears_in_recovery(self, news: int, now: int) -> None:
        """All that was sent before the recovery has arrived, or the next one is missing, too."""
        if self.first >= self.recover:
            self.recovers = False
            self.cwnd = min(self.ssthresh, max(self.flight(), 1) + 1.0)
            self.restart(now)
            return
        self.counts["partial"] += 1
        self.cwnd = max(self.cwnd - news + 1.0, 1.0)
        self.repeat_first()
        if not self.partial:
            self.restart(now)
        self.partial = True

    def hear_again(self, now: int) -> None:
        """The same as before: a packet behind a missing one has arrived."""
        if self.recovers:
            self.counts["inflated"] += 1
            self.cwnd += 1.0
            return
        self.duplicates += 1
        if self.duplicates == self.rule.duplicates and self.first >= self.recover:
            self.counts["told"] += 1
            self.ssthresh = self.halved()
            self.recover, self.recovers, self.partial = self.top, True, False
            self.cwnd = self.ssthresh + self.rule.duplicates
            self.repeat_first()
            self.restart(now)

    def halved(self) -> float:
        """Half of the packets in flight, two segments at least (RFC 5681, equation 4)."""
        return max(self.flight() / 2.0, 2.0)

    def measure(self, round_trip: float) -> None:
        """A round trip was timed, in seconds (RFC 6298, section 2)."""
        self.doubled = 0
        if self.srtt is None:
            self.srtt, self.rttvar = round_trip, round_trip / 2.0
        else:
            self.rttvar = 0.75 * self.rttvar + 0.25 * abs(self.srtt - round_trip)
            self.srtt = 0.875 * self.srtt + 0.125 * round_trip

    def watch(self) -> None:
        """At that time the sender checks whether anything was acknowledged."""
        host = self.flow.source.host
        if self.due_at is not None:
            host.fabric.at(self.due_at, TIMER, self.flow.number, host, self.run_out)

    def run_out(self) -> None:
        """Perhaps nothing was acknowledged for long."""
        now = self.flow.source.fabric.now
        if self.due_at is None or self.due_at > now:
            return
        self.counts["timeouts"] += 1
        # After a second timeout in a row hardly anything is in flight: ssthresh stays (RFC 5681, section 3.1).
        if self.doubled == 0:
            self.ssthresh = self.halved()
        self.cwnd = 1.0
        # Duplicates caused by retransmissions mean nothing: an ACK has to cover more than was sent (RFC 6582, step 4).
        self.recovers, self.recover, self.duplicates = False, self.top + 1, 0
        self.go_back()
        self.doubled = min(self.doubled + 1, 16)
        self.restart(now)
        self.watch()
