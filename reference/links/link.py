"""Packets, the wires that carry them, and the order within an instant.

The ranks give the order in which the events of one instant are processed; decisions come after all of them.
"""

from collections import deque
from dataclasses import dataclass, field

from reference.quantities import time_for
from reference.switches.queues import Room

FAULT = 0.5  # links go down or come up, or new tables are put into switches
LEFT = 1  # a tail has left a port: the wire is idle, the read port and the room in the buffer are free
FRAME_IN = 1.5  # a link checks a frame, may send a word again, or its timer expires
ARRIVE = 2  # a packet can be routed at a switch: it joins its queue
TAIL = 3  # all of a data packet has arrived at a switch, and it can be routed
NOTICE = 4  # a port processes a message of its neighbour
PAUSE = 5  # a pause is repeated or ends by itself; a receive buffer has drained a packet; a watchdog checks
# Events that are due at a port, in this order:
DRAINED, STORM_BEGINS, STORM_ENDS, REFRESH, PAUSE_ENDS, DETECT, RESTORE = range(7)
EXPIRE = 6  # the timer of a throttle expires
DELIVER = 7  # the last byte of a packet is in at its host
ANSWER = 7.5  # an ACK that a host turns around is ready
TIMER = 7.6  # a transport has had no answer for a packet for long; a host grants credit
FLUSH = 7.7  # packets have waited for their ACK for long enough
SOURCE = 8  # traffic starts, stops, toggles, makes a message
RANK = 8.3  # a rank of an application begins, or an event that it waits for happens
INSIDE = 8.6  # a message inside a node starts
PACE = 9  # a flow or a host may send again


@dataclass(eq=False)
class Packet:
    """A data packet, its ACK, or the notification (CNP) that it was marked."""

    flow: object
    sequence: int
    kind: str  # "data", "ack" or "cnp"; of Ultra Ethernet also "nack", "trimmed", "grant", "request"
    size: int  # on the wire, bytes
    destination: int
    lane: int
    epoch: int
    injected: int = 0
    marked: bool = False
    undetermined: bool = False  # it left an output that flow control had blocked recently
    units: int = 0  # credits it costs on every link
    open: bool = False  # it goes directly, and the choice may be made again
    bound: int | None = None  # its destination if it makes a detour by the switch of `destination`
    records: list = field(default_factory=list)  # what switches have written, see `telemetry`
    digest: int = 0  # the same, in one byte
    last: bool = False  # of its message
    header: object = None  # its transport header, see `transports/header`
    queue: int = 0  # the queue that it was sent from: of its flow at its host, or of a switch (see `flow_queues`)
    answers: int = 1  # an ACK: packets that it acknowledges
    caused: int = 0  # an ACK: when the packet started that caused it
    hops: int = 0  # switches that it has left; an ACK has those of that packet

    @property
    def feedback(self) -> str:
        """Its feedback for its source: a mark takes precedence over an undetermined state."""
        if self.marked:
            return "congested"
        return "undetermined" if self.undetermined else "clear"

    @property
    def is_data(self) -> bool:
        """Only data is counted, marked, and answered."""
        return self.kind == "data"


@dataclass(eq=False)
class Frame:
    """A frame from the sender of a wire to its receiver, which goes before any packet."""

    size: int  # bytes
    after: int  # from the arrival of its last bit until the receiver acts on it
    lane: int | None  # of a pause that a later one may replace as long as it waits
    says: tuple
    hear: object  # called with its content
    rank: int = 0  # whether it is one of those without a lane that are sent late in an instant


