"""DCQCN: receivers report marks at most once per interval; sources cut their rate at each report and raise it by a
timer and by bytes. It uses the marks of `red`.

Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 3. Rates are floats in bit/s.
"""

import math
from dataclasses import dataclass

from reference.links.link import EXPIRE, PACE
from reference.network.idle import idle_round_trip
from reference.quantities import given, rate, size, span, time_for
from reference.reactions.shared import passed

# Events that are due at one instant, in this order.
ALPHA, CUT, TICK = range(3)


@dataclass
class Red:
    """The share of departing packets to mark: none up to `low` bytes, all above `high`, `probability` at `high`."""

    lanes: list[tuple[int, int, float]]  # by lane: low, high, probability
    for_rate: int | None  # of a link of this rate, and in proportion; none: of all
    spare_last_hop: bool  # packets to a host are not marked


@dataclass
class DcqcnRule:
    """How sources react to notifications; times in ps, rates in bit/s."""

    gain: float
    initial_alpha: float
    alpha_period: int
    at_notifications: bool  # alpha grows with each; otherwise at the end of every period with any
    cut_period: int
    least_share: float
    clamp_always: bool  # a cut sets the target; otherwise only if the timer has raised the rate since the last
    first_rate: int | None
    increase_timer: int
    byte_counter: int
    stages: int
    additive: int
    hyper: int
    for_rate: int | None
    min_rate: int
    max_rate: int | None
    window: str  # unacknowledged bytes are limited to what the link carries in a round trip, at its rate or this one
    round_trip: int | None  # none: that of the path


def read_red(parameters: dict, lanes: int) -> Red:
    """Lanes without thresholds of their own use the common ones."""

    def thresholds(table: dict) -> tuple[int, int, float]:
        return (
            size(given(table, "min", "100 kB")),
            size(given(table, "max", "400 kB")),
            given(table, "probability", 0.2),
        )

    own = [thresholds(table) for table in given(parameters, "lane_thresholds", [])]
    return Red(
        lanes=own + [thresholds(parameters)] * (lanes - len(own)),
        for_rate=rate(parameters.get("for_rate")),
        spare_last_hop=given(parameters, "spare_last_hop", False),
    )


def read_dcqcn(parameters: dict) -> DcqcnRule:
    """The defaults are those of the paper."""
    return DcqcnRule(
        gain=given(parameters, "gain", 1 / 256),
        initial_alpha=given(parameters, "initial_alpha", 1.0),
        alpha_period=span(given(parameters, "alpha_period", "55 us")),
        at_notifications=given(parameters, "alpha_grows", "at-notifications") == "at-notifications",
        cut_period=span(given(parameters, "cut_period", "50 us")),
        least_share=given(parameters, "least_share", 0.5),
        clamp_always=given(parameters, "clamp_target", "always") == "always",
        first_rate=rate(parameters.get("first_rate")),
        increase_timer=span(given(parameters, "increase_timer", "55 us")),
        byte_counter=size(given(parameters, "byte_counter", "10 MB")),
        stages=given(parameters, "stages", 5),
        additive=rate(given(parameters, "additive", "5 Mbit/s")),
        hyper=rate(given(parameters, "hyper", "50 Mbit/s")),
        for_rate=rate(parameters.get("for_rate")),
        min_rate=rate(given(parameters, "min_rate", "100 Mbit/s")),
        max_rate=rate(parameters.get("max_rate")),
        window=given(parameters, "window", "none"),
        round_trip=None if parameters.get("round_trip") is None else span(parameters["round_trip"]),
    )


