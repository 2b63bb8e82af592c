"""The sending end of Ultra Ethernet: packets are answered one by one, trimmed or dropped, and sent again one by one.

The bytes on their way are unbounded, or bounded by the window of `nscc`, which follows the bytes that the receiver
reports, so that lost ACKs do no harm; or by the credit of `rccc`, which a sender requests in every packet, and in a
request when it can send no packet.

A message is a connection: its packets are numbered from 0. Lost packets go before new ones, the lowest number first; a
packet is lost if a NACK says so, or if there was no answer to it for the timeout.
"""

import math

from reference.links.link import TIMER, Packet
from reference.network.idle import idle_round_trip
from reference.rng import mix
from reference.transports.header import Header
from reference.transports.series import Work
from reference.transports.ultra.nscc import Nscc
from reference.transports.ultra.rccc import Credit


class Sender(Work):
    """The sending end of a flow."""

    def __init__(self, flow, rule, seed: int):
        super().__init__(flow)
        self.rule = rule
        self.paths = rule.paths(mix(mix(seed) ^ flow.number))
        self.sent_at: dict[int, int] = {}  # of those in flight
        self.lost: set[int] = set()
        self.tries: dict[int, int] = {}
        self.first = 0  # the first that is not acknowledged
        self.flight_bytes = self.received = 0
        self.window = self.new_window() if rule.nscc else None
        if self.window is not None:
            self.counts["kept back"] = 0
        self.stopped = False  # its source is without end, and has
        self.ask_at: int | None = None  # when it asks the receiver, see `watch`
        self.counts |= {"requests": 0, "asked": 0, "asked at the end": 0}
        self.credit = self.new_credit() if rule.rccc else None
        if self.credit is not None:
            self.counts["kept back"] = 0

    def round_trip(self) -> int:
        """That of the idle network."""
        host = self.flow.source.host
        return self.rule.round_trip or idle_round_trip(host.fabric, host.number, self.flow.destination)

    def new_credit(self) -> Credit:
        """The largest window of it, before anything has come back."""
        line = self.flow.source.host.wire.own_rate
        return Credit(self.rule.most_window * (line / 8.0 * (self.round_trip() / 1e12)))

    def new_window(self) -> Nscc:
        """The window of the flow, scaled to its path."""
        host, setup = self.flow.source.host, self.flow.source.setup
        full = setup.mtu + setup.header
        return Nscc(self.rule.nscc, host.wire.own_rate, full, setup.mtu, self.round_trip(), self.rule.most_window)

    def refill(self) -> None:
        """There may be more; or no more, if a source without end has stopped."""
        super().refill()
        if self.window is not None and self.end > 0:
            self.window.begins(self.flow.source.host.fabric.now)
        if self.flow.source.endless and not self.flow.source.on and self.top > 0 and not self.stopped:
            self.stopped = True
            self.watch()

    def what_next(self) -> int | None:
        """A lost packet, the lowest first, or a new one."""
        return min(self.lost, default=self.top if self.top < self.end else None)

    def lets_go(self, sequence: int) -> bool:
        """The window has room for it, and there is credit."""
        if self.credit is not None and self.credit.bytes <= 0:
            return False
        return self.window is None or self.window.lets_go(self.flight_bytes, self.sizes[sequence])

    def due(self) -> int | None:
        """The packet to send next, if the window allows it."""
        self.refill()
        sequence = self.what_next()
        if sequence is None or self.lets_go(sequence):
            return sequence
        self.counts["kept back"] += 1
        return None

    def fills(self) -> bool:
        """Windows do not matter here."""
        return True

    def known(self) -> int:
        """Packets that are known to have arrived."""
        return self.top - len(self.sent_at) - len(self.lost)

    def start(self, packet: Packet) -> None:
        """The packet that was due starts."""
        again, sharers = packet.sequence in self.lost, self.flow.source.host.sharers()
        self.counts["resent"] += again
        self.lost.discard(packet.sequence)
        self.top = max(self.top, packet.sequence + 1)
        full = self.flow.source.setup.mtu + self.flow.source.setup.header
        closes = self.window is not None and not self.window.lets_go(self.flight_bytes, packet.size + full)
        spent = self.credit is not None and self.credit.bytes <= packet.size
        asks = again or self.is_last(packet.sequence) or closes or spent
        if self.credit is not None:
            self.credit.bytes -= packet.size
        packet.header = Header(self.paths.next(packet.injected), asks, again=again, quanta=self.wish(sharers))
        self.sent_at[packet.sequence] = packet.injected
        self.tries[packet.sequence] = self.tries.get(packet.sequence, 0) + 1
        self.flight_bytes += packet.size
        self.watch()

    def wish(self, sharers: int) -> int:
        """Up to where it could use credit."""
        if self.credit is None:
            return 0
        backlog, lost = (sum(self.sizes[n] for n in those) for those in (range(self.top, self.end), self.lost))
        if self.open:
            backlog = math.inf
        full = self.flow.source.setup.mtu + self.flow.source.setup.header
        window = math.inf if self.window is None else int(self.window.cwnd) + full
        return self.credit.wish(backlog, lost, window, full, sharers)

    def watch(self) -> None:
        """The packet that has been in flight longest has a timeout. After a round trip the receiver is asked: for
        credit, if there is none and nothing is in flight; and for what has arrived, if the source has stopped and its
        last packet did not request an answer, and then once a round trip until everything has arrived."""
        host = self.flow.source.host
        due = min(self.sent_at.values(), default=None)
        if due is not None:
            host.fabric.at(due + self.rule.timeout, TIMER, self.flow.number, host, self.run_out)
        stuck = self.credit is not None and self.credit.bytes <= 0 and due is None and self.what_next() is not None
        if not stuck and (due is None or not self.asks_at_the_end()):
            self.ask_at = None
        elif self.ask_at is None:
            self.ask_again(self.round_trip())

    def asks_at_the_end(self) -> bool:
        """Whether its source has stopped, and it is not known that everything has arrived."""
        return self.stopped and self.first < self.end

    def ask_again(self, after: int) -> None:
        """The receiver is asked then, unless that has become needless."""
        host = self.flow.source.host
        self.ask_at = host.fabric.now + after
        host.fabric.at(self.ask_at, TIMER, self.flow.number, host, self.run_out)

    def begins(self) -> None:
        """A group begins."""
        self.stopped = False
        self.watch()

    def request(self, now: int) -> None:
        """The receiver is asked for credit, and for what has arrived."""
        self.refill()
        if self.credit is not None:
            self.credit.requested_at = now
        header = Header(self.paths.next(now), cause=self.first, quanta=self.wish(1))
        self.counts["requests"] += 1
        self.flow.source.host.send_request(self.flow, header)

    def run_out(self) -> None:
        """There was no answer to a packet, or no credit, for too long."""
        now, credit, asks = self.flow.source.fabric.now, self.credit, False
        if self.ask_at is not None and self.ask_at <= now:
            at_the_end = self.asks_at_the_end()
            self.ask_again(self.round_trip() if at_the_end else self.rule.timeout)
            asks = True
            if credit is not None:
                credit.requested_at = now
            self.counts["asked at the end" if at_the_end else "asked"] += 1
        oldest = min(self.sent_at, key=self.sent_at.get, default=None)
        if oldest is not None and self.sent_at[oldest] + self.rule.timeout <= now:
            self.counts["timeouts"] += 1
            self.lose(oldest)
            if self.window is not None:
                self.window.timed_out(self.sizes[oldest])
            self.paths.times_out(now)
            self.watch()
            rested = credit is not None and (
                credit.requested_at is None or now - credit.requested_at >= self.round_trip()
            )
            asks = asks or (rested and not self.lets_go(oldest))
        if asks:
            self.request(now)

    def lose(self, sequence: int) -> None:
        """A packet in flight is lost."""
        del self.sent_at[sequence]
        self.lost.add(sequence)
        self.flight_bytes -= self.sizes[sequence]

    def measured(self, header: Header, now: int) -> int | None:
        """The round trip that an answer measures, if it is certain which transmission it answers."""
        sent, tries = self.sent_at.get(header.cause), self.tries.get(header.cause, 0)
        certain = sent is not None and tries <= 2 and header.again == (tries == 2)
        return now - sent if certain else None

    def hear(self, packet: Packet) -> None:
        """An ACK or a NACK has come back."""
        header, now = packet.header, self.flow.source.fabric.now
        if self.credit is not None:
            self.credit.answered()
        if packet.kind == "nack":
            self.hear_of_trim(packet, now)
        elif packet.kind == "grant":
            self.credit.hears(header.quanta)
        else:
            self.first = max(self.first, min(header.number, self.top))
            news = max(0, header.received - self.received)
            self.received += news
            self.flight_bytes -= news
            round_trip = None if header.to_request else self.measured(header, now)
            for sequence in [*range(min(header.number, self.top)), *header.arrived]:
                if sequence < self.top:
                    self.has_arrived(sequence)
            if not header.to_request:
                self.paths.hears(header.entropy, "marked" if packet.marked else "good")
            if self.window is not None:
                delay = None if round_trip is None else self.window.timed(round_trip)
                self.window.hears(now, news, packet.marked, delay, max(self.flight_bytes, 0))
        self.watch()

    def has_arrived(self, sequence: int) -> None:
        """A packet has arrived, whether it was believed lost or not."""
        self.sent_at.pop(sequence, None)
        if sequence in self.lost:
            self.lost.discard(sequence)
            self.flight_bytes += self.sizes[sequence]

    def hear_of_trim(self, packet: Packet, now: int) -> None:
        """A NACK has come back; a trim in front of the receiver says nothing against the path."""
        header = packet.header
        if header.cause not in self.sent_at:
            return
        if self.window is not None and (round_trip := self.measured(header, now)) is not None:
            self.window.timed(round_trip)
        flight = max(self.flight_bytes, 0)  # the window hears of the trim while its packet still counts
        self.lose(header.cause)
        if self.window is not None:
            forgiven = self.credit is not None and header.last_hop
            self.window.trimmed(now, self.sizes[header.cause], forgiven, flight)
        fared = "marked" if packet.marked else "good"
        self.paths.hears(header.entropy, fared if header.last_hop else "trimmed")
