"""In-band telemetry, which switches write into data packets, and HPCC, which uses it (as PowerTCP does: `power_tcp`).

A record is (time ps, bytes sent before, bytes that still wait, link rate bit/s, the link). With a digest (PINT) every
output keeps its own utilisation, and a packet carries a code of the largest. Floats are added in the order of the
engine.
"""

import math
from dataclasses import dataclass

from reference.quantities import given, rate, span
from reference.reactions.shared import Reaction, paced, passed
from reference.rng import Rng

SCALE = 512.0  # the number of codes for a utilisation of one


@dataclass
class HpccRule:
    """How sources react to records or digests; rates in bit/s, T in ps."""

    u_target: float
    mi_thresh: int
    rate_ai: int
    min_rate: int
    round_trip: int | None  # none: that of the path
    fast_react: bool
    var_win: bool
    rate_bound: bool
    multi_rate: bool
    sample_feedback: bool
    log_base: float | None  # of digests; none: records
    pint_prob: float


def read_hpcc(parameters: dict) -> HpccRule:
    """The parameters, in the units of the twin; with digests T is given."""
    pint = parameters.get("pint")
    return HpccRule(
        u_target=given(parameters, "u_target", 0.95),
        mi_thresh=given(parameters, "mi_thresh", 5),
        rate_ai=rate(given(parameters, "rate_ai", "50 Mbit/s")),
        min_rate=rate(given(parameters, "min_rate", "100 Mbit/s")),
        round_trip=None if parameters.get("round_trip") is None else span(parameters["round_trip"]),
        fast_react=given(parameters, "fast_react", True),
        var_win=given(parameters, "var_win", True),
        rate_bound=given(parameters, "rate_bound", True),
        multi_rate=given(parameters, "multi_rate", False),
        sample_feedback=given(parameters, "sample_feedback", False),
        log_base=None if pint is None else given(pint, "log_base", 1.05),
        pint_prob=1.0 if pint is None else given(pint, "pint_prob", 1.0),
    )


class Port:
    """What one output of a switch writes."""

    def __init__(self, rule: HpccRule, switch):
        self.rule = rule
        self.switch = switch
        self.rng = None  # random stream, for codes between two
        self.utilisation = 0.0
        self.last: tuple[int, int] | None = None  # when the last packet left, and its bytes

    def leaves(self, packet, output, queue: int) -> None:
        """A packet is about to leave, and this much waits behind it. Data takes telemetry along; for the utilisation
        all packets count.
        """
        wire = output.wire
        if self.rule.log_base is None:
            if packet.is_data:
                packet.records = [*packet.records, (wire.fabric.now, wire.bytes, queue, wire.rate, wire)]
            return
        utilisation = self.measure(packet.size, wire, queue)
        if packet.is_data:
            if self.rng is None:
                self.rng = Rng(self.switch.setup.seed, "telemetry", self.switch.port_number(output))
            packet.digest = max(packet.digest, self.code(utilisation))

    def measure(self, size: int, wire, queue: int) -> float:
        """The utilisation of the output now."""
        now, trip = wire.fabric.now, self.rule.round_trip / 1e12
        product = wire.rate / 8.0 * trip
        elapsed, before = trip, 0
        if self.last is not None:
            elapsed, before = min((now - self.last[0]) / 1e12, trip), self.last[1]
        share = elapsed / trip
        self.utilisation = self.utilisation * (1.0 - share) + share * queue / product + before / product
        self.last = (now, size)
        return self.utilisation

    def code(self, utilisation: float) -> int:
        """One of the two nearest powers of the base, right on average."""
        value = max(float(math.ceil(utilisation * SCALE)), 1.0)
        below = math.floor(math.log(value) / math.log(self.rule.log_base) + 1e-9)
        low, high = self.rule.log_base**below, self.rule.log_base ** (below + 1)
        up = value > low and self.rng.unit() < (value - low) / (high - low)
        return min(below + up, 255)


