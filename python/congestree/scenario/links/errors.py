"""`links.errors` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from __future__ import annotations

from dataclasses import dataclass

from ..._base import Part


@dataclass(frozen=True, kw_only=True)
class Errors(Part):
    """How often links damage packets. Absent: never."""

    packets: float | None = None
    """The share of packets that are damaged on every link, whatever their size."""
    bits: float | None = None
    """The share of bits that are; a packet with a wrong bit is damaged."""
    unseen: float = 0.0
    """The share of damaged packets of which the far end sees nothing at all: not even that they were
    damaged. Default 0."""
    words: float = 0.0
    """The share of the words of links.retry, and of messages with credits, that are lost. Default 0."""
