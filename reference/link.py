"""What travels, what carries it, and the order within an instant.

The ranks say in which order the events of one instant are worked; decisions come after all of them.
"""

from dataclasses import dataclass

from reference.quantities import time_for
from reference.queues import Room

LEFT = 1  # a tail has left a port: the wire is idle, the read port and the room in the buffer are free
ARRIVE = 2  # a packet can be routed at a switch: it joins its queue
TAIL = 3  # all of a data packet has come in to a switch, and it can be routed
EXPIRE = 4  # the timer of a throttle expires
DELIVER = 5  # the last byte of a packet is in at its host
SOURCE = 6  # traffic starts, stops, toggles, makes a message
PACE = 7  # a flow or a host may send again


@dataclass(eq=False)
class Packet:
    """A data packet, its ACK, or the notification (CNP) that it was marked."""

    flow: object
    sequence: int
    kind: str  # "data", "ack" or "cnp"
    size: int  # on the wire, bytes
    destination: int
    lane: int
    epoch: int
    injected: int = 0
    marked: bool = False
    units: int = 0  # credits it costs on every link

    @property
    def is_data(self) -> bool:
        """Only data is counted, marked, and answered."""
        return self.kind == "data"


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
        self.blocked_since: int | None = None
        self.blocked_time = 0  # ps, after the warm-up
        self.last_blocked: int | None = None  # the end of the last blocked time
        self.packets = 0

    def time_for(self, packet: Packet) -> int:
        """How long the packet occupies this wire."""
        return time_for(packet.size, self.rate)

    def fits(self, packet: Packet) -> bool:
        """There is room for the packet at the far end."""
        return self.room[packet.lane].fits(self.receiver.account(packet), packet.units)

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
        `then` is called)."""
        fabric = self.fabric
        assert self.sending is None, "a busy wire"
        self.sending = packet
        self.packets += 1
        tail_leaves = fabric.now + self.time_for(packet)
        fabric.at(tail_leaves, LEFT, self.sender_port, self.sender, self.left, then)
        self.receiver.expect(packet, self, fabric.now + self.delay, tail_leaves + self.delay)

    def left(self, then) -> None:
        """The tail has left."""
        self.sending = None
        if then is not None:
            then()

    def give_back(self, packet: Packet, room_free: int) -> None:
        """The packet has left the buffer at the far end: the sender hears of it `credit_delay` later.

        A credit may be used at the very instant at which it comes back, so its rank is before all decisions.
        """

        def back() -> None:
            self.room[packet.lane].change(self.receiver.account(packet), -packet.units)

        self.fabric.at(room_free + self.fabric.setup.credit_delay, LEFT, 0, self.sender, back)

    def note_blocked(self, blocked: bool) -> None:
        """Keep account of the time during which the sender has a packet, and only lacks credit for it."""
        if self.blocked_since is not None:
            self.blocked_time += max(0, self.fabric.now - max(self.blocked_since, self.fabric.setup.warm_up))
            self.last_blocked = self.fabric.now
        self.blocked_since = self.fabric.now if blocked else None
