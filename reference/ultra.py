"""The transport of Ultra Ethernet as far as links and switches are concerned: packets spread over paths, acknowledged
one by one, trimmed or dropped, and sent again one by one. Nobody bounds what is on its way
(`congestion_control = "none"`): so what is compared with the engine is every packet, its header, its way, and what
became of it, and no window and no credit.

A message is a connection: numbers count its packets from 0. A lost packet goes before new ones, the lowest number
first; a packet is lost if a NACK says so, or if nothing was heard of it for the timeout.
"""

from dataclasses import dataclass, field

from reference.link import TIMER, Packet
from reference.quantities import given, size, span
from reference.rng import Rng, mix
from reference.series import Work


@dataclass
class UltraRule:
    """What a scenario says of it."""

    paths: int
    ack_after: int
    timeout: int
    control_lane: int | None

    @classmethod
    def read(cls, parameters: dict):
        """What a scenario says of it; paths are always oblivious here."""
        assert parameters["congestion_control"] == "none", "windows and credit are not the twin's matter"
        return cls(
            paths=given(given(parameters, "paths", {})["oblivious"], "paths", 64),
            ack_after=size(given(parameters, "ack_after", "16384 B")),
            timeout=span(given(parameters, "timeout", "100 us")),
            control_lane=parameters.get("control_lane"),
        )

    def ends(self, flow) -> tuple:
        """Both ends of a flow."""
        return Sender(flow, self, flow.source.setup.seed), Receiver(self)


@dataclass
class Trim:
    """What happens to data that finds no room."""

    size: int
    lane: int
    queue: int
    either: bool


def read_trim(switches: dict) -> Trim | None:
    """How switches trim, if they do."""
    trim = switches.get("trim")
    if trim is None:
        return None
    return Trim(
        size=size(given(trim, "size", "64 B")),
        lane=given(trim, "lane", 1),
        queue=size(trim["queue"]) if trim.get("queue") else 2 * size(switches["output_queue"]),
        either=given(trim, "victim", "either") == "either",
    )


@dataclass
class Header:
    """What a packet carries for the transport."""

    entropy: int = 0
    asks: bool = False
    cause: int = 0  # an answer: the packet that caused it
    number: int = 0  # an answer: all below have arrived
    arrived: set[int] = field(default_factory=set)  # an answer: those that its 64 bits tell of


class Entropy:
    """All paths in turn, in an order that is drawn anew at every round."""

    def __init__(self, paths: int, salt: int):
        self.paths, self.salt = paths, salt
        self.draws = self.turn = 0
        self.order = self.draw()

    def draw(self) -> int:
        """One of the paths, each as likely."""
        self.draws += 1
        return mix(self.salt ^ mix(self.draws)) * self.paths >> 64

    def next(self) -> int:
        """That of the next packet."""
        path = (self.turn ^ self.order) % self.paths
        self.turn += 1
        if self.turn == self.paths:
            self.turn, self.order = 0, self.draw()
        return path


class Sender(Work):
    """The sending end of a flow."""

    def __init__(self, flow, rule: UltraRule, seed: int):
        super().__init__(flow)
        self.rule = rule
        self.entropy = Entropy(rule.paths, mix(mix(seed) ^ flow.number))
        self.sent_at: dict[int, int] = {}  # of those on their way
        self.lost: set[int] = set()

    def due(self) -> int | None:
        """What goes next: a lost packet, or a new one."""
        self.refill()
        return min(self.lost, default=self.top if self.top < self.end else None)

    def fills(self) -> bool:
        """Windows do not matter here."""
        return True

    def known(self) -> int:
        """Packets that are known to have arrived."""
        return self.top - len(self.sent_at) - len(self.lost)

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        again = packet.sequence in self.lost
        self.counts["resent"] += again
        self.lost.discard(packet.sequence)
        self.top = max(self.top, packet.sequence + 1)
        packet.header = Header(self.entropy.next(), again or packet.sequence + 1 == self.end)
        self.sent_at[packet.sequence] = packet.injected
        self.watch()

    def watch(self) -> None:
        """It is looked after whatever has been on its way longest."""
        host = self.flow.source.host
        due = min(self.sent_at.values(), default=None)
        if due is not None:
            host.fabric.at(due + self.rule.timeout, TIMER, self.flow.number, host, self.run_out)

    def run_out(self) -> None:
        """Nothing was heard of a packet for long: it is lost."""
        now = self.flow.source.fabric.now
        oldest = min(self.sent_at, key=self.sent_at.get, default=None)
        if oldest is not None and self.sent_at[oldest] + self.rule.timeout <= now:
            self.counts["timeouts"] += 1
            self.lose(oldest)
            self.watch()

    def lose(self, sequence: int) -> None:
        """A packet on its way is lost."""
        if self.sent_at.pop(sequence, None) is not None:
            self.lost.add(sequence)

    def hear(self, packet: Packet) -> None:
        """An ACK or a NACK has come back."""
        header = packet.header
        if packet.kind == "nack":
            self.lose(header.cause)
        else:
            for sequence in [*range(min(header.number, self.top)), *header.arrived]:
                if sequence < self.top:
                    self.sent_at.pop(sequence, None)
                    self.lost.discard(sequence)
        self.watch()


