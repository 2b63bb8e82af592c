"""`links.retry` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from ..._base import Part, part


@part
class Retry(Part):
    """Link-level retry: the sender of a link repeats packets that were damaged on it. Absent: damaged
    packets are lost.
    """

    frames: int = 264
    """Size of the replay buffer of a port in packets: the most that may be unacknowledged. When it is full
    the port starts no new packet. Default 264."""
    bytes: str = "135 kB"
    """Size of the replay buffer in bytes. Packets that are sent again ignore pauses, so with `flow_control
    = "pfc"` each lane needs this much more headroom. Default 135 kB."""
    spacing: str = "2 KiB"
    """Least spacing of the control words of a port, as the number of bytes that its link carries in that
    time. Default 2,048 B."""
    timeout: str | None = None
    """A port that has received no new ACK for this long sends its whole replay buffer again. Absent: twice
    the longest time from the start of a packet until its ACK is received."""