class Dcqcn:
    """The rate of one flow."""

    def __init__(self, rule: DcqcnRule, flow):
        self.rule, self.flow = rule, flow
        self.host = flow.source.host
        self.fabric = self.host.fabric
        self.line = float(self.host.wire.own_rate)
        self.most = min(self.line, float(rule.max_rate or self.line))
        self.rate = self.target = self.most
        self.alpha = rule.initial_alpha
        self.alpha_at = None  # when a period of alpha ends
        self.heard = False  # whether there was a mark in this period
        self.cut_at = None  # when the last cut was made
        self.cut_due = None
        self.tick_at = None  # when the increase timer expires
        self.timed = self.counted = self.bytes = 0
        self.allowed = True  # whether the rate allows the next packet to start

    def window(self) -> int | None:
        """The allowed number of unacknowledged packets, if it is limited."""
        if self.rule.window == "none":
            return None
        round_trip = self.rule.round_trip or idle_round_trip(self.fabric, self.host.number, self.flow.destination)
        setup = self.host.setup
        product = round_trip / time_for(setup.mtu + setup.header, self.host.wire.own_rate)
        return max(1, math.ceil(product)) if self.rule.window == "bdp" else passed(product * (self.rate / self.line))

    # ---- what is due --------------------------------------------------------------------------------------------

    def at(self, time: int, what: int, action) -> None:
        """Something is due at this time, unless the flow has begun a new life."""
        self.fabric.at(time, EXPIRE, (self.flow.number, what), self.host, self.due, action)

    def due(self, action) -> None:
        """It is due now."""
        if self.flow.dcqcn is self:
            action()

    def alpha_period_ends(self) -> None:
        """Alpha falls; it rises instead if marks are counted by period and one has arrived in this period."""
        if self.alpha_at == self.fabric.now:
            self.alpha *= 1 - self.rule.gain
            self.alpha += self.rule.gain if self.heard else 0.0
            self.heard = False
            self.begin_alpha_period()

    def begin_alpha_period(self) -> None:
        """A period begins now."""
        self.alpha_at = self.fabric.now + self.rule.alpha_period
        self.at(self.alpha_at, ALPHA, self.alpha_period_ends)

    def cut_period_ends(self) -> None:
        """A notification came too soon after a cut: now it takes effect."""
        if self.cut_due == self.fabric.now:
            self.cut()
            self.look_again()

    def timer_expires(self) -> None:
        """No cut for this long: the rate rises."""
        if self.tick_at == self.fabric.now:
            self.timed += 1
            self.start_timer()
            self.rise()
            self.look_again()

    def start_timer(self) -> None:
        """The increase timer starts."""
        self.tick_at = self.fabric.now + self.rule.increase_timer
        self.at(self.tick_at, TICK, self.timer_expires)

    # ---- the rate -----------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """A notification takes effect."""
        rule = self.rule
        first = self.cut_at is None
        if rule.clamp_always or self.timed > 0 or first:
            self.target = self.rate
        if first and rule.first_rate is not None:
            self.rate = float(rule.first_rate)
        else:
            self.rate *= max(1 - self.alpha / 2, rule.least_share)
        self.rate = min(max(self.rate, float(rule.min_rate)), self.most)
        self.cut_at, self.cut_due = self.fabric.now, None
        self.timed = self.counted = self.bytes = 0
        self.start_timer()

    def rise(self) -> None:
        """The timer has expired, or the byte counter: fast recovery, additive or hyper increase."""
        rule = self.rule
        if rule.byte_counter == 0:
            least, most = self.timed - 1, self.timed
        else:
            least, most = min(self.timed, self.counted), max(self.timed, self.counted)
        if most > rule.stages:
            step = rule.hyper if least > rule.stages else rule.additive
            share = 1.0 if rule.for_rate is None else self.line / rule.for_rate
            self.target = min(self.target + step * share, self.most)
        self.rate = (self.rate + self.target) / 2
        if self.most - self.rate < 1:
            self.rate, self.tick_at = self.most, None

    # ---- what it hears ------------------------------------------------------------------------------------------

    def hears(self, feedback: str) -> None:
        """An ACK or a notification has arrived."""
        if feedback == "congested":
            self.notified()
        elif feedback == "undetermined" and self.tick_at is not None:
            self.bytes = 0
            self.start_timer()
        if feedback != "clear":
            self.allowed = False
            self.look_again()

    def notified(self) -> None:
        """A cut, now or as soon as one is allowed again; and alpha grows."""
        now, rule, first = self.fabric.now, self.rule, self.cut_at is None
        if first or self.cut_at + rule.cut_period <= now:
            self.cut()
        else:
            self.cut_due = self.cut_at + rule.cut_period
            self.at(self.cut_due, CUT, self.cut_period_ends)
        if rule.at_notifications:
            self.alpha = (1 - rule.gain) * self.alpha + rule.gain
            self.begin_alpha_period()
        elif first:
            self.begin_alpha_period()
        else:
            self.heard = True

    def sent(self, nbytes: int) -> None:
        """A packet has started."""
        counter = self.rule.byte_counter
        if counter > 0 and self.tick_at is not None:
            self.bytes += nbytes
            while self.bytes >= counter:
                self.bytes -= counter
                self.counted += 1
                self.rise()
        self.allowed = False
        self.look_again()

    # ---- when the next packet may start -------------------------------------------------------------------------

    def look_again(self) -> None:
        """A flow that may already send may do so; otherwise it may as soon as its present rate allows, counted from
        the start of the last packet.
        """
        if self.allowed:
            return
        line = float(self.flow.last_rate)
        wait = 0 if self.rate >= line else int(self.flow.last_time * (line / self.rate) + 0.5)
        at = self.flow.last_start + wait
        if at <= self.fabric.now:
            self.allowed = True
        else:
            self.fabric.at(at, PACE, self.flow.number, self.host, self.due, self.look_again)


class Notifier:
    """The receiving end of a flow: at most one notification of a mark in an interval, and one of a doubt."""

    def __init__(self, interval: int):
        self.interval = interval
        self.mark_from = self.doubt_from = 0

    def tells(self, now: int, marked: bool) -> bool:
        """A packet has arrived that is marked or undetermined: whether its source is notified."""
        if now < (self.mark_from if marked else max(self.mark_from, self.doubt_from)):
            return False
        if marked:
            self.mark_from = now + self.interval
        else:
            self.doubt_from = now + self.interval
        return True
