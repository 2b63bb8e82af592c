"""`links.flow_control` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class CreditMessages(Part):
    """Credits come back in messages that take time on the link, and not one by one: credit-based flow
    control (CBFC) of Ultra Ethernet, with blocks as its cells (128 B by default there). Absent: for
    every packet, after credit_delay.
    """

    spacing: str = "6400 B"
    """From one message of a port to the next at least the time that so many bytes take on its link. Default
    6,400 B."""
    repeat: str = "256 KiB"
    """After the time of so many bytes it is told once more what may not have been heard; only where
    links.errors loses words. Default 262,144 B."""
    heal: str = "256 us"
    """How often a sender tells what it has consumed, in 64 bytes, so that the receiver knows of packets
    that were lost on the link. Default 256 us."""


@dataclass(frozen=True, kw_only=True)
class ByteCredits(Part):
    """Room counted in blocks of bytes."""

    _choice: ClassVar[str | None] = "byte-credits"

    block: str = "64 B"
    """Bytes that one credit stands for; a packet takes as many credits as it needs, rounded up."""
    credit_delay: str | None = None
    """From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the
    propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "credited"
    """Whether control packets (ACKs, CNPs) take credits."""
    overhead: str = "0 B"
    """Bytes that every packet takes on top of its own before it is rounded up. Default 0 B."""
    messages: CreditMessages | None = None
    """Credits come back in messages that take time on the link, and not one by one: credit-based flow
    control (CBFC) of Ultra Ethernet, with blocks as its cells (128 B by default there). Absent: for every
    packet, after credit_delay."""


@dataclass(frozen=True, kw_only=True)
class PacketSlots(Part):
    """Room counted in packets."""

    _choice: ClassVar[str | None] = "packet-slots"

    credit_delay: str | None = None
    """From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the
    propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "own-room"
    """Whether control packets (ACKs, CNPs) take slots."""


@dataclass(frozen=True, kw_only=True)
class Static(Part):
    """Fixed thresholds."""

    _choice: ClassVar[str | None] = "static"

    xoff: str | None = None
    """A pause is asked for when more is held. Absent: as late as the headroom allows."""
    xon: str | None = None
    """It ends when this or less is held. Absent: two packets below xoff."""


@dataclass(frozen=True, kw_only=True)
class Dynamic(Part):
    """A threshold that follows the free part of shared memory."""

    _choice: ClassVar[str | None] = "dynamic"

    alpha: float = 0.125
    """An input and lane may use this times the shared memory that is free."""
    for_rate: str | None = None
    """Ports of this rate have that alpha, and others have it in proportion to their rate. Absent: all have
    the same."""
    offset: str = "3 kB"
    """A pause ends so far below the threshold."""


@dataclass(frozen=True, kw_only=True)
class Quanta(Part):
    """The length of a pause."""

    _choice: ClassVar[str | None] = "quanta"

    count: int = 65535
    """In units of the time that 512 bits take on the link."""


@dataclass(frozen=True, kw_only=True)
class PauseWatchdog(Part):
    """Outputs of switches that are paused for too long get help. Absent: none do."""

    detection_time: str = "200 ms"
    """A pause that lasts so long while packets wait is taken for a storm."""
    restoration_time: str = "200 ms"
    """From then on it is looked at so often whether it has ended."""
    action: Literal["drop", "forward"] = "drop"
    """What is done until then."""


@dataclass(frozen=True, kw_only=True)
class PauseStorm(Part):
    """A host that pauses its switch whatever room it has."""

    host: str
    """The host."""
    lane: int = 0
    """The lane."""
    start: str = "0 ns"
    """Its beginning."""
    stop: str | None = None
    """Its end. Absent: it lasts for ever."""


@dataclass(frozen=True, kw_only=True)
class Pfc(Part):
    """Priority flow control (PFC): a lane is paused when the receiver runs out of room. Before the run
    it is checked that all that may still come in after that finds room.
    """

    _choice: ClassVar[str | None] = "pfc"

    _older: ClassVar[dict[str, str]] = {"lasts": "pause_duration"}

    lossless: tuple[int, ...] | None = None
    """Lanes that are paused and lose nothing; the others never are, and lose what finds no room. Absent:
    all lanes."""
    threshold: Static | Dynamic | Literal["static", "dynamic"] | None = None
    """When a pause is asked for, and when it ends."""
    counts: Literal["input", "queue"] = "input"
    """What the threshold and switches.buffer are about."""
    frame: str = "64 B"
    """Bytes of a pause frame on the wire."""
    response: str = "0 ns"
    """From the last bit of a pause frame being in until the sender starts no more packets."""
    pause_duration: Quanta | Literal["until-xon", "quanta"] = "until-xon"
    """How long a pause lasts."""
    losses: Literal["refuse", "stop", "count"] = "refuse"
    """What is done about packets that find no room in a lossless lane."""
    watchdog: PauseWatchdog | None = None
    """Outputs of switches that are paused for too long get help. Absent: none do."""
    storms: tuple[PauseStorm, ...] | None = None
    """Hosts that pause their switch whatever room they have."""
