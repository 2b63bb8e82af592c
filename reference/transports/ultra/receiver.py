"""The receiving end of Ultra Ethernet: which packets have arrived, and when that is told.

Packets out of order are kept. A packet is answered at once if its sender asks, if it is marked, or if it came before;
otherwise one answer is for some bytes. An answer says that all packets below a number have arrived, which of 64 others
have, and how many bytes. A trimmed packet is answered by a NACK.
"""

from reference.links.link import Packet
from reference.transports.header import Header


class Receiver:
    """The receiving end of a flow."""

    def __init__(self, rule):
        self.rule, self.ordered = rule, rule.ordered
        self.expected = 0
        self.ahead: set[int] = set()
        self.unanswered = 0
        self.received = 0  # bytes, for the first time
        self.asked = self.begun = False

    def has(self, sequence: int) -> bool:
        """Whether the packet has arrived."""
        return sequence < self.expected or sequence in self.ahead

    def take(self, packet: Packet) -> tuple[bool, list]:
        """A packet has arrived: whether it is useful, and what to answer."""
        self.unanswered += packet.size
        if self.has(packet.sequence):
            return False, [(packet, self.answer(packet))]
        at_once = packet.header.asks or not self.begun
        self.begun, self.asked = True, self.asked or packet.header.asks
        self.received += packet.size
        self.ahead.add(packet.sequence)
        while self.expected in self.ahead:
            self.ahead.remove(self.expected)
            self.expected += 1
        if not self.ahead and self.asked:
            at_once, self.asked = True, False
        due = at_once or packet.marked or self.unanswered >= self.rule.ack_after
        return True, [(packet, self.answer(packet))] if due else []

    def answer(self, packet: Packet) -> Header:
        """An ACK."""
        self.unanswered = 0
        return self.tell(packet)

    def tell(self, packet: Packet) -> Header:
        """The content of an answer: the number, and the 64 packets around the one that caused it."""
        sequence = packet.sequence
        base = sequence if packet.header.asks or packet.marked else max(sequence - 63, self.expected + 1, 0)
        arrived = {number for number in self.ahead if base <= number < base + 64}
        told = {"again": packet.header.again, "last_hop": packet.header.last_hop, "received": self.received}
        return Header(packet.header.entropy, cause=sequence, number=self.expected, arrived=arrived, **told)

    def trimmed(self, packet: Packet) -> tuple[str, Header]:
        """The header of a packet has arrived without its payload."""
        if self.has(packet.sequence):
            return "ack", self.answer(packet)
        return "nack", self.tell(packet)
