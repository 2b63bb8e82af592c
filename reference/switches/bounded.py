"""Outputs of switches on lossy links: packets for which there is no room are dropped, or trimmed to their headers."""

from dataclasses import dataclass

from reference.quantities import given, size
from reference.rng import Rng


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


class OutputQueue:
    """The queue of an output of a switch on lossy links: packets beyond its limit are dropped, or trimmed."""

    def __init__(self, switch, output):
        self.switch, self.output = switch, output
        self.counts = {"dropped": 0, "trimmed": 0, "in the place of another": 0, "lost at random": 0}
        self.rng = None

    def chance(self) -> float:
        """A number between 0 and 1."""
        number = self.switch.port_number(self.output)
        self.rng = self.rng or Rng(self.switch.setup.seed, "loss", number)
        return self.rng.unit()

    def room(self, lane: int) -> int:
        """Bytes that may wait in a lane: for links of a given rate, and in proportion at others."""
        setup = self.switch.setup
        own = setup.trim is not None and lane == setup.trim.lane
        room = setup.trim.queue if own else setup.output_queue
        if setup.output_queue_rate is None:
            return room
        return room * self.output.wire.own_rate // setup.output_queue_rate

    def waiting(self, stay) -> int:
        """Bytes in the lane of a packet, if it joins."""
        return self.switch.queued(self.output, stay.lane) + stay.packet.size

    def admit(self, stay) -> bool:
        """Whether an arriving packet, or the rest of it or of another one after trimming, may join."""
        setup = self.switch.setup
        trim = setup.trim
        if setup.random_loss > 0.0 and self.chance() < setup.random_loss:
            self.counts["lost at random"] += 1
            return False
        cuts = trim is not None and stay.lane != trim.lane and stay.packet.is_data
        if cuts and self.waiting(stay) > self.room(stay.lane):
            self.cut(stay, trim)
        fits = self.waiting(stay) <= self.room(stay.lane)
        self.counts["dropped"] += not fits
        return fits

    def cut(self, stay, trim: Trim) -> None:
        """It loses its payload, or changes places with the newest that waits, which does."""
        line = self.switch.in_order(self.output, stay.lane) if trim.either else []
        newest = line[-1] if line else None
        alike = newest is not None and newest.packet.is_data and newest.packet.size == stay.packet.size
        if alike and self.chance() < 0.5:
            newest.packet, stay.packet = stay.packet, newest.packet
            self.counts["in the place of another"] += 1
        self.counts["trimmed"] += 1
        if stay.packet.header is not None:
            stay.packet.header.last_hop = self.output.wire.receiver in self.switch.fabric.hosts
        stay.packet.kind, stay.packet.size = "trimmed", trim.size
        stay.packet.lane = stay.lane = trim.lane
