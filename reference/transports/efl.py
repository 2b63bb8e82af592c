"""EFL, rates from delay in a data centre (Shimonishi et al., sections II and III), with its go-back-N.

    idle -- a message --> bandwidth probe -- N packets --> delay probe -- all N acknowledged --> avoidance

The first N packets of a message are sent at the rate of the link: the spacing of their ACKs gives the first rate
(equation 1). Until then further packets are sent at `start_rate`, or none. From then on every ACK that acknowledges
something new changes the rate, so that `alpha` bytes of the flow are queued (equation 2), optionally at the predicted
round trip (equation 4). ACKs of what was sent before the rate was known change it by other factors. A loss, detected
by duplicate ACKs or by the timer, halves the rate; it is zero if the loss is in the probe. Everything is sent again
from the lost packet on, or (`selective`) that packet alone.

Rates are bytes per second here, as floats.
"""

import math
from dataclasses import dataclass

from reference.links.link import Packet
from reference.quantities import given, rate, size, span
from reference.transports.header import Header
from reference.transports.in_order import AnswerRule, InOrderReceiver
from reference.transports.series import Patient, Series


@dataclass
class EflRule:
    """The settings of EFL in a scenario."""

    alpha: int  # bytes
    beta: float
    probe_packets: int
    delay_probing: bool
    probe_alpha: float
    probe_beta: float
    prediction: str
    prediction_intervals: int
    start_rate: float
    floor: float
    round_trip: int | None  # of the empty network; none: the shortest so far
    timeout: int
    duplicates: int
    selective: bool
    answers: AnswerRule
    control_lane = None  # answers stay in the lane of their flow

    @classmethod
    def read(cls, parameters: dict):
        """Read the settings of a scenario."""
        round_trip, flush = parameters.get("rtt_min"), parameters.get("ack_flush")
        selective = given(parameters, "selective", False)
        every = given(parameters, "ack_every", 10)
        return cls(
            alpha=size(given(parameters, "alpha", "3000 B")),
            beta=given(parameters, "beta", 0.0316667),
            probe_packets=given(parameters, "probe_packets", 20),
            delay_probing=given(parameters, "delay_probing", True),
            probe_alpha=given(parameters, "probe_alpha", 0.25),
            probe_beta=given(parameters, "probe_beta", 12.0),
            prediction=given(parameters, "prediction", "same-packets"),
            prediction_intervals=given(parameters, "prediction_intervals", 3),
            start_rate=rate(given(parameters, "start_rate", "200 Mbit/s")) / 8,
            floor=rate(given(parameters, "floor", "40 Mbit/s")) / 8,
            round_trip=None if round_trip is None else span(round_trip),
            timeout=span(given(parameters, "timeout", "580 us")),
            duplicates=given(parameters, "duplicates", 2),
            selective=selective,
            answers=AnswerRule(every, None if flush is None else span(flush), selective),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return EflSender(flow, self), InOrderReceiver(flow, self.answers)


class EflSender(Patient, Series):
    """The sending end of a flow."""

    follows_on = False

    def __init__(self, flow, rule: EflRule):
        super().__init__(flow)
        self.rule = rule
        self.phase = "idle"
        self.rate = 0.0
        self.shortest = math.inf if rule.round_trip is None else rule.round_trip  # round trip
        self.probe_end = 0  # one more than the last packet of the bandwidth probe
        self.probe_ack: tuple[int, int] | None = None  # when the first ACK of it came, and the number in it
        self.avoids_from = 0  # the first packet sent with a rate that was known
        self.heard: list[tuple[int, int, int]] = []  # of it: when an ACK came, the number in it, its packet's start
        self.last_start = self.last_size = 0
        self.news_at = 0  # when the last new ACK arrived, a recovery began, or a packet was sent with nothing in flight
        self.again = 0  # duplicates of the last ACK
        self.repaired_at = 0  # duplicates caused by packets sent before tell nothing
        self.repair = 0  # packets below were sent before it began (`selective`)
        self.counts |= dict.fromkeys(("probes", "unmeasured", "delay probes", "predicted", "more was lost", "held"), 0)

    # ---- sending

    def refill(self) -> None:
        """The next message is taken; an idle sender begins in its initial state."""
        was_open = self.open
        super().refill()
        if was_open and not self.open and self.first == self.end:
            self.phase = "idle"
        if self.phase == "idle" and self.what_next() is not None:
            self.probe_end, self.probe_ack = self.next + self.rule.probe_packets, None
            if self.rule.probe_packets:
                self.phase, self.rate, self.last_size = "bandwidth probe", self.line(), 0
            else:
                self.avoid(self.rule.start_rate)

    def due(self) -> int | None:
        """The packet to send next, if it is time."""
        self.refill()
        number = self.what_next()
        if number is None or (self.phase == "bandwidth probe" and number >= self.probe_end):
            return None
        host, start = self.flow.source.host, self.may_start()
        if start > host.fabric.now:
            host.wake(start, self.flow)
            return None
        return number

    def may_start(self) -> int:
        """When the next packet may start, by the rate."""
        if self.phase == "bandwidth probe":
            return 0
        return self.last_start + int(self.last_size / self.pace() * 1e12 + 0.5)

    def pace(self) -> float:
        """At which it sends."""
        return max(self.rate, self.rule.floor)

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        if self.first == self.top:
            self.news_at = packet.injected
        self.goes()
        self.last_start, self.last_size = packet.injected, packet.size
        if self.phase == "bandwidth probe" and self.next == self.probe_end and self.rule.delay_probing:
            self.phase, self.rate = "delay probe", min(self.rule.start_rate, self.line())
        packet.header = Header()
        self.watch()

    def line(self) -> float:
        """The rate of the link of its host."""
        return self.flow.source.host.wire.rate / 8

    # ---- hearing

    def hear(self, packet: Packet) -> None:
        """An ACK: all below a number have arrived, and when the packet started that caused it."""
        number, now = packet.header.number, self.flow.source.fabric.now
        needless = self.next < self.top
        if not self.acknowledge(number):
            self.hear_again(number, packet.caused, now)
        else:
            self.news_at, self.again = now, 0
            if needless:  # packets in flight were sent before it was known that they need not be retransmitted
                self.repaired_at = now
            self.hear_news(number, packet.caused, now)
            if self.first < self.repair:
                self.counts["more was lost"] += 1
                self.repeat_first()
                self.repaired_at = now
            else:
                self.repair = 0
            if self.first == self.end and not self.open:
                self.phase = "idle"
        self.watch()

    def hear_news(self, number: int, sent: int, now: int) -> None:
        """The rate of the probe, if all of it has been acknowledged; or a better one."""
        round_trip = now - sent
        if self.rule.round_trip is None:
            self.shortest = min(self.shortest, round_trip)
        if self.phase == "avoidance":
            self.heard.append((now, number, sent))
            self.adjust(number, round_trip, self.predicted(round_trip))
            return
        self.counts["delay probes"] += self.phase == "delay probe"
        if self.probe_ack is None:
            self.probe_ack = now, number
        if number >= self.probe_end:
            since, first = self.probe_ack
            packet = self.flow.source.host.setup.mtu + self.flow.source.host.setup.header
            measured = now > since
            self.counts["probes" if measured else "unmeasured"] += 1
            found = (number - first) * packet / ((now - since) / 1e12) if measured else self.rule.start_rate
            self.avoid(min(found, self.line()))

    def avoid(self, rate: float) -> None:
        """From here on the rate is known; earlier measurements no longer count."""
        self.phase, self.rate, self.avoids_from = "avoidance", rate, self.next
        self.heard.clear()

    def adjust(self, number: int, round_trip: int, predicted: int) -> None:
        """Equation 2."""
        rule = self.rule
        early = number <= self.avoids_from  # of a packet that was sent before the rate was known
        alpha = rule.alpha * (rule.probe_alpha if early else 1.0)
        beta = rule.beta * (rule.probe_beta if early else 1.0)
        queued = (predicted / 1e12 - self.shortest / 1e12) * self.rate
        rate = self.rate + (alpha - queued) * beta / (round_trip / 1e12)
        self.rate = min(max(rate, rule.floor), self.line())

    def predicted(self, round_trip: int) -> int:
        """Equation 4: the future round trip is longer if packets are received more slowly than they are sent.

        Either both rates are of the same packets, so that times are compared; or the current sending rate is compared
        with the receiving rate. Both need some ACKs of packets sent with a known rate.
        """
        if self.rule.prediction == "none" or len(self.heard) <= self.rule.prediction_intervals:
            return round_trip
        (then, first, sent_then), (now, last, sent) = self.heard[-1 - self.rule.prediction_intervals], self.heard[-1]
        if first < self.avoids_from or sent <= sent_then or now <= then:
            return round_trip
        self.counts["predicted"] += 1
        if self.rule.prediction == "same-packets":
            grows = (now - then) / (sent - sent_then)
        else:
            packet = self.flow.source.host.setup.mtu + self.flow.source.host.setup.header
            grows = self.pace() / packet / ((last - first) / ((now - then) / 1e12))
        return math.floor(round_trip * grows + 0.5)

    # ---- losses

    def hear_again(self, number: int, sent: int, now: int) -> None:
        """The same as before: a packet behind a missing one has arrived."""
        if number != self.first or sent < self.repaired_at or self.first == self.top:
            return
        self.again += 1
        if self.again >= self.rule.duplicates:
            self.counts["told"] += 1
            self.mend(now, one=self.rule.selective)

    def patience_ends(self) -> int | None:
        """When a loss is assumed if nothing is acknowledged."""
        return self.news_at + self.rule.timeout if self.first < self.top else None

    def assume_loss(self, now: int) -> None:
        """Send everything again."""
        self.mend(now, one=False)

    def mend(self, now: int, one: bool) -> None:
        """The first unacknowledged packet is lost: send it again alone, or everything from there on."""
        lost_probe = self.phase != "avoidance" and self.first < self.probe_end
        self.repair = self.top if one else 0
        if one:
            self.repeat_first()
        else:
            self.go_back()
        self.avoid(0.0 if lost_probe else self.rate / 2.0)
        self.counts["held"] += self.rate == 0.0
        self.again, self.repaired_at, self.news_at = 0, now, now
