"""Links that damage frames, and links that send them again (link-level retry, UEC 1.0 section 5.1).

Where links may damage frames, the far end waits for the whole frame. Without retry a damaged packet is lost, and its
room is given back. With retry the sender numbers frames and keeps them until they are acknowledged. The receiver
accepts the number that it expects, and nothing else: it answers a damaged frame, or a number that is too high, once (a
NACK) and then is silent until the expected frame arrives; it answers a number that is too low again (an ACK). Every
answer says which number it expects. After a NACK everything that is kept is sent again, and also when a timer expires
that runs from the last progress.
"""

import math
from collections import Counter, deque
from dataclasses import dataclass

from reference.links.link import FRAME_IN, LEFT, Frame
from reference.quantities import given, size, span, time_for
from reference.rng import Rng

WORD = 8  # bytes
FRAME, WORD_DUE, REPLAY = range(3)  # the next answer of a port, in this order


@dataclass
class Checks:
    """The rules."""

    packets: float | None
    bits: float | None
    unseen: float
    words: float
    retry: bool
    frames: int
    bytes: int
    spacing: int
    timeout: int | None

    def chance(self, nbytes: int) -> float:
        """The probability that a frame is damaged."""
        if self.packets is not None:
            return self.packets
        return 0.0 if self.bits is None else -math.expm1(8.0 * nbytes * math.log1p(-self.bits))


def read_checks(links: dict) -> Checks | None:
    """The settings of link checks in a scenario."""
    errors, retry = links.get("errors"), links.get("retry")
    if errors is None and retry is None:
        return None
    errors, rule = errors or {}, retry or {}
    timeout = rule.get("timeout")
    return Checks(
        packets=errors.get("packets"),
        bits=errors.get("bits"),
        unseen=given(errors, "unseen", 0.0),
        words=given(errors, "words", 0.0),
        retry=retry is not None,
        frames=given(rule, "frames", 264),
        bytes=size(given(rule, "bytes", "135 kB")),
        spacing=size(given(rule, "spacing", "2048 B")),
        timeout=None if timeout is None else span(timeout),
    )


