"""`links.errors` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from ..._base import Part, part


@part
class Errors(Part):
    """How often links damage packets. Absent: never."""

    packets: float | None = None
    """Packet error rate of every link, whatever the size of a packet."""
    bits: float | None = None
    """Bit error rate of every link. A packet with a wrong bit is damaged."""
    unseen: float = 0.0
    """Share of the damaged packets that the receiving end does not notice at all. Default 0."""
    words: float = 0.0
    """Share of the control words (ACKs and NACKs of links.retry, messages with credits) that are lost.
    Default 0."""