class Receiver:
    """The receiving end of a flow."""

    def __init__(self, rule: UltraRule):
        self.rule = rule
        self.expected = 0
        self.ahead: set[int] = set()
        self.unanswered = 0
        self.asked = self.begun = False

    def has(self, sequence: int) -> bool:
        """The packet has come in."""
        return sequence < self.expected or sequence in self.ahead

    def take(self, packet: Packet) -> tuple[bool, list]:
        """A packet is in: is it of use, and what is answered?"""
        self.unanswered += packet.size
        if self.has(packet.sequence):
            return False, [(packet, self.answer(packet))]
        at_once = packet.header.asks or not self.begun
        self.begun, self.asked = True, self.asked or packet.header.asks
        self.ahead.add(packet.sequence)
        while self.expected in self.ahead:
            self.ahead.remove(self.expected)
            self.expected += 1
        if not self.ahead and self.asked:
            at_once, self.asked = True, False
        due = at_once or self.unanswered >= self.rule.ack_after
        return True, [(packet, self.answer(packet))] if due else []

    def answer(self, packet: Packet) -> Header:
        """An ACK."""
        self.unanswered = 0
        return self.tell(packet)

    def tell(self, packet: Packet) -> Header:
        """What an answer says: the number, and the 64 packets around the one that caused it."""
        sequence = packet.sequence
        base = sequence if packet.header.asks else max(sequence - 63, self.expected + 1, 0)
        arrived = {number for number in self.ahead if base <= number < base + 64}
        return Header(packet.header.entropy, cause=sequence, number=self.expected, arrived=arrived)

    def trimmed(self, packet: Packet) -> tuple[str, Header]:
        """The header of a packet is in, and its payload is not."""
        if self.has(packet.sequence):
            return "ack", self.answer(packet)
        return "nack", self.tell(packet)


class OutputQueue:
    """What may wait for an output of a switch where nobody promises room: beyond it packets are dropped, or trimmed."""

    def __init__(self, switch, output):
        self.switch, self.output = switch, output
        self.counts = {"dropped": 0, "trimmed": 0, "in the place of another": 0}
        self.rng = None

    def waiting(self, stay) -> int:
        """Bytes in the lane of a packet, if it joins."""
        return self.switch.queued(self.output, stay.lane) + stay.packet.size

    def admit(self, stay) -> bool:
        """A packet comes: may it, or what is left of it or of another, join?"""
        setup = self.switch.setup
        trim = setup.trim
        if trim is not None and stay.lane != trim.lane:
            if not stay.packet.is_data or self.waiting(stay) <= setup.output_queue:
                return True
            self.cut(stay, trim)
        limit = setup.output_queue if trim is None else trim.queue
        fits = self.waiting(stay) <= limit
        self.counts["dropped"] += not fits
        return fits

    def cut(self, stay, trim: Trim) -> None:
        """It loses its payload, or changes places with the newest that waits, which does."""
        line = self.switch.in_order(self.output, stay.lane) if trim.either else []
        newest = line[-1] if line else None
        if newest is not None and newest.packet.is_data and newest.packet.size == stay.packet.size:
            number = self.switch.port_number(self.output)
            self.rng = self.rng or Rng(self.switch.setup.seed, "loss", number)
            if self.rng.unit() < 0.5:
                newest.packet, stay.packet = stay.packet, newest.packet
                self.counts["in the place of another"] += 1
        self.counts["trimmed"] += 1
        stay.packet.kind, stay.packet.size = "trimmed", trim.size
        stay.packet.lane = stay.lane = trim.lane