class Checked:
    """One direction of a link whose frames are checked; `number` is that of its sending port."""

    def __init__(self, wire, number: int):
        self.wire = wire
        self.fabric = wire.fabric
        self.rule: Checks = wire.fabric.setup.checks
        seed = self.fabric.setup.seed
        self.frame_rng = Rng(seed, "frame errors", number)
        self.word_rng = Rng(seed, "word errors", number)  # for words that arrive at the sender
        # The sender: frames kept, oldest first, the number of the oldest, and how many of them need not be sent again.
        self.kept: deque = deque()
        self.first = 0
        self.done = 0
        self.deadline = None
        self.counts: Counter = Counter()  # events, for tests and probes
        # The receiver.
        self.expected = 0
        self.flight: list[list] = []  # the states of frames on the wire
        self.refuses = False
        self.owed = None
        self.next_word = 0
        self.word_at = None

    def timeout(self) -> int:
        """How long the sender waits for an answer."""
        if self.rule.timeout is not None:
            return self.rule.timeout
        wire, largest = self.wire, self.largest()
        told = time_for(self.rule.spacing + largest + WORD, wire.back.rate)
        return 2 * (wire.delay + time_for(largest, wire.rate) + told + wire.back.delay)

    def largest(self) -> int:
        """Bytes of the largest packet."""
        setup = self.fabric.setup
        return max(setup.mtu + setup.header, setup.ack, setup.cnp.size if setup.cnp else 0)

    # ---- the sender ---------------------------------------------------------------------------------------------

    def is_full(self) -> bool:
        """Whether there is no place for a new packet among those that are kept."""
        if not self.rule.retry:
            return False
        held = sum(packet.size for packet in self.kept)
        full = len(self.kept) >= self.rule.frames or held + self.largest() > self.rule.bytes
        self.counts["held"] += full
        return full

    def has_replays(self) -> bool:
        """Whether frames must be sent again before any new packet."""
        return self.done < len(self.kept)

    def launch(self, packet, tail_leaves: int) -> None:
        """A new packet starts."""
        number = 0
        if self.rule.retry:
            if not self.kept:
                self.run_until(self.fabric.now + self.timeout())
            number = self.first + len(self.kept)
            self.kept.append(packet)
            self.done = len(self.kept)
        self.fly(packet, number, tail_leaves)

    def replay(self) -> None:
        """The next frame is sent again."""
        wire, packet = self.wire, self.kept[self.done]
        number = self.first + self.done
        self.done += 1
        self.counts["replayed"] += 1
        wire.note_blocked(False)
        wire.forget_if_idle()
        wire.sending = packet
        tail_leaves = self.fabric.now + wire.time_for(packet)
        self.fabric.at(tail_leaves, LEFT, wire.sender_port, wire.sender, wire.left, None)
        self.fly(packet, number, tail_leaves)

    def fly(self, packet, number: int, tail_leaves: int) -> None:
        """A frame is on the link: whether it is damaged is drawn now."""
        fate = "whole"
        errs = self.rule.packets is not None or self.rule.bits is not None
        if errs and self.frame_rng.unit() < self.rule.chance(packet.size):
            fate = "damaged"
            if self.rule.unseen > 0 and self.frame_rng.unit() < self.rule.unseen:
                fate = "unseen"
        wire = self.wire
        came_in = packet.lane
        due = (wire.receiver_port, FRAME)
        at, fate = tail_leaves + wire.delay, [fate]
        self.flight.append(fate)
        self.fabric.at(at, FRAME_IN, due, wire.receiver, self.is_in, packet, number, fate, came_in)

    def lose_all(self) -> int:
        """Everything on the wire is lost. Returns the number of frames."""
        for fate in self.flight:
            fate[0] = "unseen"
        return len(self.flight)

    def hear(self, kind: str, expected: int) -> None:
        """The receiver has sent the number that it expects."""
        if self.loses_word():
            return
        freed = expected - self.first
        if freed < 0:
            return
        for _ in range(freed):
            self.kept.popleft()
        self.first = expected
        self.done = max(0, self.done - freed)
        if kind == "nack":
            self.done = 0
        if not self.kept:
            self.deadline = None
        elif freed > 0:
            self.run_until(self.fabric.now + self.timeout())

    def loses_word(self) -> bool:
        """Whether the next word or message that arrives at the sender is lost."""
        lost = self.rule.words > 0 and self.word_rng.unit() < self.rule.words
        self.counts["words lost"] += lost
        return lost

    def run_until(self, deadline: int) -> None:
        """Restart the timer."""
        self.deadline = deadline
        due = (self.wire.sender_port, REPLAY)
        self.fabric.at(deadline, FRAME_IN, due, self.wire.sender, self.expires, deadline)

    def waits_longer(self, before: int) -> None:
        """A timer that runs expires later, if the timeout was this before a rate changed and is longer now."""
        longer = self.timeout() - before
        if self.rule.retry and self.deadline is not None and longer > 0:
            self.run_until(self.deadline + longer)

    def expires(self, deadline: int) -> None:
        """The timer has expired without progress: everything is sent again."""
        if self.deadline == deadline:
            self.done = 0
            self.counts["timeouts"] += 1
            self.run_until(deadline + self.timeout())

    # ---- the receiver -------------------------------------------------------------------------------------------

    def is_in(self, packet, number: int, drawn: list, came_in: int) -> None:
        """All of a frame has arrived."""
        self.flight = [other for other in self.flight if other is not drawn]
        (fate,) = drawn
        if not self.rule.retry:
            if fate == "whole":
                self.go_on(packet)
            else:
                self.wire.lose(packet, came_in)
            return
        if fate == "unseen":
            return
        if fate == "whole" and number == self.expected:
            self.expected += 1
            self.refuses, self.owed = False, "ack"
            self.go_on(packet)
        elif fate == "whole" and number < self.expected:
            self.owed = self.owed or "ack"
            self.counts["duplicates"] += 1
        elif not self.refuses:
            self.refuses, self.owed = True, "nack"
            self.counts["nacks"] += 1
        self.tell()

    def go_on(self, packet) -> None:
        """The packet has arrived undamaged."""
        now = self.fabric.now
        self.wire.receiver.expect(packet, self.wire, now, now)

    def tell(self) -> None:
        """Send the next word, now or as soon as possible."""
        now, back = self.fabric.now, self.wire.back
        if self.owed is None:
            return
        if self.next_word > now:
            if self.word_at != self.next_word:
                self.word_at = self.next_word
                due = (self.wire.receiver_port, WORD_DUE)
                self.fabric.at(self.next_word, FRAME_IN, due, self.wire.receiver, self.word_is_due)
            return
        kind, self.owed = self.owed, None
        self.next_word = now + time_for(self.rule.spacing, back.rate)
        back.line_up(Frame(WORD, 0, None, (kind, self.expected), self.hear))

    def word_is_due(self) -> None:
        """The next word may be sent."""
        self.word_at = None
        self.tell()
