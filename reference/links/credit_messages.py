"""Credits that come back in messages (credit-based flow control of Ultra Ethernet, UEC 1.0 section 5.2).

A receiver counts, lane by lane, the cells that have left its buffer, and reports the count: one lane per message, the
lanes with a new count in turn, with at least a spacing between two messages. Counts are absolute, so that the next
message makes up for a lost one; where messages can be lost, a count that may not have been received is repeated, unless
it still waits for the link. The receiver does not know of a packet that was lost on the link until the sender reports
what it has consumed, which it does from time to time, and when a link that was down is up again.
"""

from collections import Counter, deque
from dataclasses import dataclass

from reference.links.link import FRAME_IN, Frame
from reference.quantities import given, size, span, time_for

FREED, CONSUMED = 8, 64  # bytes of the two messages
CREDIT_DUE, HEAL_DUE = 3, 4  # the next message of a port, after those of `reference.links.checked`


@dataclass
class Messages:
    """The rule."""

    spacing: int
    repeat: int
    heal: int


def read_messages(rule: dict | None) -> Messages | None:
    """The settings of credit messages in a scenario."""
    if rule is None:
        return None
    return Messages(
        spacing=size(given(rule, "spacing", "6400 B")),
        repeat=size(given(rule, "repeat", "262144 B")),
        heal=span(given(rule, "heal", "256 us")),
    )


class CreditTeller:
    """The receiving end of a wire."""

    def __init__(self, wire):
        self.wire = wire
        self.repeat_at = None
        self.counts: Counter = Counter()  # events, for tests and probes
        self.fabric = wire.fabric
        self.rule: Messages = wire.fabric.setup.messages
        lanes = wire.fabric.setup.lanes
        self.freed, self.told, self.heard = [0] * lanes, [0] * lanes, [0] * lanes
        self.owners = [deque() for _ in range(lanes)]
        self.lost: list[list] = [[] for _ in range(lanes)]
        self.turn = 0
        self.next_at = 0
        self.due_at = set()
        self.tells_consumed()

    def leaves(self, lane: int, account, cells: int) -> None:
        """Cells of some queue have left the buffer."""
        self.freed[lane] += cells
        self.owners[lane].append((account, cells))
        self.expect(self.fabric.now)

    def expect(self, at: int) -> None:
        """A message may be due then, or when the spacing allows it."""
        self.counts["spaced"] += at < self.next_at
        at = max(at, self.next_at)
        if at not in self.due_at:
            self.due_at.add(at)
            due = (self.wire.receiver_port, CREDIT_DUE)
            self.fabric.at(at, FRAME_IN, due, self.wire.receiver, self.due)

    def may_lose(self) -> bool:
        """Whether messages can be lost."""
        checks = self.fabric.setup.checks
        return checks is not None and checks.words > 0

    def due(self) -> None:
        """Report the count of the next lane with a new one."""
        now = self.fabric.now
        self.due_at.discard(now)
        if now < self.next_at:
            return
        again = self.repeat_at == now
        count = len(self.freed)
        turns = [(self.turn + k) % count for k in range(1, count + 1)]
        news = [k for k in turns if self.freed[k] != self.told[k]]
        if not news and again:
            unheard = [k for k in turns if self.told[k] != self.heard[k]]
            news = [k for k in unheard if not self.waits(k)]
            if unheard and not news:
                self.expect_again()
        if not news:
            return
        lane = news[0]
        self.counts["told"] += 1
        self.counts["told again"] += self.told[lane] == self.freed[lane]
        self.told[lane] = self.freed[lane]
        back = self.wire.back
        self.turn, self.next_at = lane, now + time_for(self.rule.spacing, back.rate)
        back.line_up(Frame(FREED, 0, None, (lane, self.freed[lane]), self.hear))
        if self.freed != self.told:
            self.expect(now)
        elif self.may_lose():
            self.expect_again()

    def waits(self, lane: int) -> bool:
        """Whether a count of this lane waits for the link."""
        waits = any(frame.hear == self.hear and frame.says[0] == lane for frame in self.wire.back.frames)
        self.counts["not yet left"] += waits
        return waits

    def expect_again(self) -> None:
        """The last count may have been lost, and is repeated if none follows."""
        self.repeat_at = self.fabric.now + time_for(self.rule.repeat, self.wire.back.rate)
        self.expect(self.repeat_at)

    def hear(self, lane: int, count: int) -> None:
        """The sender hears it."""
        if self.wire.checked is not None and self.wire.checked.loses_word():
            return
        cells, self.heard[lane] = count - self.heard[lane], count
        while cells > 0:
            account, freed = self.owners[lane].popleft()
            self.wire.room[lane].change(account, -freed)
            cells -= freed

    def tells_consumed(self) -> None:
        """The sender reports what it has consumed, from time to time."""
        due = (self.wire.sender_port, HEAL_DUE)
        at = self.fabric.now + self.rule.heal
        self.fabric.at(at, FRAME_IN, due, self.wire.sender, self.consumed_is_due)

    def consumed_is_due(self) -> None:
        """It does so, unless the wire is down or has such a message already."""
        waits = any(frame.hear == self.hear_consumed for frame in self.wire.frames)
        if not self.wire.down and not waits:
            self.report_consumed(0)
        self.tells_consumed()

    def report_consumed(self, after: int) -> None:
        """When this has arrived, everything sent before has arrived or is lost. After a failure the receiver waits for
        the forwarding delay before it acts on it, because what was on the wire counts as lost when it would have been
        forwarded.
        """
        self.wire.line_up(Frame(CONSUMED, after, None, (), self.hear_consumed))

    def hear_consumed(self) -> None:
        """Packets that have not arrived were lost."""
        for lane, lost in enumerate(self.lost):
            for account, cells in lost:
                self.counts["healed"] += 1
                self.leaves(lane, account, cells)
            lost.clear()
