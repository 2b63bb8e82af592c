"""RCCC, receiver credit congestion control (Ultra Ethernet 1.0, section 3.6): a host grants its senders bytes, in turn.

Credit is counted in quanta of 256 bytes and sent as a number that never decreases, so that a lost grant does no harm.
Senders say in every packet up to which number they could use credit. At each turn the flow that has waited longest
gets what it requests, or as much as a turn grants; if it wants more it goes to the end of the line. If no flow waits,
flows that request nothing get a turn each, up to the largest window, so that new data need not wait for a grant. The
next turn comes after the time that the granted bytes take at a little less than the rate of the link. While packets
arrive marked, or were trimmed before the last hop, a receiver in an oversubscribed fabric grants less.
"""

import math
from collections import deque
from dataclasses import dataclass

from reference.links.link import TIMER, Packet
from reference.quantities import given, size, time_for

QUANTUM = 256  # bytes


@dataclass
class RcccRule:
    """The settings of RCCC in a scenario."""

    grant: int  # bytes of a turn
    share: float
    empty_turn: int  # quanta
    oversubscribed: dict | None


def read_rccc(table: dict) -> RcccRule:
    """The parameters of credit."""
    return RcccRule(
        grant=size(given(table, "grant", "16384 B")),
        share=given(table, "share", 0.99),
        empty_turn=given(table, "empty_turn", 4),
        oversubscribed=table.get("oversubscribed"),
    )


class Oversubscribed:
    """What the packets of a period show about the fabric."""

    def __init__(self, table: dict, round_trip: int):
        self.ratio, self.gain = given(table, "ratio", 4.0), given(table, "gain", 0.5)
        self.calm, self.step = given(table, "calm", 0.3), given(table, "step", 0.01)
        self.period = math.floor(round_trip * given(table, "period", 1.5) + 0.5)
        self.rate, self.marks, self.rising = 1.0, 0.0, 0
        self.ends: int | None = None  # the first period begins with the first packet
        self.all = self.whole = self.marked = self.trimmed = 0

    def sees(self, now: int, packet: Packet) -> None:
        """A packet has arrived: complete, or trimmed, before the last hop or there."""
        self.go_on(now)
        if self.ends is None:
            self.ends = now + self.period
        trimmed = packet.kind == "trimmed"
        self.all += 1
        self.whole += not trimmed
        self.marked += packet.marked and not trimmed
        self.trimmed += trimmed and not packet.header.last_hop

    def go_on(self, now: int) -> None:
        """One period follows the other, whether packets arrive or not."""
        while self.ends is not None and self.ends <= now:
            self.period_is_over()
            self.ends += self.period

    def share(self, now: int) -> float:
        """The share of the link that may be granted."""
        self.go_on(now)
        return self.rate

    def period_is_over(self) -> None:
        """Trims and many marks lower the rate; without any it rises, faster and faster."""
        before = self.rate
        self.rate -= self.trimmed / max(self.all, 1)
        self.marks = self.gain * (self.marked / max(self.whole, 1)) + (1.0 - self.gain) * self.marks
        if self.marks > self.calm:
            self.rate *= 1.0 - 0.5 * (self.marks - self.calm)
        if self.rate < before:
            self.rising = 0
        else:
            self.rate += self.step * (1.0 if self.marked else float(2 ** min(self.rising, 20)))
            self.rising += 1
        self.rate = min(max(self.rate, 0.9 / self.ratio, 0.01), 1.0)
        self.all = self.whole = self.marked = self.trimmed = 0


@dataclass(eq=False)
class Asker:
    """A flow that has requested credit: up to which number, and how much it was granted, in quanta."""

    flow: object
    wants: int = 0
    granted: int = 0


