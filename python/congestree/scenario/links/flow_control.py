"""`links.flow_control` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ..._base import Part, part


@part
class CreditMessages(Part):
    """Credits come back in messages that occupy the link, as in the credit-based flow control (CBFC) of
    Ultra Ethernet; its cells are the blocks here (128 B by default there). Absent: credits come back
    for every packet, after credit_delay.
    """

    spacing: str = "6400 B"
    """Least spacing of the messages of a port, as the number of bytes that its link carries in that time.
    Default 6,400 B."""
    repeat: str = "256 KiB"
    """After the time that the link takes for this many bytes, a message that may have been lost is
    repeated; only if links.errors loses words. At least spacing and 8 B. Default 262,144 B."""
    heal: str = "256 us"
    """How often a sender reports the credits that it has used, in a message of 64 bytes, so that the
    receiver can give back the credits of packets that were lost on the link. Default 256 us."""


@part
class ByteCredits(Part):
    """Room counted in blocks of bytes."""

    _choice: ClassVar[str | None] = "byte-credits"

    block: str = "64 B"
    """Bytes of buffer that one credit represents. The size of a packet is rounded up to whole credits."""
    credit_delay: str | None = None
    """Time from the tail of a packet leaving the buffer until the upstream sender may use its credit.
    Default: the propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "credited"
    """Whether control packets (ACKs, CNPs) need credits."""
    overhead: str = "0 B"
    """Bytes of buffer that every packet takes in addition to its own, before rounding up. Default 0 B."""
    messages: CreditMessages | None = None
    """Credits come back in messages that occupy the link, as in the credit-based flow control (CBFC) of
    Ultra Ethernet; its cells are the blocks here (128 B by default there). Absent: credits come back for
    every packet, after credit_delay."""


@part
class PacketSlots(Part):
    """Room counted in packets."""

    _choice: ClassVar[str | None] = "packet-slots"

    credit_delay: str | None = None
    """Time from the tail of a packet leaving the buffer until the upstream sender may use its credit.
    Default: the propagation delay of the link on which the credit goes back."""
    control: Literal["own-room", "credited"] = "own-room"
    """Whether control packets (ACKs, CNPs) need slots."""


@part
class Static(Part):
    """Fixed thresholds."""

    _choice: ClassVar[str | None] = "static"

    xoff: str | None = None
    """XOFF: a pause is sent when more than this is held; in shared memory, more than this beyond what is
    reserved. Absent: as late as the headroom allows."""
    xon: str | None = None
    """XON: the pause ends when this or less is held, counted as for xoff. Absent: two packets below xoff;
    in shared memory without xoff, as soon as the headroom is empty."""


@part
class Dynamic(Part):
    """A threshold that follows the free part of shared memory."""

    _choice: ClassVar[str | None] = "dynamic"

    alpha: float = 0.125
    """An input port and lane may use this times the free shared memory before it sends a pause."""
    for_rate: str | None = None
    """`alpha` is for ports of this rate, and scales in proportion to the rate of other ports. Absent: the
    same for all ports."""
    offset: str = "3 kB"
    """The pause ends when the headroom of the input is empty again and what the input holds of the shared
    memory is this far below the threshold, or nothing."""


@part
class Quanta(Part):
    """The length of a pause."""

    _choice: ClassVar[str | None] = "quanta"

    count: int = 65535
    """Length of a pause in quanta: the time that 512 bits take on the link."""


@part
class PauseWatchdog(Part):
    """PFC watchdog: acts on switch outputs that are paused for too long. Absent: no watchdog."""

    detection_time: str = "200 ms"
    """A pause that lasts this long counts as a pause storm if packets wait when this time is over, however
    long they have waited."""
    restoration_time: str = "200 ms"
    """Interval at which the watchdog then checks whether the storm has ended."""
    action: Literal["drop", "forward"] = "drop"
    """What the watchdog does until the storm has ended."""


@part
class PauseStorm(Part):
    """A pause storm: a host that pauses its switch although it has room."""

    host: str
    """Name of the host."""
    lane: int = 0
    """The lane that it pauses."""
    start: str = "0 ns"
    """When the storm begins."""
    stop: str | None = None
    """When the storm ends. Absent: never."""


@part
class Pfc(Part):
    """Priority flow control (PFC): a lane is paused when the receiver runs out of room. Before the run
    it is checked that there is room for all data that may still arrive after a pause.
    """

    _choice: ClassVar[str | None] = "pfc"

    _older: ClassVar[dict[str, str]] = {"lasts": "pause_duration"}

    lossless: Sequence[int] | None = None
    """Lossless lanes: they are paused and lose nothing. The other lanes are never paused, and drop packets
    that find no room. Absent: all lanes are lossless."""
    threshold: Static | Dynamic | Literal["static", "dynamic"] | None = None
    """The thresholds at which a receiver sends a pause (XOFF) and ends it (XON)."""
    counts: Literal["input", "queue"] = "input"
    """Which fill the threshold and switches.buffer apply to."""
    frame: str = "64 B"
    """Size of a pause frame on the wire."""
    response: str = "0 ns"
    """Response time: from the last bit of a pause frame until the paused sender starts no more packets."""
    pause_duration: Quanta | Literal["until-xon", "quanta"] = "until-xon"
    """How long a pause lasts."""
    losses: Literal["refuse", "stop", "count"] = "refuse"
    """What happens to packets that find no room in a lossless lane."""
    watchdog: PauseWatchdog | None = None
    """PFC watchdog: acts on switch outputs that are paused for too long. Absent: no watchdog."""
    storms: Sequence[PauseStorm] | None = None
    """Pause storms: hosts that pause their switch although they have room."""
