"""`links.retry` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Retry(Part):
    """What was damaged on a link is sent again on it. Absent: it is lost."""

    frames: int = 264
    """Most packets that a port keeps until they are acknowledged; it starts no more before. Default 264."""
    bytes: str = "135 kB"
    """Most bytes of them. What is sent again does not wait for a pause to end, so that with `flow_control =
    "pfc"` each lane needs so much more headroom. Default 135 kB."""
    spacing: str = "2 KiB"
    """From one word of a port to the next at least the time that so many bytes take on its link. Default
    2,048 B."""
    timeout: str | None = None
    """A port that has heard nothing new for so long sends all that it keeps again. Absent: twice the
    longest time from the start of a packet until its ACK is heard."""