class Wire:
    """One direction of a link: the bytes of one packet at a time, and credits for the buffer at its far end."""

    def __init__(self, fabric, name: str, rate: int, delay: int, room: list[Room]):
        self.fabric = fabric
        self.name = name
        self.rate = rate
        self.delay = delay
        self.room = room  # per lane: room at the far end that the sender may still fill
        self.sender = self.sender_port = self.receiver = self.receiver_port = None
        self.sending: Packet | None = None
        self.own_rate = rate  # while it is whole
        self.slow: list[tuple[int, bool]] = []  # its rates during a failure, and whether it recovers
        self.down = False  # it carries nothing
        self.discards = False  # the packets that wait for it are dropped
        self.flying: list[Packet] = []  # packets on it that the receiver has not begun to forward
        self.lost: list[Packet] = []  # those of them that never arrive
        self.blocked_since: int | None = None
        self.blocked_time = 0  # ps, after the warm-up
        self.last_blocked: int | None = None  # the end of the last blocked time
        self.packets = 0
        self.bytes = 0  # of packets, not of frames
        self.back: Wire | None = None  # the other direction of the link
        self.checked = None  # what checks frames before they are forwarded
        self.teller = None  # what reports credits in messages
        self.schedule = None  # how lanes share it, if they have quanta
        self.frames: deque = deque()  # frames of the sender for the receiver, oldest first
        self.late_frames: list = []  # frames caused by packets that start in this instant
        self.paused: set[int] = set()  # lanes in which the sender starts no packet
        self.paused_until: dict = {}  # by lane: when a pause ends by itself
        self.asserted: set[int] = set()  # lanes in which the receiver asks for a pause, as far as the sender knows
        self.watchdog = None  # of a port of a switch, if there is one
        self.free_since = -1  # when the last packet or frame had left

    def time_for(self, packet: Packet) -> int:
        """How long the packet occupies this wire."""
        return time_for(packet.size, self.rate)

    def fits(self, packet: Packet) -> bool:
        """Whether there is room for the packet at the far end, as far as the sender knows."""
        if self.discards:
            return True
        return packet.lane not in self.paused and self.room[packet.lane].fits(
            self.receiver.account(packet), packet.units
        )

    def has_credit(self, lane: int, taken: int = 0) -> bool:
        """Whether a full packet could be sent now, in addition to this number of units.

        Where each queue at the far end has room of its own, this is true unless a packet lacks room.
        """
        setup, room = self.fabric.setup, self.room[lane]
        if lane in self.paused:
            return False
        if setup.organisation.has_room_by_queue() and not room.is_endless():
            return self.blocked_since is None
        return room.shared - taken >= setup.units_of(setup.mtu + setup.header)

    def send(self, packet: Packet, then=None) -> None:
        """Take room for the packet, and start sending."""
        self.take(packet)
        self.start(packet, then)

    def take(self, packet: Packet) -> None:
        """Take room for the packet at the far end."""
        assert self.fits(packet), "a missing credit"
        self.room[packet.lane].change(self.receiver.account(packet), packet.units)

    def start(self, packet: Packet, then=None) -> None:
        """Start sending: the head is at the far end after the delay; the tail leaves after the packet's time (and
        `then` is called).
        """
        fabric = self.fabric
        assert self.sending is None, "a busy wire"
        self.sending = packet
        self.packets += 1
        self.bytes += packet.size
        tail_leaves = fabric.now + self.time_for(packet)
        fabric.at(tail_leaves, LEFT, self.sender_port, self.sender, self.left, then)
        if self.checked is not None:
            self.checked.launch(packet, tail_leaves)
        else:
            self.flying.append(packet)
            self.receiver.expect(packet, self, fabric.now + self.delay, tail_leaves + self.delay)

    def comes_in(self, packet: Packet) -> bool:
        """The receiver begins to forward a packet, or a host has all of it; unless it was lost on the wire."""
        if self.checked is None:
            self.flying.remove(packet)
        if packet not in self.lost:
            return True
        self.lost.remove(packet)
        self.lose(packet, packet.lane)
        return False

    def lose_all(self) -> int:
        """Nothing that is on the wire ever arrives. Returns the number of packets."""
        if self.checked is not None:
            return self.checked.lose_all()
        new = [packet for packet in self.flying if packet not in self.lost]
        self.lost += new
        return len(new)

    def left(self, then) -> None:
        """The tail has left."""
        self.sending = None
        self.free_since = self.fabric.now
        if then is not None:
            then()

    def tell_pause(self, lane: int, quanta, late: bool) -> None:
        """A frame for the receiver: pause in this lane, or continue. If one waits already, its content is replaced."""
        for frame in [*self.frames, *self.late_frames]:
            if frame.lane == lane:
                frame.says = (lane, quanta)
                return
        rule = self.fabric.setup.pfc
        frame = Frame(rule.frame, rule.response, lane, (lane, quanta), self.back.told)
        if late:
            self.late_frames.append(frame)
        else:
            self.line_up(frame)

    def line_up(self, frame) -> None:
        """A frame waits behind the others; a pause only behind other pauses."""
        pauses = sum(other.lane is not None for other in self.frames)  # they are at the front
        self.frames.insert(len(self.frames) if frame.lane is None else pauses, frame)

    def send_late_frames(self) -> None:
        """All decisions are made: now the frames are sent that are due to packets that started in this instant."""
        if self.late_frames:
            for frame in sorted(self.late_frames, key=lambda frame: (frame.lane is None, frame.lane or 0, frame.rank)):
                self.line_up(frame)
            self.late_frames = []
        self.send_frame()

    def send_frame(self) -> None:
        """If the wire is idle and a frame waits, it is sent, and the receiver acts on it when it has arrived, or a
        response time later. If none waits, a packet may have to be sent again.
        """
        if self.sending is not None or self.down:
            return
        if not self.frames:
            if self.checked is not None and self.checked.has_replays():
                self.checked.replay()
            return
        self.note_blocked(False)
        self.forget_if_idle()
        fabric = self.fabric
        self.sending = frame = self.frames.popleft()
        tail_leaves = fabric.now + time_for(frame.size, self.rate)
        fabric.at(tail_leaves, LEFT, self.sender_port, self.sender, self.left, None)
        heard = tail_leaves + self.delay + frame.after
        fabric.at(heard, NOTICE, self.receiver_port, self.receiver, frame.hear, *frame.says)

    def forget_if_idle(self) -> None:
        """If the wire has been idle, lanes lose what they had left over of their quantum."""
        if self.schedule is not None and self.free_since < self.fabric.now:
            self.schedule.idled()

    def is_held(self) -> bool:
        """Whether no packet may start: the wire is down, or those that were sent must be acknowledged first."""
        return self.down or (self.checked is not None and self.checked.is_full())

    def told(self, lane: int, quanta) -> None:
        """The sender of this wire is told to pause in a lane, or to continue."""
        (self.asserted.discard if quanta == 0 else self.asserted.add)(lane)
        self.paused_until[lane] = None
        if isinstance(quanta, int) and quanta > 0:
            self.paused_until[lane] = self.fabric.now + time_for(64 * quanta, self.rate)
            due = (self.sender_port, PAUSE_ENDS, lane)
            self.fabric.at(self.paused_until[lane], PAUSE, due, self.sender, self.pause_ends, lane)
        (self.go_on if quanta == 0 else self.hold)(lane)

    def pause_ends(self, lane: int) -> None:
        """The pause expires, because it has not been renewed."""
        if self.paused_until[lane] == self.fabric.now:
            self.asserted.discard(lane)
            self.go_on(lane)

    def hold(self, lane: int) -> None:
        """No packet starts in this lane, unless a watchdog has acted."""
        if lane in self.paused or (self.watchdog and lane in self.watchdog.ignored):
            return
        self.paused.add(lane)
        if self.watchdog:
            self.watchdog.paused(lane)

    def go_on(self, lane: int) -> None:
        """Packets start in this lane again."""
        if lane in self.paused:
            self.paused.remove(lane)
            if self.watchdog:
                self.watchdog.goes_on(lane)

    def give_back(self, packet: Packet, lane: int, room_free: int) -> None:
        """The packet, which came in `lane`, has left the buffer at the far end: the sender hears of it `credit_delay`
        later; if none is given, the delay of the link on which the credit goes back.

        A credit may be used at the very instant at which it comes back, so its rank is before all decisions.
        """
        if self.fabric.setup.pfc is not None:
            return
        if self.teller is not None:
            if packet.units > 0 and not self.is_endless():
                account = self.receiver.account(packet)
                self.fabric.at(room_free, LEFT, 0, self.receiver, self.teller.leaves, lane, account, packet.units)
            return

        def back() -> None:
            self.room[lane].change(self.receiver.account(packet), -packet.units)

        given = self.fabric.setup.credit_delay
        self.fabric.at(room_free + (self.back.delay if given is None else given), LEFT, 0, self.sender, back)

    def is_endless(self) -> bool:
        """There is always room at the far end."""
        return self.receiver.receives_without_end()

    def lose(self, packet: Packet, lane: int) -> None:
        """A packet was lost on the wire: its room is free at once, unless the receiver does not know of the loss."""
        if self.teller is None:
            self.give_back(packet, lane, self.fabric.now)
        elif not self.is_endless():
            self.teller.lost[lane].append((self.receiver.account(packet), packet.units))

    def note_blocked(self, blocked: bool) -> None:
        """Record the time during which the sender has a packet and lacks only credit for it."""
        if self.blocked_since is None and not blocked:
            return
        if self.blocked_since is not None:
            self.blocked_time += max(0, self.fabric.now - max(self.blocked_since, self.fabric.setup.warm_up))
            self.last_blocked = self.fabric.now
        self.blocked_since = self.fabric.now if blocked else None
