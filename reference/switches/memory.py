"""Shared memory: one for all ports of a switch, where senders are paused.

Every input port and lane has some bytes for itself. Beyond those it takes shared memory, up to a threshold that is
fixed, or a multiple (alpha) of the free shared memory. A packet that would exceed the threshold goes into the headroom
of the port and lane, and pauses the sender; a packet for which there is no room there either is lost. The pause ends
when the headroom is empty and the shared memory used is some bytes below the threshold. Ports may share the headroom:
then the headroom of a port is only the most that it may use. A lane that never pauses loses packets that would bring
the queue of their output above a share of the free memory.
"""

from dataclasses import dataclass

from reference.links.pauses import Memory
from reference.quantities import given, size


@dataclass
class Shared:
    """The rule."""

    size: int
    reserved: int
    headroom: int | None  # none: what every link needs
    headroom_delays: float | None  # instead: this many times what the link carries in its delay
    headroom_pool: int | None  # of all ports together; none: each has its own
    lossy_alpha: float


def read_shared(parameters: dict | None) -> Shared | None:
    """The settings of shared memory in a scenario."""
    if parameters is None:
        return None
    headroom, pool = parameters.get("headroom"), parameters.get("headroom_pool")
    return Shared(
        size=size(given(parameters, "size", "32 MB")),
        reserved=size(given(parameters, "reserved", "4 kB")),
        headroom=None if headroom is None else size(headroom),
        headroom_delays=parameters.get("headroom_delays"),
        headroom_pool=None if pool is None else size(pool),
        lossy_alpha=given(parameters, "lossy_alpha", 1.0),
    )


class Pool:
    """The memory of one switch: what its ports share after all reserves and headrooms."""

    def __init__(self, switch, rule: Shared):
        self.rule = rule
        self.used = 0
        self.size = rule.size - (rule.headroom_pool or 0)
        self.members: list[SharedMemory] = []
        self.switch = switch

    def admit(self, member) -> None:
        """One more port: it has its own bytes in every lane, and headroom in those that pause."""
        setup = self.switch.setup
        self.members.append(member)
        own = 0 if self.rule.headroom_pool is not None else member.spare
        self.size -= setup.lanes * self.rule.reserved + len(setup.pfc.lossless) * own

    @property
    def free(self) -> int:
        """Free bytes of the shared memory."""
        return self.size - self.used

    def has_headroom(self, nbytes: int) -> bool:
        """Free bytes of a headroom that all ports share."""
        limit = self.rule.headroom_pool
        return limit is None or nbytes + sum(sum(member.above) for member in self.members) <= limit


class SharedMemory(Memory):
    """What one input port holds of the memory of its switch."""

    def __init__(self, fabric, node, number, incoming, outgoing, pool: Pool):
        super().__init__(fabric, node, number, incoming, outgoing, [0] * fabric.setup.lanes, fixed=True)
        self.pool = pool
        self.spare = self.headroom_of(incoming, pool.rule)
        self.above = [0] * fabric.setup.lanes  # bytes in the headroom, by lane
        rule = self.rule
        if rule.alpha is not None:
            self.alpha = rule.alpha * (incoming.rate / rule.for_rate) if rule.for_rate else rule.alpha
        pool.admit(self)

    def headroom_of(self, incoming, rule: Shared) -> int:
        """Bytes of headroom in each lane that pauses."""
        if rule.headroom is not None:
            return rule.headroom
        if rule.headroom_delays is not None:
            return int(rule.headroom_delays * (incoming.rate * incoming.delay // (8 * 10**12)))
        return self.headroom(incoming, self.node)

    def threshold(self) -> int:
        """Most shared bytes that a lane of this port may have now."""
        if self.rule.alpha is not None:
            return int(self.alpha * self.pool.free)
        return self.pool.size if self.rule.xoff is None else self.rule.xoff

    def offset(self) -> int:
        """A pause ends this far below."""
        if self.rule.alpha is not None:
            return self.rule.offset
        if self.rule.xoff is None and self.rule.xon is None:
            return 0
        setup = self.fabric.setup
        xon = self.rule.xoff - 2 * (setup.mtu + setup.header) if self.rule.xon is None else self.rule.xon
        return max(0, self.threshold() - max(0, xon))

    def swing(self, lane: int) -> int:
        """Bytes between starting and ending a pause."""
        return self.offset()

    def shared(self, lane: int) -> int:
        """Bytes beyond its own that a lane has."""
        return max(0, self.held[lane, None] - self.pool.rule.reserved)

    def take(self, lane: int, key, nbytes: int, queued: int = 0) -> bool:
        """A packet needs room: is there any? `queued` bytes of its lane wait for its output."""
        before, lossless = self.shared(lane), lane in self.rule.lossless
        self.held[lane, None] += nbytes
        more = self.shared(lane) - before
        if lossless:
            fits = self.shared(lane) <= self.threshold()
        else:
            fits = queued + nbytes <= int(self.pool.rule.lossy_alpha * self.pool.free)
        if more == 0 or (fits and more <= self.pool.free):
            self.pool.used += more
            return True
        self.held[lane, None] -= nbytes
        if not lossless or self.above[lane] + nbytes > self.spare or not self.pool.has_headroom(nbytes):
            return False
        self.above[lane] += nbytes
        self.ask(lane, None)
        return True

    def bytes_of(self, lane: int, key) -> int:
        """Bytes that are held, those in the headroom included."""
        return self.held[lane, None] + self.above[lane]

    def give(self, lane: int, key, nbytes: int) -> None:
        """Room is free again: in the headroom first."""
        from_headroom = min(nbytes, self.above[lane])
        self.above[lane] -= from_headroom
        before = self.shared(lane)
        self.held[lane, None] -= nbytes - from_headroom
        self.pool.used -= before - self.shared(lane)
        self.lighter.append((lane, None))

    def has_come_down(self, lane: int, key) -> bool:
        """Whether there is no longer a reason to pause, with the memory that is free now."""
        shared = self.shared(lane)
        return self.above[lane] == 0 and (shared == 0 or shared + self.offset() <= self.threshold())