class Granter:
    """How a host grants credit to flows."""

    def __init__(self, rule: RcccRule, host, round_trip: int, window: int):
        self.rule, self.host = rule, host
        self.turn_quanta = max(rule.grant // QUANTUM, 1)
        self.spare = -(-window // QUANTUM)
        self.askers: dict = {}
        self.waiting: deque[Asker] = deque()
        self.idle: deque[Asker] = deque()
        self.next_at = 0
        self.turn_at: int | None = None  # the turn that is planned
        table = rule.oversubscribed
        self.fabric = None if table is None else Oversubscribed(table, round_trip)
        self.counts = dict.fromkeys(("granted", "spared", "empty", "less"), 0)

    def hear(self, packet: Packet) -> None:
        """A packet says up to where its flow could use credit; a trimmed packet, and a request, get a turn anyway."""
        if self.fabric is not None and packet.kind != "request":
            self.fabric.sees(self.host.fabric.now, packet)
        asker = self.askers.setdefault(packet.flow, Asker(packet.flow))
        more = packet.header.quanta > asker.wants
        asker.wants = max(asker.wants, packet.header.quanta)
        if (more or packet.kind != "data") and asker not in self.waiting:
            self.waiting.append(asker)
        self.plan()

    def plan(self) -> None:
        """Plan the next turn, if any flow is to get credit."""
        if (self.waiting or self.idle) and self.turn_at is None:
            fabric = self.host.fabric
            self.turn_at = max(self.next_at, fabric.now)
            fabric.at(self.turn_at, TIMER, self.host.number + 0.5, self.host, self.turn)

    def turn(self) -> None:
        """One flow gets credit."""
        self.turn_at = None
        asker = self.waiting.popleft() if self.waiting else None
        quanta = self.serve(asker) if asker is not None else self.turn_quanta
        if asker is None:
            asker = self.idle.popleft()
            asker.granted += quanta
            self.counts["spared"] += 1
            if asker.granted - asker.wants < self.spare:
                self.idle.append(asker)
        allowed = 1.0 if self.fabric is None else self.fabric.share(self.host.fabric.now)
        rate = self.rule.share * allowed
        self.counts["less"] += allowed < 1.0
        cost = time_for((quanta or self.rule.empty_turn) * QUANTUM, self.host.upstream.rate)
        self.next_at = self.host.fabric.now + math.floor(cost * (1.0 / rate) + 0.5)
        self.host.send_grant(asker.flow, asker.granted)
        self.plan()

    def serve(self, asker: Asker) -> int:
        """The credit that it requests, or that of a turn."""
        quanta = min(max(asker.wants - asker.granted, 0), self.turn_quanta)
        asker.granted += quanta
        self.counts["granted" if quanta else "empty"] += 1
        if asker.wants > asker.granted:
            self.waiting.append(asker)
        elif asker not in self.idle and asker.granted - asker.wants < self.spare:
            self.idle.append(asker)
        return quanta


class Credit:
    """The sending end: what the receiver lets it send, in bytes."""

    def __init__(self, most: float):
        self.most = int(most)  # the largest window
        self.bytes = self.most
        self.granted = 0  # quanta
        self.speculating = True  # nothing has come back yet
        self.requested_at: int | None = None

    def answered(self) -> None:
        """The first answer ends the bytes that may be sent without credit."""
        if self.speculating:
            self.speculating = False
            self.bytes = min(self.bytes, 0)

    def hears(self, quanta: int) -> None:
        """A grant, up to this number."""
        more = max(quanta - self.granted, 0)
        self.granted += more
        self.bytes = min(self.bytes + more * QUANTUM, max(self.most, self.bytes))

    def wish(self, backlog: int, lost: int, window: float, full: int, sharers: int) -> int:
        """Up to which number it could use credit, if this many flows of its host have data to send."""
        wants = int(min(backlog + lost, self.most, window)) - self.bytes
        if self.speculating and backlog > 0:
            wants = max(wants, full)
        return self.granted + -(-(max(wants, 0) // max(sharers, 1)) // QUANTUM)