class Reference:
    """The base of the rates of a round trip."""

    def __init__(self, rate: float):
        self.utilisation, self.rate, self.stage = 1.0, rate, 0
        self.next = (rate, 0)

    def measure(self, busy: float, time: float, trip: float) -> None:
        """A hop had this utilisation for this time."""
        share = min(time / trip, 1.0)
        self.utilisation = self.utilisation * (1.0 - share) + busy * share

    def judge(self, source) -> None:
        """The resulting rate."""
        excess = self.utilisation / source.rule.u_target
        if excess >= 1.0 or self.stage >= source.rule.mi_thresh:
            rate, stage = self.rate / max(excess, 1e-9) + source.rule.rate_ai, 0
        else:
            rate, stage = self.rate + source.rule.rate_ai, self.stage + 1
        self.next = (source.bounded(rate), stage)


class Hpcc(Reaction):
    """The window and rate of one flow."""

    def __init__(self, rule: HpccRule, flow):
        super().__init__(rule, flow)
        self.trip = self.base_round_trip() / 1e12
        self.rate = self.line
        self.heard = 0
        self.last: list = []
        self.references = [Reference(self.line)]

    def bounded(self, rate: float) -> float:
        """Between the least rate and that of the link."""
        return min(max(rate, float(self.rule.min_rate)), self.line)

    def window(self) -> int:
        """The packets that the rate carries in T."""
        rate = self.rate if self.rule.var_win else self.line
        return passed(rate * self.trip / (self.packet * 8.0))

    def interval(self, time: int, line: int) -> int:
        """Packets are paced at the rate, if the parameter says so."""
        return paced(time, line, self.rate) if self.rule.rate_bound else 0

    def hears(self, ack, now: int) -> None:
        """An ACK returns the telemetry of the switches."""
        turn = self.turn(ack.answers)
        counts = turn == "over" or (turn == "within" and self.rule.fast_react)
        if self.rule.log_base is not None:
            self.heard += 1
            used = math.floor(self.heard * self.rule.pint_prob) != math.floor((self.heard - 1) * self.rule.pint_prob)
            if counts and used:
                self.references[0].utilisation = self.rule.log_base**ack.digest / SCALE
                self.references[0].judge(self)
                self.set_rate(turn)
        elif turn == "first" or [hop[4] for hop in ack.records] != [hop[4] for hop in self.last]:
            # Only records of the same output can be compared.
            self.last = list(ack.records)
            wanted = max(1, len(self.last)) if self.rule.multi_rate else 1
            del self.references[wanted:]
            self.references += [Reference(self.rate) for _ in range(wanted - len(self.references))]
        elif counts:
            self.measure(ack.records, turn)

    def measure(self, records: list, turn: str) -> None:
        """Every hop since the ACK before; the busiest decides, or each for its own reference."""
        busiest, heard = None, False
        for reference in self.references:
            reference.next = (reference.rate, reference.stage)
        for place, (at, sent, queue, bits, _) in enumerate(records):
            last_at, last_sent, last_queue, _, _ = self.last[place]
            skipped = self.rule.sample_feedback and turn == "within" and queue == 0
            if skipped or at <= last_at:
                continue
            time, capacity = (at - last_at) / 1e12, bits / 8.0
            busy = (sent - last_sent) / (capacity * time) + min(queue, last_queue) / (capacity * self.trip)
            self.last[place] = records[place]
            heard = True
            if self.rule.multi_rate:
                self.references[place].measure(busy, time, self.trip)
                self.references[place].judge(self)
            elif busiest is None or busy > busiest[0]:
                busiest = (busy, time)
        if busiest is not None:
            self.references[0].measure(*busiest, self.trip)
            self.references[0].judge(self)
        if heard:
            self.set_rate(turn)

    def set_rate(self, turn: str) -> None:
        """The lowest rate that any reference allows; references are updated at the end of a round trip."""
        self.rate = self.bounded(min([self.line, *(reference.next[0] for reference in self.references)]))
        if turn == "over":
            for reference in self.references:
                reference.rate, reference.stage = reference.next
